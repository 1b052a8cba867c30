"""The compiler's on-chip memory plan of a Triton kernel: what is allocated where, and for how long."""
