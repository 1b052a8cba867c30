"""What the rules say about a profile, with evidence."""
