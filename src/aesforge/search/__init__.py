"""The searches that S-boxes come from."""
