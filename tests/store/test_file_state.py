"""What a person left on a file, and how files are known again."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from app.formats.errors import FormatError
from app.language import tr
from app.profile.file_state import NOTE_COLOURS, FileState, TimeNote
from app.store.file_state import read_state, write_state
from app.store.fingerprint import SAMPLE_BYTES, SAMPLES, content_fingerprint, sample_places

STATE = FileState(
    (TimeNote(1.5, 9.25, "µs – “spill”", 2), TimeNote(3.0, 3.0, "here", 0)),
    {"timeline": {"start": 1.0, "pins": ["core0 / CUBE"]}},
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there"
    write_state(folder, "ab12", STATE, "trace.json")
    assert read_state(folder, "ab12") == STATE
    assert read_state(folder, "other") == FileState()
    assert [path.name for path in folder.iterdir()] == ["ab12.json"]


def test_a_text_of_ours_among_the_values_is_written_as_shown(tmp_path: Path) -> None:
    view = {"lane": tr("row {row:,}", row=1_000), "hidden": [tr("row {row:,}", row=2)]}
    write_state(tmp_path, "ab", FileState(views={"timeline": view}), tr("without name"))
    assert read_state(tmp_path, "ab").views == {"timeline": {"lane": "row 1,000", "hidden": ["row 2"]}}


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\xfe", b'{"notes": [' * 100_000, b"[" * 5000])
def test_a_broken_document_is_put_aside(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "ab.json").write_bytes(text)
    assert read_state(tmp_path, "ab") == FileState()
    assert not (tmp_path / "ab.json").exists()
    write_state(tmp_path, "ab", STATE)
    assert read_state(tmp_path, "ab") == STATE


def test_of_a_document_with_wrong_values_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "ab.json").write_text(
        """{"version": 99, "notes": [
            {"start": 5, "end": 2, "text": "turned", "colour": 77}, {"start": 1}, 3, {"start": "1", "end": 2},
            {"start": 1e301, "end": 2}, {"start": true, "end": 2}, {"start": 1, "end": 1, "text": 7, "colour": "red"}],
            "views": {"timeline": {"start": 1}, "broken": 4}}""",
        "utf-8",
    )
    found = read_state(tmp_path, "ab")
    assert found.notes == (TimeNote(2.0, 5.0, "turned", 0), TimeNote(1.0, 1.0, "", 0))
    assert found.views == {"timeline": {"start": 1}}


def test_names_of_a_later_version_are_written_back(tmp_path: Path) -> None:
    (tmp_path / "ab.json").write_text('{"version": 1, "notes": [], "tags": ["slow", {"by": 3}]}', "utf-8")
    state = read_state(tmp_path, "ab")
    assert not state.empty
    write_state(tmp_path, "ab", replace(state, notes=STATE.notes), "trace.json")
    assert read_state(tmp_path, "ab") == FileState(STATE.notes, other={"tags": ["slow", {"by": 3}]})


LONG = "x" * 600
RAW = {"id": 7, "start": 5, "end": 2, "text": LONG, "colour": "red", "changed": 1.0, "tags": ["a"]}


@pytest.mark.parametrize(
    ("raw", "change", "written"),
    [
        (RAW, {}, {}),
        (RAW, {"colour": 2, "changed": 9.0}, {"colour": 2, "changed": 9.0}),
        (RAW, {"start": 1.0}, {"start": 1.0, "end": 5.0}),
        (RAW, {"text": "short"}, {"text": "short"}),
        (RAW | {"text": 3}, {"colour": 1}, {"colour": 1}),
        (RAW | {"id": "i" * 65}, {"colour": 1}, {"colour": 1}),
    ],
)
def test_of_a_changed_note_what_was_not_read_stays(
    tmp_path: Path, raw: dict[str, object], change: dict[str, object], written: dict[str, object]
) -> None:
    path = tmp_path / "ab.json"
    path.write_bytes(msgspec.json.encode({"version": 1, "notes": [raw], "views": {}}))
    state = read_state(tmp_path, "ab")
    changed = replace(state, notes=(replace(state.notes[0], **change),))
    assert write_state(tmp_path, "ab", changed, base=state) == changed.notes
    assert msgspec.json.decode(path.read_bytes())["notes"] == [raw | written]
    assert [note.id for note in read_state(tmp_path, "ab").notes] == [state.notes[0].id]


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["start", "end", "text", "colour", "notes", "views"]), inner, max_size=5)
    ),
    max_leaves=12,
)


@settings(max_examples=200)
@given(json)
def test_whatever_stands_in_it_nothing_is_raised(tmp_path_factory: pytest.TempPathFactory, value: object) -> None:
    import json as standard

    folder = tmp_path_factory.getbasetemp() / "state"
    folder.mkdir(exist_ok=True)
    (folder / "x.json").write_text(standard.dumps({"notes": value, "views": value}), "utf-8")
    found = read_state(folder, "x")
    assert all(note.start <= note.end and 0 <= note.colour < len(NOTE_COLOURS) for note in found.notes)


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        write_state(tmp_path / "file", "ab", STATE)


def test_the_content_counts_not_the_name(tmp_path: Path) -> None:
    for name, text in (("a", b"one"), ("b", b"one"), ("c", b"two")):
        (tmp_path / name).write_bytes(text)
    a, b, c = (content_fingerprint([tmp_path / name]) for name in "abc")
    assert a == b != c
    assert len(a) == 32
    assert content_fingerprint([tmp_path / "a", tmp_path / "c"]) not in (a, c)
    with pytest.raises(FormatError, match="no such file"):
        content_fingerprint([tmp_path / "gone"])


def test_samples_reach_both_ends_of_a_large_file(tmp_path: Path) -> None:
    size = 50 * SAMPLE_BYTES + 7
    places = sample_places(size)
    assert len(places) == SAMPLES
    assert (places[0], places[-1] + SAMPLE_BYTES) == (0, size)
    assert sample_places(SAMPLE_BYTES + 1) == [0, SAMPLE_BYTES]
    path = tmp_path / "large"
    path.write_bytes(bytes(size))
    before = content_fingerprint([path])
    with path.open("r+b") as file:
        file.seek(size - 1)
        file.write(b"x")
    assert content_fingerprint([path]) != before
