// SPDX-License-Identifier: Apache-2.0
//
// Processes a packet of CTR and one of GCM by the core, and says on the UART how that ended.
//
// litex_aes.py generates the two packets with their results, and defines the addresses.

#include <stdint.h>

#define WORD_AT(ADDRESS) (*(volatile uint32_t *)(uintptr_t)(ADDRESS))
#define UART_RXTX WORD_AT(UART_BASE)
#define UART_TXFULL WORD_AT(UART_BASE + 4)

int aes_example_ctr(uintptr_t base);
int aes_example_gcm(uintptr_t base);
void finish(void);

static void print(const char *text) {
  for (; *text; text++) {
    while (UART_TXFULL) continue;
    UART_RXTX = (uint8_t)*text;
  }
}

static int report(const char *name, int result) {
  print(name);
  print(result ? " FAIL\n" : " PASS\n");
  return result;
}

void finish(void) {
  WORD_AT(END_BASE) = 1;
  for (;;) continue;
}

int main(void) {
  const int ctr = report("ctr", aes_example_ctr(AES_BASE));
  const int gcm = report("gcm", aes_example_gcm(AES_BASE));
  return ctr | gcm;
}
