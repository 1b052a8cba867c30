"""Columns of heavy files, kept from one run to the next."""
