"""Tilesight: a profile viewer for accelerators made of many small cores."""

__version__ = "0.1.0"
