"""Steps of a run by name: a flame graph, and figures of the range."""
