"""What was measured: the operator, its chip, and the duration of each block."""
