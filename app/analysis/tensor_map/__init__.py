"""Figures of tensor maps: pure functions over their columns."""
