"""AES hardware cores to order: readable SystemVerilog, built, proven and measured."""
