"""Which pictures and tables are on the page, in this order."""

from __future__ import annotations

from typing import Final

CHARTS: Final = (
    *("timeline", "flame", "tile-memory-by-category", "tile-memory", "liveness", "tile-cycles", "tile-time"),
    *("roofline", "block-durations", "pipe-utilisation", "memory-paths", "core-load-cycles", "stall-reasons"),
    *("cache-lines", "model", "blobs", "tensor-map", "onchip", "scaling-throughput"),
)
MOST_CHARTS: Final = 8

TABLES: Final = (
    *("steps-by-compute-set", "step-types", "programs", "memory-by-category", "compute-sets", "vertex-types"),
    *("exchanges", "live-variables", "tiles", "slice-statistics", "lanes", "block-details", "source-lines"),
    *("instructions", "workload", "core-load", "memory-paths", "memory-blocks", "roofline", "stall-reasons"),
    *("blobs", "executables", "anchors", "tensors", "feeds", "metadata", "options", "modules", "transfers", "events"),
    *("onchip-memories", "onchip-blocks", "mapped-tensors", "mapped-types"),
)
MOST_ROWS: Final = 100
"""Of each table: the largest by its first column that adds up, else the first."""
