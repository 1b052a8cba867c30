"""Source code in tables, highlighted incrementally so that the window stays responsive."""
