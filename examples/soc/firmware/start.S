// SPDX-License-Identifier: Apache-2.0
//
// From reset to main. The memory is loaded whole, so there is nothing to copy or to clear.

  .section .start, "ax"
  .global _start
_start:
  la sp, _stack_top
  // The linker would make this a copy of gp to itself.
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  call main
  call finish

// irq_wait: the instruction `waitirq a0` of PicoRV32, which stops until an interrupt is pending.
  .text
  .global irq_wait
irq_wait:
  .word 0x0800450b
  ret
