// SPDX-License-Identifier: Apache-2.0

#include "aesforge.h"

#include "aes_registers.h"

#define BLOCK 16U
#define WORD 4U
#define WORDS(COUNT) ((uintptr_t)WORD * (COUNT))
#define AT(REGISTER) AES_REGISTERS__##REGISTER##_offset
#define BITS(FIELD) AES_REGISTERS__##FIELD##_bm
#define SHIFTED(FIELD, VALUE) ((uint32_t)(VALUE) << AES_REGISTERS__##FIELD##_bp)
#define FIELD_OF(WORD_, FIELD) (((WORD_)&BITS(FIELD)) >> AES_REGISTERS__##FIELD##_bp)

// Registers -----------------------------------------------------------------------------------

#ifdef AESFORGE_OWN_BUS
// For buses that are not in the address space: the program defines these two functions.
extern uint32_t aesforge_read(uintptr_t address);
extern void aesforge_write(uintptr_t address, uint32_t word);
#else
static inline uint32_t aesforge_read(uintptr_t address) {
  return *(const volatile uint32_t *)address;
}

static inline void aesforge_write(uintptr_t address, uint32_t word) {
  *(volatile uint32_t *)address = word;
}
#endif

static uint32_t get(const struct aesforge *aes, unsigned offset) {
  return aesforge_read(aes->base + offset);
}

static void put(const struct aesforge *aes, unsigned offset, uint32_t word) {
  aesforge_write(aes->base + offset, word);
}

// Whether words of the memory are words of the registers, which have the first byte in the low one.
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
typedef uint32_t __attribute__((__may_alias__)) memory_word;
#define WHOLE_WORDS(POINTER) (((uintptr_t)(POINTER)) % WORD == 0)
#else
typedef uint32_t memory_word;
#define WHOLE_WORDS(POINTER) false
#endif

