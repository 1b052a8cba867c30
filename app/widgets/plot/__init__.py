"""Amounts per tile as stacked bars: the cost depends on the number of pixels, and no tile is lost between two of
them."""
