"""Tensors by tile: a map of all tensors, bars of one tensor, and the tensors on a tile."""
