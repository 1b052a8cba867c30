"""What the rows of each table are, for matching them with those of another profile."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from app.analysis.compare.ancestors import Tree
from app.analysis.compare.names import Names
from app.analysis.compare.samples import Samples
from app.analysis.table import Table
from app.profile.profile import Profile

TreeOf: TypeAlias = Callable[[Profile, Table], Tree | None]
SamplesOf: TypeAlias = Callable[[Profile, Table], Samples | None]


class Plan(Struct, frozen=True):
    """Keys of columns; those that one of the tables lacks are not used.

    ``names``: what a row is called (rule 2), ``arguments``: preferred to be the same as well. ``key``: what identifies
    rows without names (rule 1). ``within``: must be the same in every rule, such as the lane of a slice. ``loose``: of
    all these, those whose hashes and numbers never count; ``paths``: those that are paths of files, which may be in
    other folders. ``sequence``: the order of the rows is that in which they
    run, so that they are aligned (rule 3). ``tree``: the rows are a tree (rules 1 and 4), in which ``kinds`` must be
    the same. ``by_row``: rows are identified by their number.
    ``ignored``: what is ignored in names, whatever the setting says. ``lines``: the rows are lines of texts, which this
    column has. ``contents``: rows without a partner are matched if their stored content is the same.

    ``repeats``: columns that tell repetitions of the same work apart (blocks, cores), whose spread is noise.
    ``samples``: the single measurements that a row sums up.
    """

    key: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    sequence: bool = False
    tree: TreeOf | None = None
    kinds: tuple[str, ...] = ()
    by_row: bool = False
    ignored: Names | None = None
    lines: str = ""
    contents: bool = False
    repeats: tuple[str, ...] = ()
    samples: SamplesOf | None = None
