"""One module per command: what it does, whichever tools it takes."""
