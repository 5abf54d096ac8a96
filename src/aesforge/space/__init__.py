"""What there is to choose: axes, promises, presets and targets."""
