"""Figures of timelines: pure functions over their columns, fast for a million slices."""
