"""Things by number, address, line, text and cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import cast, get_args

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.kinds import KINDS
from app.analysis.lookup.hit import LONGEST, Answer, shortened
from app.analysis.lookup.sources import OF_ONE_TABLE, SOURCES, written_so
from app.analysis.tables import by_id
from app.formats.ascend_bin import FORMAT
from app.formats.errors import Cancelled
from app.panels.registry import PANELS
from app.profile.profile import Profile
from app.profile.profile import Target as Machine
from app.profile.selection import Kind
from app.resources import resource
from fakes.shell import bare
from generators.reading import profile_of


@pytest.fixture(scope="module")
def kernel() -> Profile:
    return profile_of(FORMAT, resource("samples/matmul_leakyrelu.bin").read_bytes())


def asked(profile: Profile, source: str, text: str, pause: Callable[[], None] = lambda: None) -> Answer:
    return next(one for one in SOURCES if one.id == source).find(profile, text, pause)


@pytest.mark.parametrize("text", ["tile 17", "Tiles 17", "17", "#17", " tile  17 "])
def test_a_tile_is_meant_by_its_number(text: str) -> None:
    profile = replace(bare(), target=Machine(kind="IPU", tiles=18))
    (hit,) = asked(profile, "number", text).hits
    assert hit.text == "Tile 17"
    assert hit.place().selection is not None
    assert (hit.place().selection.kind, hit.place().selection.indices) == ("tile", (17,))  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["tile 18", "18", "step 0", "tile", "block 1", "17 tiles", "1" * 40])
def test_what_is_not_there_is_not_offered(text: str) -> None:
    profile = replace(bare(), target=Machine(kind="IPU", tiles=18))
    assert asked(profile, "number", text).hits == ()


def test_a_line_of_a_source_by_file_and_number(kernel: Profile) -> None:
    (hit,) = asked(kernel, "line-number", "leaky.cpp:20").hits
    assert (hit.text, hit.target.line, hit.target.panel) == ("matmul_leaky.cpp:20", 20, "source")
    assert len(asked(kernel, "line-number", ":12").hits) == 2
    assert asked(kernel, "line-number", "leaky.cpp:99999").hits == ()
    assert asked(kernel, "line-number", "leaky.cpp:0").hits == ()
    assert asked(kernel, "line-number", "std::vector").hits == ()


def test_the_instruction_at_an_address(kernel: Profile) -> None:
    found = kernel.instructions
    assert found is not None
    row = int(found.by_address[5])
    address = int(found.address[row])
    first = asked(kernel, "address", f"{address:#x}").hits[0]
    assert first.place().selection is not None
    assert first.text.startswith(f"{address:#x}")
    assert asked(kernel, "address", f"{address + 1:#x}").hits[0].text == first.text  # inside of it
    assert asked(kernel, "address", "0x1").hits == ()
    assert asked(kernel, "address", "add").hits == ()


def test_addresses_as_they_are_written() -> None:
    addresses = np.array([0x1A40, 0xA40, 0x41A0, -1, 0xFFFF], np.int64)
    assert written_so(addresses, "1a").tolist() == [True, False, True, False, False]
    assert written_so(addresses, "0x1a").tolist() == [True, False, False, False, False]
    assert written_so(addresses, "0a40").tolist() == [False, False, False, False, False]
    assert written_so(np.array([0x10A40], np.int64), "0a4").tolist() == [True]
    assert not written_so(addresses, "add").any()
    assert not written_so(addresses, "").any()
    brute = [f"{address:x}" for address in range(0x2000)]
    for digits in ("1", "0", "10", "00", "ff0"):
        expected = [digits in text for text in brute] if not digits.isalpha() else [False] * len(brute)
        assert written_so(np.arange(0x2000), digits).tolist() == expected


def test_lines_of_sources_with_their_place(kernel: Profile) -> None:
    answer = asked(kernel, "source-text", "#INCLUDE")
    assert answer.total == len(answer.hits) > 2
    hit = answer.hits[0]
    assert hit.text.startswith("#include")
    assert kernel.sources is not None
    text = kernel.sources.texts[kernel.sources.paths.tolist().index(hit.target.text)]
    assert text.split("\n")[hit.target.line - 1].strip() == hit.text


def test_instructions_by_text_and_address(kernel: Profile) -> None:
    assert all("MULTI" in hit.text for hit in asked(kernel, "instructions", "multi_nd2nz").hits)
    assert asked(kernel, "instructions", "multi_nd2nz").total == 16
    hit = asked(kernel, "instructions", "1124438c").hits[0]
    assert hit.text.startswith("0x1124438c")


def test_files_by_name(kernel: Profile) -> None:
    answer = asked(kernel, "files", "tiling")
    assert [hit.text for hit in answer.hits] == ["matmul_leaky_tiling.h"]
    assert answer.hits[0].target.line == 1


def test_cells_lead_to_rows_that_hold_the_text(kernel: Profile) -> None:
    answer = asked(kernel, "cells", "leaky")
    assert answer.total >= len(answer.hits) > 1
    for hit in answer.hits:
        table = by_id(kernel, hit.target.table)
        assert table is not None
        assert any("leaky" in str(column.value(hit.target.row)).casefold() for column in table.columns)
    whole = asked(kernel, "cells", "core")
    assert max(Counter(hit.target.table for hit in whole.hits).values()) == OF_ONE_TABLE
    assert whole.total > 1000


def test_every_source_takes_its_question_back(kernel: Profile) -> None:
    def stop() -> None:
        raise Cancelled

    for source in ("source-text", "instructions", "files", "cells", "slice"):
        with pytest.raises(Cancelled):
            asked(kernel, source, "a", stop)


def test_long_texts_are_cut_where_the_match_is_seen() -> None:
    text = "x" * 5000 + " needle " + "y" * 5000
    assert len(shortened(text, "NEEDLE")) <= LONGEST + 2
    assert "needle" in shortened(text, "NEEDLE")
    assert shortened("a\n\tb") == "a b"


def test_sources_have_names_of_their_own() -> None:
    assert len({source.id for source in SOURCES}) == len(SOURCES)


def test_every_kind_has_a_place_to_go_to() -> None:
    homes = {kind for spec in PANELS for kind in spec.shows}
    for kind in cast("tuple[Kind, ...]", get_args(Kind)):
        assert kind in homes or KINDS[kind].tables, kind
