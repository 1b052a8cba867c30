"""Exchanges: the data they move and the time they take, on each tile."""
