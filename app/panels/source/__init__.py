"""Cycles by source line, and by the instructions compiled from it."""
