"""Trees of any size: nodes are numbers, created when their parent is expanded."""
