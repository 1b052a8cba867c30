"""A matrix as a picture: one colour per cell; a pixel that covers several cells shows the largest."""
