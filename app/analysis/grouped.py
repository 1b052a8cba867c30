"""Tables in which rows stand beneath the row of their group."""

from __future__ import annotations

import numpy as np

from app.analysis.table import Table
from app.profile.arrays import I64, Bool
from app.profile.strings import Strings


class GroupedTable(Table, frozen=True, eq=False, kw_only=True):
    """``parent``: int64[rows], the row of the group that each row stands beneath, -1 for groups and for rows in none;
    ``plain``: the texts that name rows in its column of names, without those that name groups."""

    parent: I64
    plain: Strings

    @property
    def members(self) -> I64:
        """int64[rows]: how many rows stand beneath each; 0 for one that is no group."""
        return np.bincount(self.parent[self.parent >= 0], minlength=self.rows).astype(np.int64)

    def complete(self, chosen: Bool) -> Bool:
        """bool[rows]: ``chosen`` and the groups all of whose rows are."""
        held = np.bincount(self.parent[(self.parent >= 0) & chosen], minlength=self.rows)
        members = self.members
        whole: Bool = chosen | ((members > 0) & (held == members))
        return whole

    def opened(self, rows: I64) -> I64:
        """int64, rising: ``rows`` with those beneath in the place of each group."""
        chosen = np.zeros(self.rows, np.bool_)
        chosen[rows] = True
        inside = self.parent >= 0
        chosen[inside] |= chosen[self.parent[inside]]
        return np.flatnonzero(chosen & (self.members == 0)).astype(np.int64)
