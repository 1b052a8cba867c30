"""What the checks say of PopEF models that do not add up, and that they are silent about those that do."""

from __future__ import annotations

import pytest

from app.analysis.checks import check
from app.formats import popef as format_
from app.formats.collect import Collector
from generators import popef, popef_network
from generators.memory_source import MemorySource


def findings(*blobs: bytes) -> list[str]:
    sink = Collector("popef")
    format_.FORMAT.read([MemorySource(b"".join(blobs), "a.popef")], sink)
    (profile,) = sink.profiles
    return [f"{issue.severity} {issue.where}: {issue.text}" for issue in check(profile)]


@pytest.mark.parametrize(
    "blobs",
    [popef.guide_blobs(), popef_network.blobs(), popef.many_anchor_blobs(200)],
    ids=["guide", "network", "many"],
)
def test_sound_models_have_no_findings(blobs: list[bytes]) -> None:
    assert findings(*blobs) == []


def test_a_file_of_variables_is_not_blamed_for_what_lies_elsewhere() -> None:
    assert findings(popef.tensor("x", (2,), 3), popef.feed("y", (2,), 3, 2)) == []


@pytest.mark.parametrize(
    ("blob", "text"),
    [
        (
            popef.tensor("x", (2, 3), 3, bytes(20)),
            "error a.popef: blob 0 at byte 0: tensor x: its shape needs 24 bytes, but the payload has 20",
        ),
        (
            popef.tensor("x", (2,), 3, bytes(16)),
            "warning a.popef: blob 0 at byte 0: tensor x: its shape needs 8 bytes, but the payload has 16",
        ),
        (
            popef.feed("x", (2,), 3, 3, bytes(23)),
            "error a.popef: blob 0 at byte 0: feed x: its shape needs 24 bytes, but the payload has 23",
        ),
        (
            popef.tensor("x", (2, -1), 3, bytes(8)),
            "error a.popef: blob 0 at byte 0: tensor x: its shape has a negative dimension",
        ),
        (
            popef.tensor("x", (2**60,), 12, bytes(8)),
            "error a.popef: blob 0 at byte 0: tensor x: its shape needs 2^63 bytes or more, but the payload has 8",
        ),
        (
            popef.tensor("x", (2,), 40, bytes(8)),
            "warning a.popef: blob 0 at byte 0: tensor x: its 8 bytes cannot be checked, "
            "because its data type is unknown (40)",
        ),
    ],
    ids=["shorter", "longer", "short feed", "negative", "2^63", "unknown type"],
)
def test_payloads_are_held_against_their_shapes(blob: bytes, text: str) -> None:
    assert findings(blob) == [text]


def test_executables_need_names_of_their_own() -> None:
    found = findings(popef.executable("1", b"x"), popef.executable("1", b"y"), popef.executable("", b"z"))
    assert [line.split(": ", 2)[-1] for line in found] == [
        "an earlier executable has the same name, 1",
        "the executable has no name, so nothing can refer to it",
    ]
    assert all(line.startswith("error") for line in found)


def test_names_that_lead_nowhere_are_warnings() -> None:
    model = popef.Model("9", [popef.Anchor("x")])
    assert findings(popef.metadata(model), popef.opaque("popart", "8", b""), popef.tensor("y", (2,), 3)) == [
        'warning a.popef: blob 0 at byte 0: the metadata names the executable "9", which is missing',
        f'warning a.popef: blob 1 at byte {len(popef.metadata(model))}: the opaque blob names the executable "8", '
        "which is missing",
        f"warning a.popef: blob 2 at byte {len(popef.metadata(model)) + len(popef.opaque('popart', '8', b''))}: "
        'no anchor is named "y" like this data',
    ]


def test_names_that_lead_to_several_are_warnings() -> None:
    model = popef.metadata(popef.Model("1", [popef.Anchor("x")]))
    data = popef.tensor("x", (2,), 3)
    found = findings(popef.executable("1", b""), model, model, data, data, popef.feed("x", (2,), 3, 1))
    assert [line.split(": ", 2)[-1] for line in found] == [
        'earlier metadata describes the same executable, "1"',
        'earlier data has the same name, "x"; the reference is ambiguous',
        'earlier data has the same name, "x"; the reference is ambiguous',
    ]


def test_anchors_and_their_data_must_agree() -> None:
    anchors = [popef.Anchor("x", shape=(2,), dtype=3), popef.Anchor("y", shape=(2,)), popef.Anchor("f", shape=(4,))]
    found = findings(
        popef.executable("1", b""),
        popef.metadata(popef.Model("1", anchors)),
        popef.tensor("x", (2,), 9),
        popef.tensor("y", (3,), 3),
        popef.feed("f", (2,), 3, 2),  # a feed may be cut in its own way
    )
    assert [line.split(": ", 2)[-1] for line in found] == [
        '"x" is S32 here, but F32 in its anchor',
        '"y" has shape 12 bytes here, but 8 bytes in its anchor',
    ]


def test_a_program_flow_beyond_its_map_is_a_warning() -> None:
    with_map = popef.Model("1", flow=((0,), (5,), ()), programs=((0, "A"),))
    without = popef.Model("2", flow=((0,), (5,), ()))
    blobs = [popef.executable(name, b"") for name in "12"]
    (line,) = findings(*blobs, popef.metadata(with_map), popef.metadata(without))
    assert line.endswith("the program flow runs program 5, which is not in the programs map")


def test_bytes_behind_metadata_are_mentioned() -> None:
    info = popef.metadata_info(popef.Model("1"))
    (line,) = findings(popef.executable("1", b""), popef.blob(popef.METADATA, info, b"more"))
    assert line.startswith("info")
    assert "the 4 bytes after the metadata" in line


def test_a_thousand_findings_of_a_kind_are_fifty_lines_and_a_word() -> None:
    found = findings(*(popef.tensor(f"t{i}", (2,), 3, b"") for i in range(1000)))
    assert len(found) == 51
    assert found[-1].endswith("more issues of this kind are not listed")
