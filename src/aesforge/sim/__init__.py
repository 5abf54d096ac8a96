"""Simulation: the driver of a core, the reference results, and the scoreboard."""
