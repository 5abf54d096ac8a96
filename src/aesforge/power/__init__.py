"""Toggles of a mapped core."""
