"""Whatever a reader could make of a damaged PopEF file, figures, tables, checks and links cope with it."""

from __future__ import annotations

from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from app.analysis.checks import check
from app.analysis.figures import figures
from app.analysis.relations import translate
from app.analysis.tables import available
from app.formats import popef as format_
from app.formats.collect import Collector
from app.formats.errors import FormatError
from app.profile.selection import Kind, Selection
from generators import popef
from generators.memory_source import MemorySource

BASE = b"".join([*popef.guide_blobs(), popef.feed("user_input", (2,), 3, 3), popef.metadata(popef.many_anchors(3))])
KINDS: tuple[Kind, ...] = tuple(kind for kind in get_args(Kind) if kind in ("blob", "anchor", "tensor"))


@settings(max_examples=150)
@given(st.lists(st.tuples(st.integers(0, len(BASE) - 1), st.binary(min_size=1, max_size=8)), min_size=1, max_size=5))
def test_nothing_that_was_read_upsets_the_analysis(edits: list[tuple[int, bytes]]) -> None:
    content = bytearray(BASE)
    for at, value in edits:
        content[at : at + len(value)] = value
    sink = Collector("popef")
    try:
        format_.FORMAT.read([MemorySource(bytes(content))], sink)
    except FormatError:
        return
    (profile,) = sink.profiles
    assert {figure.name for figure in figures(profile)} >= {"popef.blobs", "popef.tensor_bytes"}
    assert all(issue.where.startswith("memory: blob ") for issue in check(profile))
    for table in available(profile):
        assert {len(column.values) for column in table.columns} == {table.rows}
        assert all(column.value(table.rows - 1) != "" or column.key for column in table.columns)
    for start in KINDS:
        for end in KINDS:
            assert (translate(profile, Selection(start, (0, 1)), end) >= 0).all()
