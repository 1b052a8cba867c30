"""Whatever stands in a PopEF file: reading values, bytes and listings ends in values or in FormatError."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.analysis.popef.anchors import elements_per_call
from app.analysis.popef.dump import Sections, details, listing
from app.analysis.popef.magics import HEAD, recognised
from app.analysis.popef.values import first_slice
from app.formats import popef as format_
from app.formats.collect import Collector
from app.formats.errors import FormatError
from app.formats.source import Source
from app.profile.profile import Profile
from app.store.payload import payload_of, read_bytes, read_slice, summarise, tensor_of
from app.store.token import Token
from generators import popef

WHOLE = b"".join([*popef.guide_blobs(), popef.feed("user_input", (2, 3), 2, 3, bytes(range(36)))])
START = len(b"".join(popef.guide_blobs()[:2]))
"""Most bytes of the metadata are names; mutations go where sizes, shapes and types are."""


def opened(path: Path) -> Profile | None:
    sink = Collector("popef")
    try:
        with Source(path) as source:
            format_.FORMAT.read([source], sink)
    except FormatError:
        return None
    return sink.profiles[0]


def look_at_everything(profile: Profile) -> int:
    """Lines of the listing, after all that panels do with a profile."""
    model, blobs = profile.model, profile.blobs
    assert model is not None
    assert blobs is not None
    elements_per_call(model)
    for row in range(len(model.tensors)):
        for number in (0, 2):
            tensor = tensor_of(profile, row, number)
            if tensor is not None and tensor.elements:
                read_slice(tensor, first_slice(tensor.shape).limited(), Token())
                summarise(tensor, Token())
    for blob in range(len(blobs)):
        payload = payload_of(profile, blob)
        if payload is not None:
            recognised(read_bytes(payload, 0, HEAD), payload.size)
    return len([*listing(profile, Sections.all()), *listing(profile, Sections()), *details(profile)])


@settings(max_examples=150)
@given(
    st.lists(
        st.tuples(
            st.integers(START, len(WHOLE) - 1),
            st.one_of(st.sampled_from([0, 1, 0x7F, 0x80, 0xFF]), st.integers(0, 255)),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_changed_bytes_are_survived(tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int]]) -> None:
    content = bytearray(WHOLE)
    for place, byte in changes:
        content[place] = byte
    path = tmp_path_factory.getbasetemp() / "changed.popef"
    path.write_bytes(content)
    profile = opened(path)
    assert profile is None or look_at_everything(profile) > 0


@settings(max_examples=40)
@given(st.integers(0, len(WHOLE)), st.integers(0, 64))
def test_a_file_that_shrinks_after_it_was_read(
    tmp_path_factory: pytest.TempPathFactory, length: int, more: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "shrunk.popef"
    path.write_bytes(WHOLE)
    profile = opened(path)
    assert profile is not None
    path.write_bytes(WHOLE[:length] + bytes(more))
    try:
        assert look_at_everything(profile) > 0
    except FormatError as error:
        assert "has changed" in str(error)  # noqa: PT017
