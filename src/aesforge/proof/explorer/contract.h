// SPDX-License-Identifier: Apache-2.0
//
// contract: what may happen in a cycle, and what the contract of cores demands in it.

#ifndef AESFORGE_EXPLORER_CONTRACT_H
#define AESFORGE_EXPLORER_CONTRACT_H

#include <string>

#include "aig.h"

/// No, an unwatched, or the watched key or block. ANY: what the channel carries has no effect.
enum Which { NONE, OTHER, WATCHED, ANY };

/// What is asked of a core, as proof/walk.py writes it.
struct Job {
  /// Codes to try, 'x' where the core does not read them: of key lengths; of kinds of blocks, that is
  /// direction and number of S-boxes in use.
  std::vector<std::string> lens, kinds;
  int key_bits = 0, watched_len = 0, watched_kind = 0;
  int latency = 0, key_setup = 0;
  bool eager = false;   ///< an empty core with a key must be ready
  /// Blocks in flight are not counted. Instead, an empty pipeline place may be watched.
  bool places = false;
  /// Cycles from one in which a result waits to the one in which the pipeline stalls. With more than
  /// one, a block accepted meanwhile is delayed by as many cycles as results waited.
  int stop = 1;
  size_t limit = 0, shortest = 0;  ///< states to visit, and states in which to look for a short run
  std::string learned;             ///< file of what an earlier walk learned; empty: none
  std::string certificate;         ///< file for the states of a complete walk; empty: none
};
extern Job job;

Job read_job(const std::string& path);

/// The contract's view of a state.
struct View {
  uint16_t age;          ///< cycles since the watched block was accepted, without those a result waited
  uint16_t key_age;      ///< cycles since the watched key was first offered
  uint16_t outstanding;  ///< blocks accepted and not delivered; with places, cycles until all are out
  uint8_t pending;       ///< a key that is offered and not yet accepted
  uint8_t pending_len;
  uint8_t in_use;        ///< the key of blocks accepted now
  uint8_t power_up : 1;
  uint8_t clearing : 1;
  uint8_t usable : 1;    ///< the key in use has been ready for blocks
  uint8_t in_flight : 1; ///< the watched block is in the core
  uint8_t hold : 1;      ///< a result was offered in the last cycle and not accepted
  uint8_t exact : 1;     ///< nothing disturbs the set-up of the watched key
  uint8_t empty : 1;     ///< the watched block is no block but an empty place
  uint8_t entered;       ///< a block accepted while a result waits; with a late stop, its delay
  uint8_t waited;        ///< whether a result waited in each of the last cycles, newest in bit 0
  bool watching() const { return pending == WATCHED || in_use == WATCHED || in_flight; }
  int block_age() const { return in_flight && !empty ? age : 0; }
  /// The age of the watched block, or `latency` more than that of the watched empty place.
  int place() const { return in_flight ? age + (empty ? job.latency : 0) : 0; }
};
static_assert(sizeof(View) == 12, "no padding: views are compared as bytes");

/// The number of cycles until all blocks are out is not known.
constexpr uint16_t LOST = 0xffff;

/// The inputs of a cycle. `watch`: an empty place is watched from now on, and has this age.
struct Choice { uint8_t reset, key, len, in, kind, out_ready, clear, watch; };

/// All choices in a state, the reset first.
const std::vector<Choice>& list_choices(const View& view);

/// Messages that the walk reacts to.
extern const std::string UNKNOWN_RESULT, TOO_MANY, STARVED;

/// One cycle without reset: the choice, what the core's control answers, and the rules.
class Cycle {
 public:
  View after;            ///< the view in the next state
  bool clears = false;   ///< the data may be taken for unknown after it
  bool waits = false;    ///< a key waits though the user leaves it on offer and takes results
  std::string broken;    ///< the first rule that it breaks

  Cycle(const View& view, const Choice& choice, Lit key_ready, Lit in_ready, Lit out_valid);

  /// Whether the watched block's result must be at the output.
  bool delivers() const { return before.in_flight && !before.empty && due(); }
  /// Whether a clear is done in this cycle, so that all data must be constant.
  bool cleared() const { return before.clearing && key_ready == 1; }
  void fail(const std::string& rule) { if (broken.empty()) broken = rule; }

  /// The rules, in this order. Between them the caller checks the data.
  void check_handshakes();
  void check_latency();
  void check_key_setup();
  /// Advances the view; false when no empty place starts here, so that it cannot be watched.
  bool advance();

 private:
  const View& before;
  const Choice& choice;
  const Lit key_ready, in_ready, out_valid;
  bool key_taken, in_taken, out_taken;
  bool counts;   // no result waits
  bool stalled;  // the pipeline stalls for a result that waited
  int late = 0;  // cycles by which a block accepted now is delayed

  bool due() const { return before.age == job.latency; }
  void advance_block();
  void advance_outstanding();
  bool start_empty_place();
  void advance_key();
};

#endif
