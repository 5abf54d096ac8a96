// SPDX-License-Identifier: Apache-2.0
//
// Processes the packets in memory, each by one path, and prints results and clocks.
//
// soc.py writes the packets behind the program, and compares what this prints with OpenSSL:
//   packet NUMBER RESULT KEY_CLOCKS PACKET_CLOCKS STACK OUTPUT TAG
// STACK is the number of words of the key that are left on the stack by loading it.

#include <string.h>

#include "aesforge.h"
#include "soft_aes.h"

#define PACKETS ((const uint32_t *)0x10000)
#define CONSOLE ((volatile uint32_t *)0x10000000)
#define AES 0x20000000U
#define DMA ((volatile uint32_t *)0x20001000)
#define OUTPUT_BYTES 4096U

// Words of the stack that the driver's frames may take, and that keep them apart from others.
#define SEARCHED 384
#define DISTANCE 64

// The words of a packet; AAD and payload follow, each padded to whole words.
struct request {
  uint32_t mode, path, decrypt, key_bytes, iv_bytes, aad_bytes, in_bytes, tag_bytes;
  uint8_t key[32], tweak_key[32], iv[16], tag[16];
};

enum path { SOFTWARE, REGISTERS, INTERRUPTS, STREAM };

struct clocks {
  uint32_t key, packet, stack;
};

void finish(void);
uint32_t irq_wait(void);

static uint8_t output[OUTPUT_BYTES] __attribute__((aligned(4)));

// Console -------------------------------------------------------------------------------------

static void print(const char *text) {
  while (*text) CONSOLE[0] = (uint8_t)*text++;
}

