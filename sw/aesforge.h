// SPDX-License-Identifier: Apache-2.0
//
// Driver of the register ports of aesforge (port=axi-lite, ...), in C99.
//
// It allocates nothing, needs no library, and keeps no key: a key goes from the caller's bytes to
// the registers, word by word. One structure is one device; a packet is a structure of the caller.
// Functions on one device must not run at the same time; an interrupt handler may call
// aesforge_poll if nothing else uses the device meanwhile. docs/software.md has examples.

#ifndef AESFORGE_H
#define AESFORGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What functions return: 0 for done, 1 for not done yet, negative for an error.
enum aesforge_result {
  AESFORGE_OK = 0,
  AESFORGE_BUSY = 1,          // the packet is not finished: call aesforge_poll again
  AESFORGE_E_ID = -1,         // no AES registers at this address
  AESFORGE_E_VERSION = -2,    // the registers have another major version, or blocks of another size
  AESFORGE_E_MODE = -3,       // the core lacks the mode, or its direction
  AESFORGE_E_KEY = -4,        // no key, none of that length in the core or mode, or no second one
  AESFORGE_E_LENGTH = -5,     // a length that the mode, the core or the output buffer does not have
  AESFORGE_E_STATE = -6,      // a packet is open, or none is
  AESFORGE_E_FAILED = -7,     // not authentic, aborted, XTS under equal keys: no output
  AESFORGE_E_HARDWARE = -8,   // the core reported an error that the driver should have prevented
};

// Modes, by their codes in the register CTRL.
enum aesforge_mode {
  AESFORGE_ECB = 0,
  AESFORGE_CBC = 1,
  AESFORGE_CTR = 2,
  AESFORGE_OFB = 3,
  AESFORGE_CFB128 = 4,
  AESFORGE_CFB8 = 5,
  AESFORGE_CFB1 = 6,
  AESFORGE_CBC_CS1 = 7,
  AESFORGE_CBC_CS2 = 8,
  AESFORGE_CBC_CS3 = 9,
  AESFORGE_CMAC = 10,
  AESFORGE_GCM = 11,
  AESFORGE_GMAC = 12,
  AESFORGE_XTS = 13,
  AESFORGE_CCM = 14,
  AESFORGE_KW = 15,
  AESFORGE_KWP = 16,
  AESFORGE_GCM_SIV = 17,
};

// A device, filled by aesforge_open. Its fields are the driver's.
struct aesforge {
  uintptr_t base;
  uint32_t encrypts, decrypts, core, limits;  // the registers CAP_*
  uint32_t key_len;                           // CTRL.KEY_LEN of the key, or CTRL.SIDELOAD
  uint8_t keys;                               // keys loaded: 0, 1, or 2 for XTS
  bool interrupts;
};

// A packet: the caller sets all fields but the last two, and keeps it and its buffers until it is
// finished. Lengths are in bytes. `in` and `out` may be equal; otherwise they must not overlap.
// Buffers that start at a multiple of 4 are moved faster.
struct aesforge_packet {
  enum aesforge_mode mode;
  bool decrypt;          // decrypt, or verify a tag
  const uint8_t *iv;     // IV, first counter block, nonce, or number of an XTS data unit
  size_t iv_bytes;       // 0 ECB, CMAC, KW, KWP; 1 or more GCM, GMAC; 7 to 13 CCM; 12 GCM-SIV; 16
  const uint8_t *aad;    // additional data of GCM, GCM-SIV and CCM
  size_t aad_bytes;
  const uint8_t *in;     // payload; what CMAC and GMAC authenticate
  size_t in_bytes;
  uint8_t *out;          // not used by CMAC and GMAC
  size_t out_capacity;   // at least aesforge_out_bytes
  uint8_t tag[16];       // made by encryption; given for decryption
  size_t tag_bytes;      // 0 in modes without a tag

  size_t out_bytes;      // result: bytes in `out`; 0 after an error
  struct {
    size_t at, left;     // bytes sent of a segment; bytes not sent of all segments
    uint32_t beat;       // what the register BEAT has
    uint8_t segment;
    bool sent;
  } progress;            // the driver's
};

// Find the core at address `base` and read what it can do.
// Errors: AESFORGE_E_ID, AESFORGE_E_VERSION.
int aesforge_open(struct aesforge *aes, uintptr_t base);

// Whether the core has a mode in a direction.
bool aesforge_has(const struct aesforge *aes, enum aesforge_mode mode, bool decrypt);

// Load a key of `bytes` 16, 24 or 32. Waits until the core has taken an earlier one.
// Errors: AESFORGE_E_KEY; AESFORGE_E_STATE while a packet is open; AESFORGE_E_HARDWARE.
int aesforge_set_key(struct aesforge *aes, const uint8_t *key, size_t bytes);

// Load the two keys of XTS, of `bytes` 16 or 32 each. Errors: as aesforge_set_key.
int aesforge_set_xts_keys(struct aesforge *aes, const uint8_t *key, const uint8_t *tweak_key,
                          size_t bytes);

// Load the key, for XTS the two keys, that waits at the sideload port of the core. Its length is
// known to the core alone.
// Errors: AESFORGE_E_KEY, if the core has no such port, no key waits there, or one of a length that
// the core lacks; AESFORGE_E_STATE while a packet is open.
int aesforge_set_sideloaded_key(struct aesforge *aes);

// The bytes that a packet may output.
size_t aesforge_out_bytes(const struct aesforge_packet *packet);

// Check a packet and open it. With a stream port, its data passes there from then on: `in` and `out`
// are not used, and whoever drives the stream takes back what it got before an error.
// Errors: AESFORGE_E_MODE, AESFORGE_E_KEY, AESFORGE_E_LENGTH, and then nothing has changed;
// AESFORGE_E_STATE while a packet is open; AESFORGE_E_HARDWARE.
int aesforge_start(struct aesforge *aes, struct aesforge_packet *packet);

// Move data of an opened packet until the core makes the processor wait. Returns AESFORGE_BUSY
// until the packet is finished, then AESFORGE_OK. After an error `out` is zero. With a stream port
// it moves nothing; the packet is finished when its last beat has left there.
// Errors: AESFORGE_E_FAILED, AESFORGE_E_HARDWARE.
int aesforge_poll(struct aesforge *aes, struct aesforge_packet *packet);

// aesforge_start, then aesforge_poll until the packet is finished. Errors: those of both.
int aesforge_run(struct aesforge *aes, struct aesforge_packet *packet);

// End an opened packet early and wait for its end. `out` is zero then.
// Errors: AESFORGE_E_STATE if all of its data has been sent.
int aesforge_abort(struct aesforge *aes, struct aesforge_packet *packet);

// Whether the core asks for an interrupt when aesforge_poll has something to do again. Off at
// first. While it is on, call aesforge_poll in the handler, which lowers the request.
void aesforge_interrupts(struct aesforge *aes, bool on);

// Clear all keys and data of the core. Packets that were open are lost.
void aesforge_wipe(struct aesforge *aes);

#ifdef __cplusplus
}
#endif

#endif
