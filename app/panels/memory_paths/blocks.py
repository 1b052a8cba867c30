"""The blocks that can be chosen, and the tables of each. No Qt."""

from __future__ import annotations

from app.analysis.ascend.diagram.figures import block_names
from app.analysis.table import Table
from app.analysis.tables.ascend_memory import memory_blocks, memory_paths, memory_tables
from app.profile.profile import Profile


def names_of(profile: Profile | None) -> list[str]:
    """What blocks there are, by the diagram's entries or else by the tables."""
    if profile is None:
        return []
    if profile.memory_paths is not None:
        return list(block_names(profile.memory_paths))
    return [f"Block {name}" for name in _table_blocks(profile)]


def _table_blocks(profile: Profile) -> list[str]:
    found = profile.memory_tables
    return [] if found is None else [found.strings.get(code) for code in found.block_name.tolist()]


def tables_of(profile: Profile, entry: int) -> list[Table]:
    """The tables of a block: its paths, cache and units of all blocks, and its memory tables."""
    found = profile.memory_paths
    if entry < 0:
        return []
    if found is None:
        return list(memory_tables(profile, _table_blocks(profile)[entry]))
    own = found.strings.get(int(found.blocks.block[entry]))
    made = (memory_paths(profile, entry), memory_blocks(profile), *memory_tables(profile, own))
    return [table for table in made if table is not None]


def same_table(title: str, titles: list[str]) -> int:
    """The table of the same name in another block."""
    own = title.split(", block ")[0]
    return next((place for place, other in enumerate(titles) if other.split(", block ")[0] == own), 0 if titles else -1)
