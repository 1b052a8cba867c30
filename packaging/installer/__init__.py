"""Makes the packages that users install: a bundle with its own Python and Qt, and packages of it."""
