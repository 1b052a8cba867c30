"""Formulas over Ascend operator profiles: pure functions, each with its source."""
