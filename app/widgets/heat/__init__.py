"""A matrix as a picture: one cell one colour, and where a pixel stands for many cells, its largest."""
