"""Tiles as a grid of cells, IPU by IPU, coloured by an amount."""
