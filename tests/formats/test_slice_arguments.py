"""The arguments of slices, decoded again: their keys, the values of one, and files that are damaged or have changed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.formats import records
from app.formats.ascend_trace import FORMAT
from app.formats.collect import read
from app.formats.errors import Cancelled, FormatError
from app.profile.profile import Profile
from app.profile.timeline import Argument, Timeline


def nothing(*_: int) -> None:
    pass


def written(path: Path, arguments: Iterable[Any], spoil: tuple[str, str] = ("", "")) -> Profile:
    """A trace with a slice for each of ``arguments``, of which every second is left out."""
    events: list[dict[str, Any]] = []
    for place, each in enumerate(arguments):
        events.append({"ph": "X", "pid": 1, "tid": place % 2, "ts": 10 * place, "dur": 5, "name": "a", "args": each})
        events.append({"ph": "C", "pid": 1, "ts": 10 * place, "name": "bytes", "args": {"used": place}})
    path.write_text(json.dumps({"traceEvents": events}).replace(*spoil) if spoil[0] else json.dumps(events))
    return read(FORMAT, [path])[0]


def line(profile: Profile) -> Timeline:
    assert profile.timeline is not None
    return profile.timeline


def value(profile: Profile, key: str) -> Argument:
    with records.opened(records.paths(profile)) as source:
        return records.argument(source, line(profile), key, nothing, nothing)


def told(profile: Profile, key: str) -> list[str]:
    """The value of each slice in the order of the file."""
    found = value(profile, key)
    texts = ["-" if code < 0 else found.texts[code] for code in found.code.tolist()]
    return [texts[place] for place in np.argsort(line(profile).slices.record).tolist()]


MIXED: list[Any] = [
    {"k": "AI_CORE", "n": 3},
    None,
    {"k": "ä\n", "n": 3.0},
    {"k": {"x": [1, None]}},
    {"k": None},
    [],
    {"n": "7"},
]


def test_keys_are_counted_and_values_are_told(tmp_path: Path) -> None:
    profile = written(tmp_path / "t.json", MIXED)
    with records.opened(records.paths(profile)) as source:
        assert records.argument_keys(source, line(profile), nothing, nothing) == [("k", 4), ("n", 3)]
    assert told(profile, "k") == ["AI_CORE", "-", "ä\n", '{"x":[1,null]}', "-", "-", "-"]
    assert told(profile, "n") == ["3", "-", "3.0", "-", "-", "-", "7"]
    assert value(profile, "n").number.tolist() == [3.0, 3.0, 7.0]
    assert value(profile, "n").all_numbers
    assert not value(profile, "k").all_numbers
    assert not value(profile, "used").all_numbers
    assert set(told(profile, "used")) == {"-"}


def test_values_that_are_not_valid_json_are_no_values(tmp_path: Path) -> None:
    profile = written(tmp_path / "t.json", [{"n": 1.5}, {"n": 99.25}, {"n": 2}], ("99.25", "NaN"))
    assert told(profile, "n") == ["1.5", "-", "2"]


def test_a_file_that_has_changed_says_so(tmp_path: Path) -> None:
    profile = written(tmp_path / "t.json", [{"n": place} for place in range(9)])
    size = (tmp_path / "t.json").stat().st_size
    (tmp_path / "t.json").write_bytes(b"[1" + b" " * size)
    with pytest.raises(FormatError, match="changed since it was read"):
        value(profile, "n")


def test_reading_stops_where_it_is_cancelled(tmp_path: Path) -> None:
    profile = written(tmp_path / "t.json", [{"n": 1}])

    def stop() -> None:
        raise Cancelled

    with records.opened(records.paths(profile)) as source, pytest.raises(Cancelled):
        records.argument(source, line(profile), "n", stop, nothing)


def test_too_many_values_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MOST_VALUES", 3)
    profile = written(tmp_path / "t.json", [{"n": place} for place in range(9)])
    with pytest.raises(FormatError, match="more than 3 different values"):
        value(profile, "n")


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(st.tuples(st.integers(0, 700), st.binary(min_size=1, max_size=3)), max_size=4))
def test_mutated(tmp_path: Path, changes: list[tuple[int, bytes]]) -> None:
    """Before it is read, and since: only FormatError is raised, and codes are inside."""
    path = tmp_path / "t.json"
    profile = written(path, MIXED)
    text = bytearray(path.read_bytes())
    for place, part in changes:
        text[place : place + len(part)] = part
    path.write_bytes(text)
    again: list[Profile] = []
    with suppress(FormatError):
        again = read(FORMAT, [path])
    for each in [profile, *(one for one in again if one.timeline is not None)]:
        try:
            found = value(each, "k")
            with records.opened(records.paths(each)) as source:
                records.argument_keys(source, line(each), nothing, nothing)
        except FormatError:
            continue
        assert len(found.code) == len(line(each).slices.record)
        assert found.code.min(initial=-1) >= -1
        assert found.code.max(initial=-1) < len(found.texts) == len(found.number)
