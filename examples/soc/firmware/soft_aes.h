// SPDX-License-Identifier: Apache-2.0
//
// AES in software, for comparison: CTR, GCM and XTS encryption with look-up tables.
//
// The tables make its timing depend on the key where memory has a cache. The processor of this
// example has none. Do not use it elsewhere.

#ifndef SOFT_AES_H
#define SOFT_AES_H

#include <stddef.h>
#include <stdint.h>

#define SOFT_AES_BLOCK 16U
#define SOFT_AES_WORDS 4U

struct soft_aes {
  uint32_t round_keys[60];
  unsigned rounds;
};

struct soft_gcm {
  struct soft_aes aes;
  uint32_t hash[16][SOFT_AES_WORDS];  // the products of the hash key and all sums of 4 bits
};

// Compute the tables, once.
void soft_aes_tables(void);

// Expand a key of 16, 24 or 32 bytes.
void soft_aes_key(struct soft_aes *aes, const uint8_t *key, size_t bytes);

// Encrypt or decrypt in CTR with the first counter block `iv` of 16 bytes.
void soft_ctr(const struct soft_aes *aes, const uint8_t *iv, const uint8_t *in, uint8_t *out,
              size_t bytes);

// Expand a key for GCM.
void soft_gcm_key(struct soft_gcm *gcm, const uint8_t *key, size_t bytes);

// Encrypt with GCM: an IV of 12 bytes, a tag of 16 bytes.
void soft_gcm(const struct soft_gcm *gcm, const uint8_t *iv, const uint8_t *aad, size_t aad_bytes,
              const uint8_t *in, uint8_t *out, size_t bytes, uint8_t *tag);

// Encrypt a data unit of 16 bytes or more with XTS; `number` has 16 bytes.
void soft_xts(const struct soft_aes *data, const struct soft_aes *tweak, const uint8_t *number,
              const uint8_t *in, uint8_t *out, size_t bytes);

#endif
