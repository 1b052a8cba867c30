"""Column tables on screen: an item model over an analysis Table, its view, and both with a filter bar."""
