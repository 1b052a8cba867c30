"""How evenly the cores were loaded: a card per core, a tile per sub-core."""
