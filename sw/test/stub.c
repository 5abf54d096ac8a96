// SPDX-License-Identifier: Apache-2.0
//
// Registers without a core: they hold what a test puts into them, and note what the driver writes.

#define _GNU_SOURCE

#include <string.h>
#include <ucontext.h>

#include "aesforge.h"

#define WORDS 1024
#define STACK_BYTES 65536

uint32_t stub_registers[WORDS];
uint32_t stub_written[WORDS][2];
uint32_t stub_count;

uint32_t aesforge_read(uintptr_t address);
void aesforge_write(uintptr_t address, uint32_t word);

uint32_t aesforge_read(uintptr_t address) { return stub_registers[address / 4]; }

void aesforge_write(uintptr_t address, uint32_t word) {
  if (stub_count == WORDS) return;
  stub_written[stub_count][0] = (uint32_t)address;
  stub_written[stub_count][1] = word;
  stub_count++;
}

// What is left of a key on the stack -------------------------------------------------------------

static unsigned char stack[STACK_BYTES];
static ucontext_t outside, inside;
static struct aesforge *device;
static const uint8_t *keys[2];
static size_t key_bytes;

static void load(void) {
  if (keys[1])
    aesforge_set_xts_keys(device, keys[0], keys[1], key_bytes);
  else
    aesforge_set_key(device, keys[0], key_bytes);
}

// Words of a key that the driver leaves on a stack of its own when it loads the key.
unsigned stub_key_words(struct aesforge *aes, const uint8_t *key, const uint8_t *tweak_key,
                        size_t bytes);

unsigned stub_key_words(struct aesforge *aes, const uint8_t *key, const uint8_t *tweak_key,
                        size_t bytes) {
  memset(stack, 0, sizeof stack);
  device = aes;
  keys[0] = key;
  keys[1] = tweak_key;
  key_bytes = bytes;
  getcontext(&inside);
  inside.uc_stack.ss_sp = stack;
  inside.uc_stack.ss_size = sizeof stack;
  inside.uc_link = &outside;
  makecontext(&inside, load, 0);
  swapcontext(&outside, &inside);
  unsigned found = 0;
  for (size_t at = 0; at + 4 <= sizeof stack; at++)
    for (size_t k = 0; k < bytes; k += 4)
      found += !memcmp(stack + at, key + k, 4) || (tweak_key && !memcmp(stack + at, tweak_key + k, 4));
  return found;
}
