// SPDX-License-Identifier: Apache-2.0

#include "soft_aes.h"

#include <string.h>

static uint8_t sbox[256];
static uint32_t columns[4][256];  // MixColumns of an S-box output in each of the four rows
static uint32_t reduction[16];    // what four bits that leave a hash on the right add on the left

static uint32_t load(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

static void store(uint8_t *bytes, uint32_t word) {
  for (unsigned k = 0; k < 4; k++) bytes[k] = (uint8_t)(word >> (8 * k));
}

static uint32_t swapped(uint32_t word) {
  return word >> 24 | (word >> 8 & 0xff00U) | (word << 8 & 0xff0000U) | word << 24;
}

static uint8_t doubled(uint8_t byte) { return (uint8_t)(byte << 1 ^ (byte & 0x80 ? 0x1b : 0)); }

static uint8_t rotated(uint8_t byte, unsigned bits) {
  return (uint8_t)(byte << bits | byte >> (8 - bits));
}

// Multiply by x in the bit order of GCM (SP 800-38D, 6.3).
static void hash_shift(uint32_t *z) {
  const uint32_t carry = z[3] & 1 ? 0xe1000000U : 0;
  for (unsigned k = SOFT_AES_WORDS - 1; k > 0; k--) z[k] = z[k] >> 1 | z[k - 1] << 31;
  z[0] = z[0] >> 1 ^ carry;
}

void soft_aes_tables(void) {
  // 3 generates the multiplicative group: power runs through it, inverse against it.
  uint8_t power = 1, inverse = 1;
  for (unsigned k = 0; k < 255; k++) {
    sbox[power] = (uint8_t)(inverse ^ rotated(inverse, 1) ^ rotated(inverse, 2) ^
                            rotated(inverse, 3) ^ rotated(inverse, 4) ^ 0x63);
    power ^= doubled(power);
    // Division by 3: times 0xf6.
    inverse ^= (uint8_t)(inverse << 1);
    inverse ^= (uint8_t)(inverse << 2);
    inverse ^= (uint8_t)(inverse << 4);
    inverse ^= (uint8_t)(inverse & 0x80 ? 0x09 : 0);
  }
  sbox[0] = 0x63;
  for (unsigned k = 0; k < 256; k++) {
    const uint8_t s = sbox[k], s2 = doubled(s);
    uint32_t column = (uint32_t)s2 | (uint32_t)s << 8 | (uint32_t)s << 16 | (uint32_t)(s ^ s2) << 24;
    for (unsigned row = 0; row < 4; row++) {
      columns[row][k] = column;
      column = column << 8 | column >> 24;
    }
  }
  for (unsigned k = 0; k < 16; k++) {
    uint32_t z[SOFT_AES_WORDS] = {0, 0, 0, k};
    for (unsigned bit = 0; bit < 4; bit++) hash_shift(z);
    reduction[k] = z[0];
  }
}

// The words of keys and states have the first byte in the low byte.
static uint32_t substituted(uint32_t word) {
  return (uint32_t)sbox[word & 0xff] | (uint32_t)sbox[word >> 8 & 0xff] << 8 |
         (uint32_t)sbox[word >> 16 & 0xff] << 16 | (uint32_t)sbox[word >> 24] << 24;
}

void soft_aes_key(struct soft_aes *aes, const uint8_t *key, size_t bytes) {
  const unsigned words = (unsigned)bytes / 4;
  aes->rounds = words + 6;
  for (unsigned k = 0; k < words; k++) aes->round_keys[k] = load(key + 4 * (size_t)k);
  uint8_t constant = 1;
  unsigned phase = 0;
  for (unsigned k = words; k < 4 * (aes->rounds + 1); k++) {
    uint32_t word = aes->round_keys[k - 1];
    if (phase == 0) {
      word = substituted(word >> 8 | word << 24) ^ constant;
      constant = doubled(constant);
    } else if (words == 8 && phase == 4) {
      word = substituted(word);
    }
    aes->round_keys[k] = aes->round_keys[k - words] ^ word;
    phase = phase + 1 == words ? 0 : phase + 1;
  }
}

static uint32_t round_column(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return columns[0][a & 0xff] ^ columns[1][b >> 8 & 0xff] ^ columns[2][c >> 16 & 0xff] ^
         columns[3][d >> 24];
}

static uint32_t last_column(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return (uint32_t)sbox[a & 0xff] | (uint32_t)sbox[b >> 8 & 0xff] << 8 |
         (uint32_t)sbox[c >> 16 & 0xff] << 16 | (uint32_t)sbox[d >> 24] << 24;
}

static void encrypt(const struct soft_aes *aes, const uint32_t *in, uint32_t *out) {
  const uint32_t *key = aes->round_keys;
  uint32_t a = in[0] ^ key[0], b = in[1] ^ key[1], c = in[2] ^ key[2], d = in[3] ^ key[3];
  for (unsigned round = 1; round < aes->rounds; round++) {
    key += 4;
    const uint32_t e = round_column(a, b, c, d) ^ key[0], f = round_column(b, c, d, a) ^ key[1];
    const uint32_t g = round_column(c, d, a, b) ^ key[2], h = round_column(d, a, b, c) ^ key[3];
    a = e;
    b = f;
    c = g;
    d = h;
  }
  key += 4;
  out[0] = last_column(a, b, c, d) ^ key[0];
  out[1] = last_column(b, c, d, a) ^ key[1];
  out[2] = last_column(c, d, a, b) ^ key[2];
  out[3] = last_column(d, a, b, c) ^ key[3];
}

static void load_block(uint32_t *words, const uint8_t *bytes) {
  for (unsigned k = 0; k < SOFT_AES_WORDS; k++) words[k] = load(bytes + 4 * (size_t)k);
}

// Add up to 16 bytes to a mask.
static void add(uint8_t *out, const uint8_t *in, const uint32_t *mask, size_t bytes) {
  if (bytes == SOFT_AES_BLOCK) {
    for (unsigned k = 0; k < SOFT_AES_WORDS; k++)
      store(out + 4 * (size_t)k, load(in + 4 * (size_t)k) ^ mask[k]);
    return;
  }
  for (size_t k = 0; k < bytes; k++) out[k] = (uint8_t)(in[k] ^ mask[k / 4] >> (8 * (k % 4)));
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// Counter -------------------------------------------------------------------------------------

// `words` of the counter, from the right, are incremented.
static void count(uint32_t *counter, unsigned words) {
  for (unsigned k = SOFT_AES_WORDS; k > SOFT_AES_WORDS - words; k--) {
    const uint32_t next = swapped(counter[k - 1]) + 1;
    counter[k - 1] = swapped(next);
    if (next) return;
  }
}

static void count_through(const struct soft_aes *aes, uint32_t *counter, unsigned words,
                          const uint8_t *in, uint8_t *out, size_t bytes) {
  for (size_t at = 0; at < bytes; at += SOFT_AES_BLOCK) {
    uint32_t mask[SOFT_AES_WORDS];
    encrypt(aes, counter, mask);
    add(out + at, in + at, mask, least(SOFT_AES_BLOCK, bytes - at));
    count(counter, words);
  }
}

void soft_ctr(const struct soft_aes *aes, const uint8_t *iv, const uint8_t *in, uint8_t *out,
              size_t bytes) {
  uint32_t counter[SOFT_AES_WORDS];
  load_block(counter, iv);
  count_through(aes, counter, SOFT_AES_WORDS, in, out, bytes);
}

// GCM -----------------------------------------------------------------------------------------

void soft_gcm_key(struct soft_gcm *gcm, const uint8_t *key, size_t bytes) {
  soft_aes_key(&gcm->aes, key, bytes);
  uint32_t hash[SOFT_AES_WORDS] = {0};
  encrypt(&gcm->aes, hash, hash);
  for (unsigned k = 0; k < SOFT_AES_WORDS; k++) hash[k] = swapped(hash[k]);
  memset(gcm->hash, 0, sizeof gcm->hash);
  // The leftmost bit of four has the weight 1, the next one x.
  for (unsigned bit = 8; bit > 0; bit >>= 1) {
    for (unsigned k = 0; k < SOFT_AES_WORDS; k++) gcm->hash[bit][k] = hash[k];
    hash_shift(hash);
  }
  for (unsigned sum = 1; sum < 16; sum++) {
    const unsigned low = sum & (0U - sum);
    if (sum != low)
      for (unsigned k = 0; k < SOFT_AES_WORDS; k++)
        gcm->hash[sum][k] = gcm->hash[low][k] ^ gcm->hash[sum - low][k];
  }
}

// Four bits at a time, the last ones first.
static void multiply(const struct soft_gcm *gcm, uint32_t *hash) {
  uint32_t a = 0, b = 0, c = 0, d = 0;
  for (unsigned k = SOFT_AES_WORDS; k > 0; k--) {
    uint32_t word = hash[k - 1];
    for (unsigned nibble = 0; nibble < 8; nibble++) {
      const uint32_t left = reduction[d & 15], *product = gcm->hash[word & 15];
      d = (d >> 4 | c << 28) ^ product[3];
      c = (c >> 4 | b << 28) ^ product[2];
      b = (b >> 4 | a << 28) ^ product[1];
      a = (a >> 4) ^ left ^ product[0];
      word >>= 4;
    }
  }
  hash[0] = a;
  hash[1] = b;
  hash[2] = c;
  hash[3] = d;
}

static void absorb(const struct soft_gcm *gcm, uint32_t *hash, const uint8_t *in, size_t bytes) {
  for (size_t at = 0; at < bytes; at += SOFT_AES_BLOCK) {
    const size_t here = least(SOFT_AES_BLOCK, bytes - at);
    uint8_t padded[SOFT_AES_BLOCK] = {0};
    const uint8_t *block = in + at;
    if (here < SOFT_AES_BLOCK) block = memcpy(padded, in + at, here);
    for (unsigned k = 0; k < SOFT_AES_WORDS; k++) hash[k] ^= swapped(load(block + 4 * (size_t)k));
    multiply(gcm, hash);
  }
}

void soft_gcm(const struct soft_gcm *gcm, const uint8_t *iv, const uint8_t *aad, size_t aad_bytes,
              const uint8_t *in, uint8_t *out, size_t bytes, uint8_t *tag) {
  uint32_t counter[SOFT_AES_WORDS] = {load(iv), load(iv + 4), load(iv + 8), swapped(1)};
  uint32_t mask[SOFT_AES_WORDS], hash[SOFT_AES_WORDS] = {0};
  encrypt(&gcm->aes, counter, mask);
  count(counter, 1);
  count_through(&gcm->aes, counter, 1, in, out, bytes);
  absorb(gcm, hash, aad, aad_bytes);
  absorb(gcm, hash, out, bytes);
  hash[1] ^= (uint32_t)aad_bytes << 3;
  hash[3] ^= (uint32_t)bytes << 3;
  multiply(gcm, hash);
  for (unsigned k = 0; k < SOFT_AES_WORDS; k++)
    store(tag + 4 * (size_t)k, swapped(hash[k]) ^ mask[k]);
}

// XTS -----------------------------------------------------------------------------------------

// Times alpha (IEEE 1619, 5.2).
static void next_tweak(uint32_t *tweak) {
  const uint32_t carry = tweak[3] >> 31 ? 0x87 : 0;
  for (unsigned k = SOFT_AES_WORDS - 1; k > 0; k--) tweak[k] = tweak[k] << 1 | tweak[k - 1] >> 31;
  tweak[0] = tweak[0] << 1 ^ carry;
}

static void xts_block(const struct soft_aes *aes, const uint32_t *tweak, const uint8_t *in,
                      uint8_t *out) {
  uint32_t block[SOFT_AES_WORDS];
  load_block(block, in);
  for (unsigned k = 0; k < SOFT_AES_WORDS; k++) block[k] ^= tweak[k];
  encrypt(aes, block, block);
  for (unsigned k = 0; k < SOFT_AES_WORDS; k++) store(out + 4 * (size_t)k, block[k] ^ tweak[k]);
}

void soft_xts(const struct soft_aes *data, const struct soft_aes *tweak, const uint8_t *number,
              const uint8_t *in, uint8_t *out, size_t bytes) {
  uint32_t t[SOFT_AES_WORDS];
  load_block(t, number);
  encrypt(tweak, t, t);
  const size_t partial = bytes % SOFT_AES_BLOCK, whole = bytes - partial;
  for (size_t at = 0; at < whole; at += SOFT_AES_BLOCK) {
    xts_block(data, t, in + at, out + at);
    next_tweak(t);
  }
  if (partial) {
    // Ciphertext stealing (IEEE 1619, 5.3.2): the partial block takes the end of the block before.
    uint8_t last[SOFT_AES_BLOCK], *before = out + whole - SOFT_AES_BLOCK;
    memcpy(last, before, sizeof last);
    memcpy(last, in + whole, partial);
    memcpy(out + whole, before, partial);
    xts_block(data, t, last, before);
  }
}
