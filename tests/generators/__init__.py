"""Seeded makers of profiles: every number in them follows from the seed and the scale."""
