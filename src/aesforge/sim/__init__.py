"""What a simulated core is driven by and compared with."""
