"""Every memory access in order: which addresses an operator touches, and when."""
