"""Lookup by name, number, text or cell, for "Go to" and "Search everything"."""
