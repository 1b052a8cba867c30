"""Liveness: the bytes live at each program step, and their peak."""
