"""Links between tiles and the variables and categories in their memory."""

from __future__ import annotations

import numpy as np

from app.analysis.poplar.links import NONE, known, where
from app.analysis.poplar.tile_variables import rows_on
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.tile_memory import Categories


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
