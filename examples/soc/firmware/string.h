// SPDX-License-Identifier: Apache-2.0
//
// The part of the standard header that the program and the compiler's own calls need.

#ifndef STRING_H
#define STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memset(void *to, int value, size_t bytes);

#endif
