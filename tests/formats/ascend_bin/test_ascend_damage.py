"""Whatever is done to a file, only FormatError comes out, and memory stays in proportion."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.analysis.checks.ascend import check
from app.analysis.figures.ascend import figures
from app.analysis.tables import TABLES
from app.formats.ascend_bin import FORMAT
from app.formats.ascend_bin.blocks import HEADER
from app.formats.errors import FormatError
from app.profile.profile import Profile
from generators import ascend_details as details
from generators.ascend_bin import (
    Program,
    block,
    block_parts,
    detail_blocks,
    device_instructions,
    source_blocks,
    trace_block,
)
from generators.ascend_details import Shape
from generators.reading import profiles_of


def _files() -> list[bytes]:
    """Small files that together have every block of every generation."""
    made = []
    for generation, kind in ((1, "vector"), (2, "vector"), (3, "cube")):
        shape = Shape(generation=generation, type=kind, blocks=2)
        blocks = detail_blocks(shape)
        if generation == 3:
            blocks = [part for part in blocks if part[8] != 0x0E]
            blocks += [block(0x0E, details.cache_lines(shape, 4)), block(0x0B, details.cache_sets(shape, 2))]
            blocks.append(block(0x0A, details.memory_accesses(shape, 4)))
        made.append(b"".join(blocks))
    sources = source_blocks(Program(("core0.veccore0", "core0.veccore1"), 12))
    made.append(b"".join(sources[3:]))
    made.append(b"".join(block_parts(0x04, [device_instructions(8)])) + trace_block(30, 1))
    made.append(b"".join(sources[:2]))
    return made


FILES = _files()


def survives(content: bytes) -> None:
    """Reading and everything that is made of it right after gives profiles or a FormatError."""
    try:
        profiles = profiles_of(FORMAT, content)
    except FormatError:
        return
    for profile in profiles:
        examined(profile)


def examined(profile: Profile) -> None:
    assert profile.raw_blocks is not None
    for figure in figures(profile):
        assert figure.name
    for issue in (*profile.issues, *check(profile)):
        assert issue.text
    for spec in TABLES:
        for table in spec.tables(profile):
            assert len({len(column.values) for column in table.columns}) <= 1
            for row in range(min(table.rows, 3)):
                for column in table.columns:
                    column.value(row)


@given(st.sampled_from(FILES), st.data())
@settings(max_examples=250)
def test_flipped_bytes(content: bytes, data: st.DataObject) -> None:
    changed = bytearray(content)
    for _ in range(data.draw(st.integers(1, 6))):
        changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, 255))
    survives(bytes(changed))


@given(st.sampled_from(FILES), st.data())
@settings(max_examples=100)
def test_cut_off_and_repeated_stretches(content: bytes, data: st.DataObject) -> None:
    begin = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(begin, len(content)))
    survives(content[:begin])
    survives(content[:begin] + content[end:])
    survives(content[:end] + content[begin:])


@given(st.sampled_from(FILES), st.data())
@settings(max_examples=150)
def test_changed_headers(content: bytes, data: st.DataObject) -> None:
    """Sizes, types, paddings and versions of any block, the payload's tokens left whole."""
    starts = []
    at = 0
    while at + HEADER.size <= len(content):
        starts.append(at)
        size, kind = HEADER.unpack_from(content, at)[:2]
        at += HEADER.size + size + (4096 if kind == 1 else 0)
    at = data.draw(st.sampled_from(starts))
    size, kind, padding, version, mark = HEADER.unpack_from(content, at)
    size = data.draw(st.sampled_from([0, 1, 3, size - 1, size + 1, size + 4, 2**31, 2**63, 2**64 - 1, size]))
    kind = data.draw(st.sampled_from([*range(17), 0x40, 255, kind]))
    padding = data.draw(st.sampled_from([0, 3, 4, 255, padding]))
    version = data.draw(st.sampled_from([0, 1, version]))
    survives(content[:at] + HEADER.pack(max(size, 0), kind, padding, version, mark) + content[at + HEADER.size :])


TOKENS = (
    b"null",
    b"-1",
    b'"NA"',
    b"1e400",
    b"9999999999999999999999",
    b"[]",
    b"{}",
    b"[[]]",
    b'""',
    b"true",
    b"0.5",
    b"NaN",
)


@given(st.sampled_from(FILES), st.data())
@settings(max_examples=250)
def test_values_replaced_by_other_values(content: bytes, data: st.DataObject) -> None:
    """JSON that stays whole and means something else: the size of its block is put right."""
    blocks = []
    at = 0
    while at + HEADER.size <= len(content):
        size, kind, padding = HEADER.unpack_from(content, at)[:3]
        begin = at + HEADER.size + (4096 if kind == 1 else 0)
        blocks.append((kind, content[begin : begin + size - padding], content[at + 10], content[at + 12 : begin]))
        at = begin + size
    chosen = data.draw(st.integers(0, len(blocks) - 1))
    kind, payload, version, path = blocks[chosen]
    for _ in range(data.draw(st.integers(1, 3))):
        places = [n for n, byte in enumerate(payload) if byte in b":[,"]
        if not places:
            break
        place = data.draw(st.sampled_from(places)) + 1
        end = place
        while end < len(payload) and payload[end] not in b",]}":
            end += 1
        payload = payload[:place] + data.draw(st.sampled_from(TOKENS)) + payload[end:]
    blocks[chosen] = (kind, payload, version, path)
    survives(
        b"".join(
            block(kind, payload, version=version, path=path.split(b"\0")[0].decode())
            for kind, payload, version, path in blocks
        )
    )


@given(st.binary(max_size=300))
@settings(max_examples=100)
def test_random_bytes(content: bytes) -> None:
    survives(content)


@pytest.mark.parametrize("kind", range(1, 16))
def test_random_content_of_every_type(kind: int) -> None:
    rng = np.random.RandomState(kind)
    for size in (1, 4, 8, 40, 4096):
        survives(block(5, b'{"name":"op"}') + block(kind, rng.bytes(size)))


@pytest.mark.parametrize("kind", [2, 3, 4, 5, 6, 8, 0x0E])
def test_deep_nesting(kind: int) -> None:
    for opened in (b"[", b'{"a":', b'{"Files":[', b'{"Instructions":[', b'{"GPR Status":['):
        survives(block(5, b'{"name":"op"}') + block(kind, opened * 100_000))
