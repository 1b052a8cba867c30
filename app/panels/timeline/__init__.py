"""The timeline: what ran when, on which lane."""

SOURCE = "timeline"
"""Of what is selected in the panel, and the key of its saved views."""
