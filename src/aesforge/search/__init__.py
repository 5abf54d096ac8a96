"""Searches for S-boxes."""
