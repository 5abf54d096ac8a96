"""How cores are proven: the parts one by one, and the whole by a walk of its control."""
