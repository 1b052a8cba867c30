"""What differs between the shown profile and its baseline, and what explains it."""
