"""One thin module per external tool: arguments out, parsed report in."""
