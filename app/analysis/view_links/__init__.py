"""Links to a view: a place in a profile as one line of text."""
