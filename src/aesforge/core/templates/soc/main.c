// {{command}}
// SPDX-License-Identifier: Apache-2.0
//
// The program of the system: a packet of {{mode}} through the core.

#include <stdint.h>

#define CONSOLE ((volatile uint32_t *)0x10000000)
#define AES 0x20000000U

int aes_example(uintptr_t base);
void finish(int result);

static void print(const char *text) {
  while (*text) CONSOLE[0] = (uint8_t)*text++;
}

// Called with what main returns: 0, or the number of an error in aesforge.h.
void finish(int result) {
  CONSOLE[1] = (uint32_t)result;
  for (;;) continue;
}

int main(void) {
  print("{{mode}}: a packet by the AES core\n");
  return aes_example(AES);
}
