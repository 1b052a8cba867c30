"""Amounts per tile as stacked bars: cost follows the pixels, and no tile is lost between two of them."""
