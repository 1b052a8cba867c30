"""Trees of any size: nodes are numbers, made when they are opened."""
