"""What a core is: its ports, its sources, its model and its bundle."""