static void print_number(uint32_t value) {
  char digits[11] = {0};
  unsigned at = sizeof digits - 1;
  do {
    digits[--at] = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  print(digits + at);
  print(" ");
}

// Whole words; the reader cuts them.
static void print_bytes(const uint8_t *bytes, size_t count) {
  if (!count) print("-");
  for (size_t k = 0; k < count; k += 4) {
    uint32_t word;
    memcpy(&word, bytes + k, sizeof word);
    CONSOLE[2] = word;
  }
}

void finish(void) {
  CONSOLE[1] = 1;
  for (;;) continue;
}

static size_t padded(size_t bytes) { return (bytes + 3) & ~(size_t)3; }

// Clocks and stack ----------------------------------------------------------------------------

static uint32_t now(void) {
  uint32_t clocks;
  __asm__ volatile("rdcycle %0" : "=r"(clocks));
  return clocks;
}

// The end of the free part of the stack: what is below it may hold anything.
static uint32_t *stack_end(void) {
  uint32_t *end;
  __asm__ volatile("mv %0, sp" : "=r"(end));
  return end;
}

__attribute__((noinline)) static void wipe_stack(void) {
  volatile uint32_t *const end = stack_end();
  for (volatile uint32_t *at = end - SEARCHED; at < end; at++) *at = 0;
}

// Words of a key in the free part of the stack.
__attribute__((noinline)) static uint32_t left_on_stack(const struct request *request) {
  uint32_t found = 0;
  const volatile uint32_t *const end = stack_end();
  for (const volatile uint32_t *at = end - SEARCHED; at < end; at++)
    for (unsigned k = 0; k < request->key_bytes / 4; k++)
      found += *at == ((const uint32_t *)(const void *)request->key)[k];
  return found;
}

// Paths ---------------------------------------------------------------------------------------

static int by_software(const struct request *request, struct aesforge_packet *packet,
                       struct clocks *clocks) {
  static struct soft_gcm gcm;
  static struct soft_aes aes, tweak;
  uint32_t start = now();
  if (packet->mode == AESFORGE_GCM)
    soft_gcm_key(&gcm, request->key, request->key_bytes);
  else
    soft_aes_key(&aes, request->key, request->key_bytes);
  if (packet->mode == AESFORGE_XTS) soft_aes_key(&tweak, request->tweak_key, request->key_bytes);
  clocks->key = now() - start;
  start = now();
  switch (packet->mode) {
    case AESFORGE_GCM:
      soft_gcm(&gcm, packet->iv, packet->aad, packet->aad_bytes, packet->in, packet->out,
               packet->in_bytes, packet->tag);
      break;
    case AESFORGE_CTR:
      soft_ctr(&aes, packet->iv, packet->in, packet->out, packet->in_bytes);
      break;
    case AESFORGE_XTS:
      soft_xts(&aes, &tweak, packet->iv, packet->in, packet->out, packet->in_bytes);
      break;
    default: return AESFORGE_E_MODE;
  }
  clocks->packet = now() - start;
  packet->out_bytes = packet->in_bytes;
  return packet->decrypt && packet->mode != AESFORGE_CTR ? AESFORGE_E_MODE : AESFORGE_OK;
}

static int run_by_interrupts(struct aesforge *aes, struct aesforge_packet *packet) {
  aesforge_interrupts(aes, true);
  int result = aesforge_start(aes, packet);
  if (result == AESFORGE_OK) result = aesforge_poll(aes, packet);
  while (result == AESFORGE_BUSY) {
    irq_wait();
    result = aesforge_poll(aes, packet);
  }
  aesforge_interrupts(aes, false);
  return result;
}

// Let the engine send a segment to the stream port of the core.
static void send(const uint8_t *bytes, size_t count, uint32_t kind, bool last) {
  enum { SOURCE, SEGMENT, KIND = 16, LAST = 18 };
  DMA[SOURCE] = (uint32_t)bytes;
  DMA[SEGMENT] = (uint32_t)count | kind << KIND | (uint32_t)last << LAST;
  while (DMA[SEGMENT]) continue;
}

// The data passes the stream port; the driver does the rest. The tag is behind the payload.
static int run_by_stream(struct aesforge *aes, struct aesforge_packet *packet) {
  enum { DEST = 2, AAD = 1, PAYLOAD, TAG };
  DMA[DEST] = (uint32_t)packet->out;
  int result = aesforge_start(aes, packet);
  if (result != AESFORGE_OK) return result;
  const bool tag = packet->decrypt && packet->tag_bytes;
  // A segment without bytes is no beat, but for a packet without any.
  if (packet->aad_bytes) send(packet->aad, packet->aad_bytes, AAD, false);
  if (packet->in_bytes || !tag) send(packet->in, packet->in_bytes, PAYLOAD, !tag);
  if (tag) send(packet->tag, packet->tag_bytes, TAG, true);
  do result = aesforge_poll(aes, packet);
  while (result == AESFORGE_BUSY);
  if (result != AESFORGE_OK) return result;
  packet->out_bytes = packet->in_bytes;
  if (!packet->decrypt)
    memcpy(packet->tag, packet->out + padded(packet->in_bytes), packet->tag_bytes);
  return result;
}

// The frames of the driver are lower than any other function's that looks for them afterwards.
__attribute__((noinline)) static int load_key(struct aesforge *aes, const struct request *request) {
  volatile uint32_t distance[DISTANCE];
  distance[0] = 0;
  const int result = request->mode == AESFORGE_XTS
                         ? aesforge_set_xts_keys(aes, request->key, request->tweak_key,
                                                 request->key_bytes)
                         : aesforge_set_key(aes, request->key, request->key_bytes);
  return result + (int)distance[0];
}

static int by_core(struct aesforge *aes, const struct request *request,
                   struct aesforge_packet *packet, struct clocks *clocks) {
  wipe_stack();
  uint32_t start = now();
  int result = load_key(aes, request);
  clocks->key = now() - start;
  clocks->stack = left_on_stack(request);
  if (result != AESFORGE_OK) return result;
  start = now();
  switch (request->path) {
    case INTERRUPTS: result = run_by_interrupts(aes, packet); break;
    case STREAM: result = run_by_stream(aes, packet); break;
    default: result = aesforge_run(aes, packet);
  }
  clocks->packet = now() - start;
  return result;
}

// Packets -------------------------------------------------------------------------------------

static const uint8_t *process(struct aesforge *aes, uint32_t number, const uint8_t *at) {
  const struct request *request = (const struct request *)(const void *)at;
  const uint8_t *aad = at + sizeof *request, *in = aad + padded(request->aad_bytes);
  struct aesforge_packet packet = {
      .mode = (enum aesforge_mode)request->mode,
      .decrypt = request->decrypt,
      .iv = request->iv,
      .iv_bytes = request->iv_bytes,
      .aad = aad,
      .aad_bytes = request->aad_bytes,
      .in = in,
      .in_bytes = request->in_bytes,
      .out = output,
      .out_capacity = sizeof output,
      .tag_bytes = request->tag_bytes,
  };
  memcpy(packet.tag, request->tag, sizeof packet.tag);
  struct clocks clocks = {0};
  const int result = request->path == SOFTWARE ? by_software(request, &packet, &clocks)
                                               : by_core(aes, request, &packet, &clocks);
  print("packet ");
  print_number(number);
  if (result < 0) print("-");
  print_number((uint32_t)(result < 0 ? -result : result));
  print_number(clocks.key);
  print_number(clocks.packet);
  print_number(clocks.stack);
  print_bytes(packet.out, packet.out_bytes);
  print(" ");
  print_bytes(packet.tag, request->decrypt || result ? 0 : packet.tag_bytes);
  print("\n");
  return in + padded(request->in_bytes);
}

int main(void) {
  struct aesforge aes;
  const int opened = aesforge_open(&aes, AES);
  if (opened != AESFORGE_OK) print("no AES core: only software works\n");
  soft_aes_tables();
  const uint8_t *at = (const uint8_t *)(PACKETS + 1);
  for (uint32_t number = 0; number < *PACKETS; number++) at = process(&aes, number, at);
  return 0;
}
