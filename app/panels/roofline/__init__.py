"""Rooflines: how close an operator comes to the limits of bandwidth and compute of its chip."""
