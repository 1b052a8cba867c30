"""Events on the lines and sets of the cache, and the instructions that caused them."""

from __future__ import annotations

from app.language import tr
from app.panels.spec import MakePanel, PanelSpec


def _load() -> MakePanel:
    from app.panels.cache.panel import CachePanel

    return CachePanel


SPEC = PanelSpec(
    "cache",
    tr("Cache"),
    _load,
    ("cache",),
    tr("an Ascend operator file with cache lines (block 0x0E) or cache sets (block 0x0B)"),
    tr(
        "Each cell is a line of the L2 cache, 128 in a row. Click a cell to select it with the instructions "
        "that hit or missed it; Ctrl+wheel zooms."
    ),
    also=("instructions",),
    shows=("cache_line", "cache_hit", "cache_miss", "cache_set"),
    words=("L2", "hit rate", "misses"),
)
