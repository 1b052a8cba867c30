"""Vertex types: their memory and cycles, and how well they use the threads."""
