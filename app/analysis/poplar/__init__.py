"""Analyses of Poplar profiles: balances, runs, peaks, and relations between their parts."""
