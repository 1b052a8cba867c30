"""Everything of a profile as files in a folder."""
