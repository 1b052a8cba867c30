"""Transfers between the memories of a block, in the diagram known from the vendor's tools."""
