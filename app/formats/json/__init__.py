"""Untrusted JSON: split, decoded and repaired in pieces of bounded size."""
