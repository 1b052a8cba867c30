"""Makes what people install: a bundle with its own Python and Qt, and the packages around it."""
