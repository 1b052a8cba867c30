"""How full each tile is, and which contents fill it."""
