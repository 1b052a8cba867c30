"""What Poplar profiles mean: balances, runs, peaks, and how their parts belong together."""
