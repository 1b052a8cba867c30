"""Tiles as a grid of cells, grouped by IPU and coloured by an amount."""
