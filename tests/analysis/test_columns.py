"""Columns say what they are: sums, places, numbers of things, and the order of a tree follow from it."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.table import Column, Table
from app.analysis.tables import available, specs
from app.analysis.trees import tree_columns
from app.formats import collect, registry
from app.profile.issue import Issue
from app.profile.profile import Origin, Profile
from app.resources import resource

OF_ONE = ("mean", "median", "average", "least", "most", "max ", "maximum", "minimum", "longest", "peak", "alignment")
"""Titles that begin so are of single things, or of the largest."""


def tables() -> list[Table]:
    profiles: list[Profile] = []
    for name in ("resnet-1472-tiles", "matmul_leakyrelu.bin", "resnet_inference.popef"):
        jobs, _ = registry.plan([resource("samples", name)])
        profiles += collect.read(jobs[0].format, jobs[0].paths)
    return [table for profile in profiles for table in available(profile)]


def test_figures_of_one_thing_are_never_added() -> None:
    breakdown = "tile-memory/liveness"  # stacked: the most that each tile needs, over tiles what all need
    every = [(table.id, column) for table in tables() if table.id != breakdown for column in table.columns]
    wrong = {f"{table}: {column.title}" for table, column in every if column.sums and _of_one(column)}
    assert not wrong
    assert sum(column.sums for _, column in every) > 50


def _of_one(column: Column) -> bool:
    return column.title.lower().startswith(OF_ONE)


def test_moments_addresses_and_numbers_of_things_are_never_added() -> None:
    for table in tables():
        for column in table.columns:
            if column.finest or column.key in ("start", "end", "from", "to", "from_time", "to_time"):
                assert column.is_place or not column.numeric, f"{table.id}: {column.key}"
            if column.key in ("tile", "ipu", "program", "compute_set", "exchange", "number") and column.numeric:
                assert column.is_key, f"{table.id}: {column.key}"
            assert not (column.sums and (column.is_place or column.is_key))


@pytest.mark.parametrize(
    ("column", "sums"),
    [
        (Column("a", "A", np.arange(3), "B"), True),
        (Column("a", "A", np.arange(3.0), "µs"), True),
        (Column("a", "A", np.arange(3), "B", adds_up=False), False),
        (Column("a", "A", np.arange(3), "cycles", inclusive=True), False),
        (Column("a", "A", np.arange(3), "cycles", role="place"), False),
        (Column("a", "A", np.arange(3), "B", hexadecimal=True), False),
        (Column("a", "A", np.arange(3.0), "%"), False),
        (Column("a", "A", np.arange(3.0), "GB/s"), False),
        (Column("a", "A", np.arange(3)), False),
        (Column("a", "A", ("x", "y", "z"), "B"), False),
    ],
)
def test_what_adds_up(column: Column, sums: bool) -> None:
    assert column.sums is sums


def test_issues_are_the_last_table_unless_one_is_an_error() -> None:
    profile = Profile(name="p", origin=Origin("x", ())).with_issue(Issue("warning", "a", "b"))
    damaged = profile.with_issue(Issue("error", "a", "b"))
    assert specs(profile)[-1].id == "issues"
    assert specs(profile, damaged)[0].id == "issues"


def test_a_tree_begins_with_the_name_the_first_total_and_the_kind_and_ends_with_numbers() -> None:
    rows = np.arange(3)
    columns = (
        Column("number", "Number", rows, role="key"),
        Column("type", "Type", ("a", "b", "c"), role="kind"),
        Column("name", "Name", ("x", "y", "z"), role="name"),
        Column("cycles", "Cycles", rows, "cycles"),
        Column("total_cycles", "Total cycles", rows, "cycles", inclusive=True),
        Column("code", "Code", rows, "B"),
        Column("total_code", "Total code", rows, "B", inclusive=True),
    )
    order = ["name", "total_cycles", "type", "cycles", "code", "total_code", "number"]
    assert [column.key for column in tree_columns(columns)] == order
