"""The selectable blocks, and the tables of all of them."""

from __future__ import annotations

from app.analysis.ascend.diagram.figures import block_names
from app.analysis.table import Table
from app.analysis.tables.ascend_memory import (
    PREFIX,
    block_number,
    memory_blocks,
    memory_paths,
    memory_table,
    memory_table_titles,
    memory_tables,
)
from app.language import tr
from app.profile.profile import Profile


def names_of(profile: Profile | None) -> list[str]:
    """Names of the blocks, from the diagram's entries or else from the tables."""
    if profile is None:
        return []
    if profile.memory_paths is not None:
        return list(block_names(profile.memory_paths))
    return [tr("Block {name}", name=name) for name in _blocks(profile)]


def numbers_of(profile: Profile) -> list[int]:
    """Numbers of these blocks; -1 for a mean of several."""
    return [block_number(name) for name in _blocks(profile)]


def tables_of(profile: Profile) -> list[Table]:
    """The memory tables, the caches and units, and the paths of all blocks."""
    made = (*memory_tables(profile), memory_blocks(profile), memory_paths(profile))
    return [table for table in made if table is not None]


def titles_of(profile: Profile) -> dict[str, str]:
    """The titles of these tables by their ids."""
    further = (table for table in (memory_blocks(profile), memory_paths(profile)) if table is not None)
    return {**memory_table_titles(profile), **{table.id: table.title for table in further}}


def table_of(profile: Profile, table_id: str) -> Table | None:
    """The one of these tables with that id."""
    if table_id.startswith(PREFIX):
        return memory_table(profile, table_id)
    return next(
        (table for table in (memory_blocks(profile), memory_paths(profile)) if table and table.id == table_id), None
    )


def paths_of_block(profile: Profile, entry: int) -> Table | None:
    """The paths of one block, by its place among the blocks."""
    return None if entry < 0 else memory_paths(profile, entry)


def _blocks(profile: Profile) -> list[str]:
    """Names of the diagram's blocks, or else of the tables' blocks."""
    paths, tables = profile.memory_paths, profile.memory_tables
    if paths is not None:
        return [paths.strings.get(code) for code in paths.blocks.block.tolist()]
    return [] if tables is None else [tables.strings.get(code) for code in tables.block_name.tolist()]
