"""Events on the lines and sets of the cache, and the instructions that caused them."""