// Up to four bytes as a word; bytes that are missing are zero.
static uint32_t word_of(const uint8_t *bytes, size_t count) {
  uint32_t word = 0;
  for (size_t k = 0; k < count; k++) word |= (uint32_t)bytes[k] << (8 * k);
  return word;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// Whether the data of packets passes a stream port.
static bool streams(const struct aesforge *aes) { return aes->core & BITS(CAP_CORE__STREAM); }

// Write bytes to consecutive registers, `words` of them; what is missing is zero.
static void put_bytes(const struct aesforge *aes, unsigned offset, const uint8_t *bytes,
                      size_t count, unsigned words) {
  for (unsigned k = 0; k < words; k++) {
    const size_t here = least(WORD, count);
    put(aes, offset + WORD * k, word_of(bytes, here));
    bytes = here ? bytes + here : bytes;
    count -= here;
  }
}

static void wipe(uint8_t *bytes, size_t count) {
  volatile uint8_t *at = bytes;
  for (size_t k = 0; k < count; k++) at[k] = 0;
}

// What modes take -----------------------------------------------------------------------------

// Lengths of tags: bit n for n bytes (SP 800-38D, 5.2.1.2; SP 800-38C, A.1; RFC 8452).
enum { TAGS_ANY = 0x1fffe, TAGS_GCM = 0x1f110, TAGS_CCM = 0x15550, TAGS_SIV = 0x10000 };

// The most of an IV that has no limit.
enum { ANY_IV = UINT8_MAX };

// Lengths in bytes: of the IV, of the unit of a payload, of the shortest payload, of tags.
struct rule {
  uint8_t iv_least, iv_most, unit, payload_least;
  uint32_t tags;
  bool aad, mac, wraps;
};

static const struct rule rules[] = {
    [AESFORGE_ECB] = {0, 0, 16, 16, 0, false, false, false},
    [AESFORGE_CBC] = {16, 16, 16, 16, 0, false, false, false},
    [AESFORGE_CTR] = {16, 16, 1, 0, 0, false, false, false},
    [AESFORGE_OFB] = {16, 16, 1, 0, 0, false, false, false},
    [AESFORGE_CFB128] = {16, 16, 1, 0, 0, false, false, false},
    [AESFORGE_CFB8] = {16, 16, 1, 0, 0, false, false, false},
    [AESFORGE_CFB1] = {16, 16, 1, 0, 0, false, false, false},
    [AESFORGE_CBC_CS1] = {16, 16, 1, 16, 0, false, false, false},
    [AESFORGE_CBC_CS2] = {16, 16, 1, 16, 0, false, false, false},
    [AESFORGE_CBC_CS3] = {16, 16, 1, 16, 0, false, false, false},
    [AESFORGE_CMAC] = {0, 0, 1, 0, TAGS_ANY, false, true, false},
    [AESFORGE_GCM] = {1, ANY_IV, 1, 0, TAGS_GCM, true, false, false},
    [AESFORGE_GMAC] = {1, ANY_IV, 1, 0, TAGS_GCM, false, true, false},
    [AESFORGE_XTS] = {16, 16, 1, 16, 0, false, false, false},
    [AESFORGE_CCM] = {7, 13, 1, 0, TAGS_CCM, true, false, false},
    [AESFORGE_KW] = {0, 0, 8, 16, 0, false, false, true},
    [AESFORGE_KWP] = {0, 0, 1, 1, 0, false, false, true},
    [AESFORGE_GCM_SIV] = {12, 12, 1, 0, TAGS_SIV, true, false, false},
};

#define RULES (sizeof rules / sizeof rules[0])
#define SEMIBLOCK ((size_t)8)

static const struct rule *rule_of(const struct aesforge_packet *packet) {
  return &rules[packet->mode];
}

// GCM and GMAC take an IV of any other length than this as data.
static bool iv_is_data(const struct aesforge_packet *packet) {
  return (packet->mode == AESFORGE_GCM || packet->mode == AESFORGE_GMAC) && packet->iv_bytes != 12;
}

size_t aesforge_out_bytes(const struct aesforge_packet *packet) {
  const struct rule *rule = rule_of(packet);
  if (rule->mac) return 0;
  if (!rule->wraps) return packet->in_bytes;
  if (packet->decrypt) return packet->in_bytes < SEMIBLOCK ? 0 : packet->in_bytes - SEMIBLOCK;
  return (packet->in_bytes + 2 * SEMIBLOCK - 1) / SEMIBLOCK * SEMIBLOCK;
}

static bool wraps_payload(const struct aesforge *aes, const struct aesforge_packet *packet) {
  // A wrapped packet has an integrity value more, and is whole semiblocks.
  const size_t integrity = packet->decrypt ? SEMIBLOCK : 0;
  const bool padded = packet->decrypt && packet->mode == AESFORGE_KWP;
  const size_t unit = padded ? SEMIBLOCK : rule_of(packet)->unit;
  const size_t fewest = padded ? SEMIBLOCK : rule_of(packet)->payload_least;
  const size_t most = SEMIBLOCK << FIELD_OF(aes->limits, CAP_LIMITS__WRAP_LOG2);
  if (packet->in_bytes < integrity) return false;
  const size_t bytes = packet->in_bytes - integrity;
  return bytes >= fewest && bytes <= most && bytes % unit == 0;
}

// The most payload of CCM, whose length field has what the nonce leaves of 15 bytes (SP 800-38C,
// A.1), of XTS (SP 800-38E), and of GCM-SIV, which the core keeps in a memory.
static bool is_short_enough(const struct aesforge *aes, const struct aesforge_packet *packet) {
  if (packet->mode == AESFORGE_XTS) return packet->in_bytes <= (size_t)BLOCK << 20;
  if (packet->mode == AESFORGE_GCM_SIV)
    return packet->in_bytes <= (size_t)1 << FIELD_OF(aes->limits, CAP_LIMITS__SIV_LOG2);
  if (packet->mode != AESFORGE_CCM) return true;
  const size_t field = least(BLOCK - 1 - packet->iv_bytes, WORD);
  return packet->in_bytes <= UINT32_MAX >> (8 * (WORD - field)) && packet->aad_bytes <= UINT32_MAX;
}

static bool takes_payload(const struct aesforge *aes, const struct aesforge_packet *packet) {
  const struct rule *rule = rule_of(packet);
  if (rule->wraps) return wraps_payload(aes, packet);
  if (packet->in_bytes % rule->unit != 0 || packet->in_bytes < rule->payload_least ||
      !is_short_enough(aes, packet))
    return false;
  // GCM-SIV has a memory of its own.
  const bool held = (aes->core & BITS(CAP_CORE__HOLD)) && packet->decrypt && rule->aad &&
                    packet->mode != AESFORGE_GCM_SIV;
  return !held || packet->in_bytes <= (size_t)1 << FIELD_OF(aes->limits, CAP_LIMITS__HOLD_LOG2);
}

static bool takes_lengths(const struct aesforge *aes, const struct aesforge_packet *packet) {
  const struct rule *rule = rule_of(packet);
  if (packet->iv_bytes < rule->iv_least) return false;
  if (packet->iv_bytes > rule->iv_most && rule->iv_most != ANY_IV) return false;
  if (packet->aad_bytes && !rule->aad) return false;
  if (rule->tags ? packet->tag_bytes > BLOCK || !(rule->tags >> packet->tag_bytes & 1)
                 : packet->tag_bytes != 0)
    return false;
  if (!takes_payload(aes, packet)) return false;
  // The data of a core with a stream port has no buffer here.
  return streams(aes) || packet->out_capacity >= aesforge_out_bytes(packet);
}

// Device --------------------------------------------------------------------------------------

int aesforge_open(struct aesforge *aes, uintptr_t base) {
  *aes = (struct aesforge){.base = base};
  if (get(aes, AT(ID)) != AES_REGISTERS__ID__VALUE_reset) return AESFORGE_E_ID;
  aes->core = get(aes, AT(CAP_CORE));
  if (FIELD_OF(get(aes, AT(VERSION)), VERSION__MAJOR) != AES_REGISTERS__VERSION__MAJOR_reset ||
      FIELD_OF(aes->core, CAP_CORE__BLOCK_BYTES) != BLOCK)
    return AESFORGE_E_VERSION;
  aes->encrypts = get(aes, AT(CAP_ENCRYPT));
  aes->decrypts = get(aes, AT(CAP_DECRYPT));
  aes->limits = get(aes, AT(CAP_LIMITS));
  return AESFORGE_OK;
}

bool aesforge_has(const struct aesforge *aes, enum aesforge_mode mode, bool decrypt) {
  const uint32_t modes = decrypt ? aes->decrypts : aes->encrypts;
  return (unsigned)mode < RULES && (modes >> mode & 1);
}

// Clear errors and tell whether there were any.
static int errors_of(const struct aesforge *aes) {
  const uint32_t errors = get(aes, AT(ERRORS));
  if (!errors) return AESFORGE_OK;
  put(aes, AT(ERRORS), errors);
  return AESFORGE_E_HARDWARE;
}

static void await(const struct aesforge *aes, uint32_t busy) {
  while (get(aes, AT(STATUS)) & busy) {
  }
}

static int load_keys(struct aesforge *aes, const uint8_t *key, const uint8_t *tweak_key,
                     size_t bytes) {
  const uint32_t lengths[] = {BITS(CAP_CORE__KEY_128), BITS(CAP_CORE__KEY_192),
                              BITS(CAP_CORE__KEY_256)};
  if (bytes % 8 != 0 || bytes < 16 || bytes > 32 || !(aes->core & lengths[bytes / 8 - 2]))
    return AESFORGE_E_KEY;
  if (get(aes, AT(STATUS)) & BITS(STATUS__OPEN)) return AESFORGE_E_STATE;
  await(aes, BITS(STATUS__KEY_BUSY) | BITS(STATUS__START_BUSY));
  aes->key_len = SHIFTED(CTRL__KEY_LEN, bytes / 8 - 2);
  put(aes, AT(CTRL), aes->key_len);
  const unsigned words = (unsigned)(bytes / WORD);
  put_bytes(aes, AT(KEY), key, bytes, words);
  if (tweak_key) put_bytes(aes, AT(KEY_TWEAK), tweak_key, bytes, words);
  // The same calls again, to a register that the next packet sets: what a compiler keeps of a word
  // in registers or on the stack is overwritten.
  const uint8_t zeros[BLOCK] = {0};
  put_bytes(aes, AT(IV), zeros, BLOCK, BLOCK / WORD);
  put(aes, AT(COMMAND), BITS(COMMAND__LOAD_KEY));
  aes->keys = tweak_key ? 2 : 1;
  return errors_of(aes);
}

int aesforge_set_key(struct aesforge *aes, const uint8_t *key, size_t bytes) {
  return load_keys(aes, key, NULL, bytes);
}

int aesforge_set_xts_keys(struct aesforge *aes, const uint8_t *key, const uint8_t *tweak_key,
                          size_t bytes) {
  if (!(aes->core & BITS(CAP_CORE__TWO_KEYS)) || bytes == 24) return AESFORGE_E_KEY;
  return load_keys(aes, key, tweak_key, bytes);
}

int aesforge_set_sideloaded_key(struct aesforge *aes) {
  if (!(aes->core & BITS(CAP_CORE__SIDELOAD))) return AESFORGE_E_KEY;
  if (get(aes, AT(STATUS)) & BITS(STATUS__OPEN)) return AESFORGE_E_STATE;
  await(aes, BITS(STATUS__KEY_BUSY) | BITS(STATUS__START_BUSY));
  if (!(get(aes, AT(STATUS)) & BITS(STATUS__SIDE_VALID))) return AESFORGE_E_KEY;
  put(aes, AT(CTRL), BITS(CTRL__SIDELOAD));
  put(aes, AT(COMMAND), BITS(COMMAND__LOAD_KEY));
  await(aes, BITS(STATUS__KEY_BUSY));
  // A key of a length that the core lacks is not taken, and the one before stays.
  if (errors_of(aes) != AESFORGE_OK) return AESFORGE_E_KEY;
  aes->key_len = BITS(CTRL__SIDELOAD);
  aes->keys = (aes->core & BITS(CAP_CORE__TWO_KEYS)) ? 2 : 1;
  return AESFORGE_OK;
}

void aesforge_wipe(struct aesforge *aes) {
  put(aes, AT(COMMAND), BITS(COMMAND__WIPE));
  aes->keys = 0;
}

// Packets -------------------------------------------------------------------------------------

enum { SEGMENT_IV, SEGMENT_AAD, SEGMENT_PAYLOAD, SEGMENT_TAG };  // BEAT.KIND
enum { KIND_FAILED, KIND_VERIFIED, KIND_PAYLOAD, KIND_TAG };     // STATUS.OUT_KIND

static size_t segment_bytes(const struct aesforge_packet *packet, unsigned segment) {
  switch (segment) {
    case SEGMENT_IV: return iv_is_data(packet) ? packet->iv_bytes : 0;
    case SEGMENT_AAD: return packet->aad_bytes;
    case SEGMENT_PAYLOAD: return packet->in_bytes;
    default: return packet->decrypt ? packet->tag_bytes : 0;
  }
}

static const uint8_t *segment_data(const struct aesforge_packet *packet, unsigned segment) {
  switch (segment) {
    case SEGMENT_IV: return packet->iv;
    case SEGMENT_AAD: return packet->aad;
    case SEGMENT_PAYLOAD: return packet->in;
    default: return packet->tag;
  }
}

static void begin(struct aesforge_packet *packet) {
  packet->out_bytes = 0;
  packet->progress.at = 0;
  packet->progress.left = 0;
  for (unsigned k = SEGMENT_IV; k <= SEGMENT_TAG; k++)
    packet->progress.left += segment_bytes(packet, k);
  // A packet without data is one beat of payload.
  packet->progress.segment = packet->progress.left ? SEGMENT_IV : SEGMENT_PAYLOAD;
  packet->progress.beat = UINT32_MAX;
  packet->progress.sent = false;
}

// The events of the last beat of a packet.
#define ENDED (BITS(INTR_STATE__DONE) | BITS(INTR_STATE__FAILED))

// XTS has two keys; neither it nor GCM-SIV has keys of 192 bits.
static bool has_key(const struct aesforge *aes, enum aesforge_mode mode) {
  if (mode == AESFORGE_GCM_SIV && aes->key_len == SHIFTED(CTRL__KEY_LEN, 1)) return false;
  return aes->keys >= (mode == AESFORGE_XTS ? 2 : 1);
}

int aesforge_start(struct aesforge *aes, struct aesforge_packet *packet) {
  if (!aesforge_has(aes, packet->mode, packet->decrypt)) return AESFORGE_E_MODE;
  if (!has_key(aes, packet->mode)) return AESFORGE_E_KEY;
  if (!takes_lengths(aes, packet)) return AESFORGE_E_LENGTH;
  if (get(aes, AT(STATUS)) & BITS(STATUS__OPEN)) return AESFORGE_E_STATE;
  await(aes, BITS(STATUS__KEY_BUSY) | BITS(STATUS__START_BUSY));
  begin(packet);
  if (streams(aes)) put(aes, AT(INTR_STATE), ENDED);
  const bool ccm = packet->mode == AESFORGE_CCM;
  put(aes, AT(CTRL),
      aes->key_len | SHIFTED(CTRL__MODE, packet->mode) | SHIFTED(CTRL__DECRYPT, packet->decrypt) |
          SHIFTED(CTRL__TAG_BYTES, packet->tag_bytes) |
          (ccm ? SHIFTED(CTRL__IV_BYTES, packet->iv_bytes) : 0));
  if (packet->iv_bytes && !iv_is_data(packet))
    put_bytes(aes, AT(IV), packet->iv, packet->iv_bytes, BLOCK / WORD);
  if (ccm) {
    put(aes, AT(AAD_BYTES), (uint32_t)packet->aad_bytes);
    put(aes, AT(PAYLOAD_BYTES), (uint32_t)packet->in_bytes);
  }
  put(aes, AT(COMMAND), BITS(COMMAND__START));
  return errors_of(aes);
}

static void put_block(const struct aesforge *aes, const uint8_t *bytes, size_t count) {
  if (count == BLOCK && WHOLE_WORDS(bytes)) {
    const memory_word *words = (const memory_word *)(const void *)bytes;
    const uintptr_t data = aes->base + AT(DATA_IN);
    aesforge_write(data, words[0]);
    aesforge_write(data + WORDS(1), words[1]);
    aesforge_write(data + WORDS(2), words[2]);
    aesforge_write(data + WORDS(3), words[3]);
  } else {
    put_bytes(aes, AT(DATA_IN), bytes, count, BLOCK / WORD);
  }
}

static void send(const struct aesforge *aes, struct aesforge_packet *packet) {
  unsigned segment = packet->progress.segment;
  size_t bytes = segment_bytes(packet, segment);
  while (segment < SEGMENT_TAG && packet->progress.left && packet->progress.at == bytes) {
    bytes = segment_bytes(packet, ++segment);
    packet->progress.segment = (uint8_t)segment;
    packet->progress.at = 0;
  }
  const size_t here = least(BLOCK, bytes - packet->progress.at);
  packet->progress.left -= here;
  packet->progress.sent = packet->progress.left == 0;
  const uint32_t beat = SHIFTED(BEAT__BYTES, here) | SHIFTED(BEAT__KIND, segment) |
                        SHIFTED(BEAT__LAST, packet->progress.sent);
  if (beat != packet->progress.beat) put(aes, AT(BEAT), beat);
  packet->progress.beat = beat;
  const uint8_t *data = segment_data(packet, segment);
  put_block(aes, here ? data + packet->progress.at : data, here);
  packet->progress.at += here;
}

// Read all words of a beat, which takes it.
static void get_block(const struct aesforge *aes, uint8_t *bytes, size_t count) {
  if (count == BLOCK && WHOLE_WORDS(bytes)) {
    memory_word *words = (memory_word *)(void *)bytes;
    const uintptr_t data = aes->base + AT(DATA_OUT);
    words[0] = aesforge_read(data);
    words[1] = aesforge_read(data + WORDS(1));
    words[2] = aesforge_read(data + WORDS(2));
    words[3] = aesforge_read(data + WORDS(3));
    return;
  }
  for (unsigned k = 0; k < BLOCK / WORD; k++) {
    uint32_t word = get(aes, AT(DATA_OUT) + WORD * k);
    for (size_t at = (size_t)WORD * k; at < count && at < (size_t)WORD * (k + 1); at++) {
      bytes[at] = (uint8_t)word;
      word >>= 8;
    }
  }
}

// What a packet returns when its last beat, of this kind, has been taken.
static int finish(const struct aesforge *aes, struct aesforge_packet *packet, uint32_t kind) {
  if (aes->interrupts) put(aes, AT(INTR_ENABLE), 0);
  int result = errors_of(aes);
  if (kind == KIND_FAILED) result = AESFORGE_E_FAILED;
  if (result != AESFORGE_OK) {
    wipe(packet->out, packet->out_bytes);
    packet->out_bytes = 0;
  }
  return result;
}

static int take(const struct aesforge *aes, struct aesforge_packet *packet, uint32_t status) {
  const uint32_t kind = FIELD_OF(status, STATUS__OUT_KIND);
  const size_t count = FIELD_OF(status, STATUS__OUT_BYTES);
  const bool last = status & BITS(STATUS__OUT_LAST);
  if (kind == KIND_PAYLOAD && count <= packet->out_capacity - packet->out_bytes) {
    get_block(aes, count ? packet->out + packet->out_bytes : packet->out, count);
    packet->out_bytes += count;
  } else if (kind == KIND_TAG && !packet->decrypt && count <= sizeof packet->tag) {
    get_block(aes, packet->tag, count);
  } else {
    get_block(aes, packet->tag, 0);
  }
  return last ? finish(aes, packet, kind) : AESFORGE_BUSY;
}

// The data passes the stream port: nothing is left but to wait for its last beat.
static int poll_stream(const struct aesforge *aes, struct aesforge_packet *packet) {
  const uint32_t events = get(aes, AT(INTR_STATE));
  if (events & BITS(INTR_STATE__DONE)) {
    put(aes, AT(INTR_STATE), ENDED);
    return finish(aes, packet, (events & BITS(INTR_STATE__FAILED)) ? KIND_FAILED : KIND_VERIFIED);
  }
  if (aes->interrupts) put(aes, AT(INTR_ENABLE), BITS(INTR_ENABLE__DONE));
  return AESFORGE_BUSY;
}

int aesforge_poll(struct aesforge *aes, struct aesforge_packet *packet) {
  if (streams(aes)) return poll_stream(aes, packet);
  for (;;) {
    const uint32_t status = get(aes, AT(STATUS));
    const bool sends = !packet->progress.sent && (status & BITS(STATUS__IN_READY));
    if (sends) send(aes, packet);
    if (status & BITS(STATUS__OUT_VALID)) {
      const int result = take(aes, packet, status);
      if (result != AESFORGE_BUSY) return result;
    } else if (!sends) {
      break;
    }
  }
  if (aes->interrupts)
    put(aes, AT(INTR_ENABLE),
        BITS(INTR_ENABLE__OUT_VALID) |
            (packet->progress.sent ? 0 : BITS(INTR_ENABLE__IN_READY)));
  return AESFORGE_BUSY;
}

static int poll_to_end(struct aesforge *aes, struct aesforge_packet *packet) {
  int result = AESFORGE_BUSY;
  while (result == AESFORGE_BUSY) result = aesforge_poll(aes, packet);
  return result;
}

int aesforge_run(struct aesforge *aes, struct aesforge_packet *packet) {
  const int result = aesforge_start(aes, packet);
  return result == AESFORGE_OK ? poll_to_end(aes, packet) : result;
}

int aesforge_abort(struct aesforge *aes, struct aesforge_packet *packet) {
  if (packet->progress.sent) return AESFORGE_E_STATE;
  put(aes, AT(COMMAND), BITS(COMMAND__ABORT));
  // The last beat may have passed a stream port: then the packet ends without the abort.
  if (streams(aes) && errors_of(aes) != AESFORGE_OK) return AESFORGE_E_STATE;
  packet->progress.sent = true;
  const int result = poll_to_end(aes, packet);
  return result == AESFORGE_E_FAILED ? AESFORGE_OK : result;
}

void aesforge_interrupts(struct aesforge *aes, bool on) {
  aes->interrupts = on;
  if (!on) put(aes, AT(INTR_ENABLE), 0);
}
