"""Columns of heavy files, cached from one run to the next."""
