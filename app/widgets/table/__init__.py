"""Column tables on screen: one item model over an analysis Table, its view, and both with a filter line."""
