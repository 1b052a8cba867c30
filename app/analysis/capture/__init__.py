"""Whole Ascend captures: training steps, kernels and collectives of the ranks of a run (Ascend captures, section 5)."""
