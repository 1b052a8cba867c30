"""What the panels of operators show of two profiles: each function takes both and returns columns; no Qt."""
