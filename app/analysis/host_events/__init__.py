"""Formulas over the events that TensorFlow for the IPU logs: pure functions of their columns."""
