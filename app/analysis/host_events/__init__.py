"""Figures of the events that TensorFlow for the IPU logs: pure functions over their columns."""
