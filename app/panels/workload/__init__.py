"""What the compute units of each block did: their utilization, and by which kinds of work."""
