// {{command}}
// SPDX-License-Identifier: Apache-2.0
//
// A packet of {{mode}} through the driver.{{data}} It ends with AESFORGE_OK, or an error.

#include "aesforge.h"

{{arrays}}

int {{function}}(uintptr_t base);

// Processes the packet by the core at the address `base`.
int {{function}}(uintptr_t base) {
  struct aesforge aes;
  int result = aesforge_open(&aes, base);
  if (result == AESFORGE_OK) result = {{set_key}};
  if (result != AESFORGE_OK) return result;{{out}}
  struct aesforge_packet packet = {
{{fields}}
  };{{tag}}
  result = aesforge_run(&aes, &packet);
  if (result != AESFORGE_OK) return result;
{{checks}}
  return AESFORGE_OK;
}
