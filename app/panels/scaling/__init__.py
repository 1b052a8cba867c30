"""Throughput against replicas, from typed numbers or those of a run: what limits it, and what would improve it."""
