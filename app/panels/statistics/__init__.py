"""Tables of a timeline, and a flame graph of its nested slices."""
