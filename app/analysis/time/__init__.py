"""The model of time: what works, what waits for what, the critical path, what a change would save."""
