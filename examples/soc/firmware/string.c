// SPDX-License-Identifier: Apache-2.0

#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
  unsigned char *out = to;
  const unsigned char *in = from;
  while (bytes--) *out++ = *in++;
  return to;
}

void *memset(void *to, int value, size_t bytes) {
  unsigned char *out = to;
  while (bytes--) *out++ = (unsigned char)value;
  return to;
}
