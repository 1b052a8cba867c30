"""A comparison as tables: totals, what explains them, other changes, what was matched, what cannot be compared."""
