"""SQL over the tables of the profile."""
