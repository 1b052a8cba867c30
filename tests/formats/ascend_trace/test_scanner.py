"""The compiled scanner makes the columns that Python makes, byte for byte, or leaves a piece to Python."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app import scanner
from app.formats.ascend_trace.gather import EXACT, TASK, TracePart
from app.formats.ascend_trace.read import events_array
from app.formats.ascend_trace.scan import Scan
from app.formats.json import pieces
from app.formats.json.stretches import Stretch, beginning
from app.formats.pool import ignore
from app.formats.source import Source
from generators import ascend_trace, device_trace, torch_trace, trace_styles
from generators.trace_styles import STYLES

pytestmark = pytest.mark.skipif(
    not scanner.path_of_library().is_file(), reason="the scanner is not built (packaging/dev.py setup, with rustc)"
)

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "samples" / "traces"
SMALL = 1 << 12
PARTS = (b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\xff", b"\0", b"\t", b"NaN", b"null", b"true", b"-", b"0")
VALUES = (
    "null", "true", "0", "-0", "-0.0", "7", "7.0", "1e3", "1e99", "1e400", "18446744073709551616", '""', '"7"', '"x"',
    '"-0"', '"1.5"', '" 1"', '"\\u00e9"', '"\\ud83d\\ude00"', '"\\ud83d"', "[]", "{}", '{"local":"7"}', "[[1],{}]",
    "1718180919106042.2505", '"1718180919106042.250"', "1718180919106042250", "9999999999999999999", "0.1234567891",
    '"0x1F"', '"0x"', '"ffffffffffffffff"', '"e"', '"g"', "1000000000000000000", '"process_name"', '"PIPE_STATE"',
)  # fmt: skip
PHASES = ("X", "X", "B", "E", "s", "t", "f", "i", "b", "e", "C", "M", "N", "", "\\u0058")
KEYS = ("args", "bp", "cat", "cname", "dur", "group_id", "id", "id2", "name", "pid", "s", "scope", "tid", "ts", "zz")
OF_ARGS = ("pc_addr", "group_id", "raw", "start_raw", "name", "labels", "sort_index", "zz", "y")


@contextmanager
def chosen(choice: str) -> Iterator[None]:
    before = os.environ.get(scanner.VARIABLE)
    os.environ[scanner.VARIABLE] = choice
    try:
        yield
    finally:
        if before is None:
            del os.environ[scanner.VARIABLE]
        else:
            os.environ[scanner.VARIABLE] = before


def part_of(path: Path, choice: str, exact: bool = False, piece_bytes: int = pieces.PIECE_BYTES) -> TracePart:
    """What the reader makes of all events of a file."""
    with chosen(choice), Source(path) as source:
        start = events_array(source, 0, source.size)
        whole: Stretch = beginning(start, source.size, source.size)
        place = pieces.Place(start, start, piece_bytes)
        mode = EXACT if exact else (0,)
        whole = msgspec.structs.replace(whole, piece_bytes=piece_bytes, place=place, mode=mode)
        return TASK.run(source, whole, ignore)


def plain(value: Any) -> Any:
    """``value`` such that equal means equal in every byte, type and order."""
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.shape, value.tobytes()
    if isinstance(value, msgspec.Struct):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, dict):
        return [(repr(key), plain(each)) for key, each in value.items()]
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return repr(value)


def check(path: Path, exact: bool = False, piece_bytes: int = pieces.PIECE_BYTES) -> None:
    python, scanned = (part_of(path, choice, exact, piece_bytes) for choice in ("off", "on"))
    assert plain(scanned) == plain(python)


@pytest.mark.parametrize("style", STYLES)
def test_every_style_is_scanned(tmp_path: Path, style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    refused: list[int] = []

    def piece(scan: Scan, text: bytes) -> Any:
        made = original(scan, text)
        (refused if made is None else asked).append(len(text))
        return made

    original = Scan.piece
    monkeypatch.setattr(Scan, "piece", piece)
    path = tmp_path / "trace.json"
    STYLES[style].write(path, 600, seed=5)
    check(path, piece_bytes=SMALL)
    assert len(asked) > 2
    assert not refused


@pytest.mark.parametrize("sample", ["control", "test"])
def test_published_traces(tmp_path: Path, sample: str) -> None:
    packed = SAMPLES / f"{sample}.json.gz"
    if not packed.is_file():
        pytest.skip(f"{packed.name} is not there")
    path = tmp_path / "trace.json"
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    check(path)


VALID = [trace_styles.text_of(style, 60, seed=3) for style in STYLES]
VALID += [torch_trace.text(torch_trace.events(2, seed)) for seed in range(4)]
VALID += [device_trace.text(device_trace.everything(12)), b"".join(ascend_trace.chunks(120, 1, 2))]
edits = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.integers(0, 30),
        st.sampled_from(PARTS) | st.sampled_from(VALUES).map(str.encode) | st.binary(max_size=4),
    ),
    max_size=5,
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(VALID), edits, st.none() | st.floats(0, 1), st.booleans())
def test_mutated_and_cut(
    tmp_path: Path, valid: bytes, changes: list[tuple[float, int, bytes]], cut: float | None, exact: bool
) -> None:
    text, head = valid, valid.index(b"[", max(0, valid.find(b'"traceEvents"'))) + 1
    for where, length, token in changes:
        place = head + int(where * (len(text) - head))
        text = text[:place] + token + text[place + length :]
    if cut is not None:
        text = text[: head + int(cut * (len(text) - head))]
    path = tmp_path / "t.json"
    path.write_bytes(text)
    check(path, exact, SMALL)


def _object(keys: tuple[str, ...], values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    members = st.lists(st.tuples(st.sampled_from(keys), values).map(lambda pair: f'"{pair[0]}":{pair[1]}'), max_size=6)
    return members.map(lambda every: "{" + ",".join(every) + "}")


values = st.sampled_from(VALUES) | st.floats().map(json.dumps) | st.integers(-(1 << 65), 1 << 65).map(str)
phases = st.sampled_from(PHASES).map(lambda phase: f'"ph":"{phase}"')
events = st.tuples(phases, _object(KEYS, values | _object(OF_ARGS, values)), _object(OF_ARGS, values)).map(
    lambda made: "{" + ",".join([made[0], f'"args":{made[2]}', made[1][1:-1]]).rstrip(",") + "}"
)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(events, min_size=1, max_size=5), st.integers(1, 3), st.booleans())
def test_odd_values(tmp_path: Path, made: list[str], repeats: int, exact: bool) -> None:
    path = tmp_path / "t.json"
    path.write_text('{"traceEvents":[' + ",\n ".join(made * repeats) + "]}", "utf-8")
    check(path, exact, 256)


def test_what_is_not_understood_is_left_to_python(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text('{"traceEvents":[{"ph":"X","ts":1,"dur":NaN,"pid":1,"tid":{}},{"ph":"X","ts":true}]}')
    check(path)


def test_the_window_does_not_use_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(scanner.VARIABLE, raising=False)
    assert scanner.library() is None
    assert scanner.reader() == "scanner"
    monkeypatch.setenv(scanner.VARIABLE, "off")
    scanner.allow()
    assert scanner.library() is None
    assert scanner.reader() == "python"


def test_another_library_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "other.so"
    path.write_bytes(b"no library")
    monkeypatch.setattr(scanner, "path_of_library", lambda: path)
    monkeypatch.setenv(scanner.VARIABLE, "on")
    assert scanner.library() is None
