"""Bytes and cycles of every compute set, vertex type or exchange on every tile."""
