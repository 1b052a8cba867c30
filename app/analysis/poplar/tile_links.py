"""Links between tiles and what is on them: compute sets, vertex types, exchanges, programs and steps, and the variables
and categories in their memory."""

from __future__ import annotations

import numpy as np

from app.analysis.poplar import links
from app.analysis.poplar.links import NONE, known, where
from app.analysis.poplar.numbers import BLOCK_CELLS, blocks
from app.analysis.poplar.tile_variables import rows_on
from app.analysis.poplar.trees import descendants
from app.profile.arrays import I64, Array, Integers, distinct, union
from app.profile.poplar import EXCHANGE_KINDS, TOTAL_BYTES, Categories
from app.profile.profile import Profile

FIRST_COLUMNS = 256


def compute_set_tiles(profile: Profile, sets: I64) -> I64:
    """Tiles with bytes of the compute sets, else tiles that spend cycles in them."""
    return _columns_above_zero(_set_matrix(profile), sets)


def tile_compute_sets(profile: Profile, tiles: I64) -> I64:
    return _rows_above_zero(_set_matrix(profile), tiles)


def vertex_type_tiles(profile: Profile, types: I64) -> I64:
    matrices = profile.vertex_type_bytes
    return _columns_above_zero(matrices.matrices.get(TOTAL_BYTES) if matrices else None, types)


def exchange_tiles(profile: Profile, exchanges: I64) -> I64:
    """Tiles that send or receive in the exchanges."""
    tiles = [links.NONE]
    for kind in EXCHANGE_KINDS if profile.exchanges is not None else ():
        own = profile.exchanges.of(kind) if profile.exchanges else None
        if own is not None and profile.exchanges is not None:
            rows = exchanges - profile.exchanges.first(kind)
            tiles += [_columns_above_zero(matrix, rows) for matrix in (own.sent, own.received)]
    return distinct(np.concatenate(tiles))


def tile_exchanges(profile: Profile, tiles: I64) -> I64:
    """Exchanges in which the tiles send or receive."""
    numbers = [links.NONE]
    for kind in EXCHANGE_KINDS if profile.exchanges is not None else ():
        own = profile.exchanges.of(kind) if profile.exchanges else None
        if own is not None and profile.exchanges is not None:
            first = profile.exchanges.first(kind)
            numbers += [_rows_above_zero(matrix, tiles) + first for matrix in (own.sent, own.received)]
    return distinct(np.concatenate(numbers))


def program_tiles(profile: Profile, programs: I64) -> I64:
    """Tiles of the compute sets and exchanges that the programs, or any below them, run."""
    own = profile.programs
    if own is None:
        return links.NONE
    below = descendants(own, programs)
    return _tiles(profile, own.compute_set[below], links.exchange_numbers(profile, own)[below])


def step_tiles(profile: Profile, steps: I64) -> I64:
    """Tiles of the compute sets and exchanges that the steps ran."""
    return _tiles(profile, links.step_compute_sets(profile, steps), links.step_exchanges(profile, steps))


def tile_programs(profile: Profile, tiles: I64) -> I64:
    """Programs that run a compute set or an exchange of the tiles."""
    of_sets = links.compute_set_programs(profile, tile_compute_sets(profile, tiles))
    return union(of_sets, links.exchange_programs(profile, tile_exchanges(profile, tiles))).astype(np.int64)


def tile_steps(profile: Profile, tiles: I64) -> I64:
    """Steps that ran a compute set or an exchange of the tiles."""
    of_sets = links.compute_set_steps(profile, tile_compute_sets(profile, tiles))
    return union(of_sets, links.exchange_steps(profile, tile_exchanges(profile, tiles))).astype(np.int64)


def _tiles(profile: Profile, sets: Array, exchanges: Array) -> I64:
    of_sets = compute_set_tiles(profile, links.known(sets))
    return union(of_sets, exchange_tiles(profile, links.known(exchanges))).astype(np.int64)


def _set_matrix(profile: Profile) -> Integers | None:
    """A matrix [compute sets, tiles] that is above zero where the set is."""
    if profile.compute_set_bytes is not None and TOTAL_BYTES in profile.compute_set_bytes.matrices:
        return profile.compute_set_bytes.matrices[TOTAL_BYTES]
    if profile.compute_sets is not None and profile.compute_sets.cycles is not None:
        return profile.compute_sets.cycles
    return profile.measured_cycles.compute_sets if profile.measured_cycles is not None else None


def _columns_above_zero(matrix: Integers | None, rows: I64) -> I64:
    if matrix is None:
        return links.NONE
    rows = rows[(rows >= 0) & (rows < len(matrix))]
    above = np.zeros(matrix.shape[1], np.bool_)
    for part in blocks(len(rows), matrix.shape[1]):
        above |= np.any(matrix[rows[part]] > 0, axis=0)
        if above.all():  # early exit: a whole program usually covers every tile
            break
    return links.where(above)


def _rows_above_zero(matrix: Integers | None, columns: I64) -> I64:
    if matrix is None:
        return links.NONE
    columns = columns[(columns >= 0) & (columns < matrix.shape[1])]
    left, at = np.arange(len(matrix)), 0
    step = max(1, min(FIRST_COLUMNS, BLOCK_CELLS // max(len(matrix), 1)))
    while len(left) and at < len(columns):
        part = columns[at : at + step]
        whole = len(part) == part[-1] - part[0] + 1 and np.all(np.diff(part) == 1)
        cells = matrix[left, part[0] : part[-1] + 1] if whole else matrix[np.ix_(left, part)]
        left = left[~np.any(cells > 0, axis=1)]  # most rows match in their first columns
        at, step = at + step, max(1, BLOCK_CELLS // max(len(left), 1))
    above = np.ones(len(matrix), np.bool_)
    above[left] = False
    return links.where(above)


def variable_tiles(profile: Profile, variables: I64) -> I64:
    """The tiles of the variables."""
    table = profile.variables
    if table is None:
        return NONE
    return known(table.tile[variables[(variables >= 0) & (variables < len(table))]])


def tile_variables(profile: Profile, tiles: I64) -> I64:
    return NONE if profile.variables is None else np.sort(rows_on(profile.variables, tiles)[0])


def category_tiles(profile: Profile, categories: I64) -> I64:
    """The tiles that have bytes of the categories, overlapping or not."""
    table = _categories(profile)
    if table is None:
        return NONE
    return where(np.any(table.bytes[np.isin(table.category, categories)] > 0, axis=0))


def tile_categories(profile: Profile, tiles: I64) -> I64:
    table = _categories(profile)
    if table is None:
        return NONE
    inside = tiles[(tiles >= 0) & (tiles < table.bytes.shape[1])]
    return known(table.category[np.any(table.bytes[:, inside] > 0, axis=1)])


def _categories(profile: Profile) -> Categories | None:
    return profile.tile_memory.categories if profile.tile_memory is not None else None
