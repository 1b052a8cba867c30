"""Records of a timeline, decoded again from its files: all fields of one, and the arguments of its slices."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from app.formats.errors import FormatError
from app.formats.format import Details
from app.formats.json.salvage import attempt, record_at, values
from app.formats.numbering import numbering, numbers_of
from app.formats.registry import by_id
from app.formats.source import Joined, Source
from app.language import tr
from app.profile.arrays import I64, sealed
from app.profile.profile import Profile
from app.profile.strings import Strings
from app.profile.timeline import Argument, Timeline

MOST_VALUES: Final = 1 << 21
"""Different values of an argument; each costs an object in memory."""
LONGEST: Final = 200
"""Characters of a value."""
CHANGED: Final = tr("the file changed since it was read")
_NUMBER: Final = re.compile(r"[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,9})?", re.ASCII)

Check = Callable[[], object]
"""Is called now and then, and may raise to stop."""
Tell = Callable[[int, int], object]
"""Is called with (done, total)."""


def paths(profile: Profile) -> tuple[Path, ...]:
    """The files that have the records of the timeline, as one text; empty where none can be decoded again."""
    files, timeline = by_id(profile.origin.format).record_files, profile.timeline
    if files is None or timeline is None or timeline.pieces is None:
        return ()
    several = files(profile)
    return tuple(profile.origin.paths[file] for file in (several if len(several) > 1 else (timeline.pieces.file,)))


@contextmanager
def opened(files: tuple[Path, ...]) -> Iterator[Source]:
    """The text of ``paths``, in which the offsets of Timeline.pieces count."""
    with ExitStack() as stack:
        parts = [stack.enter_context(Source(path)) for path in files]
        yield parts[0] if len(parts) == 1 else Joined(parts)


def record(source: Source, profile: Profile, ordinal: int) -> Details:
    """Record ``ordinal`` with all its fields as in the file. Raises FormatError where it cannot be read again."""
    own = by_id(profile.origin.format).record
    if own is not None:
        return own(source, profile, ordinal)
    pieces = profile.timeline.pieces if profile.timeline else None
    if pieces is None:
        raise FormatError(tr("this timeline does not contain the offsets of its events"), path=str(source.path))
    event = record_at(source, pieces, ordinal)
    if not isinstance(event, dict):
        raise FormatError(CHANGED, path=str(source.path))
    return event


class _Keyed(msgspec.Struct):
    args: dict[str, msgspec.Raw] | None = None


_KEYED: Final = msgspec.json.Decoder(list[_Keyed])


def argument_keys(source: Source, timeline: Timeline, check: Check, tell: Tell) -> list[tuple[str, int]]:
    """The keys among the arguments of slices, each with the number of slices that have it: the most frequent first.
    Raises FormatError where the file changed, and what ``check`` raises."""
    counts: Counter[str] = Counter()
    for text, _, numbers in _pieces(source, timeline, check, tell):
        records = attempt(_KEYED.decode, text)
        keys = [each.args or () for each in records] if records is not None else list(map(_arguments, values(text)))
        counts.update(chain.from_iterable(map(keys.__getitem__, _inside(numbers, len(keys), source))))
    return sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))


def argument(source: Source, timeline: Timeline, key: str, check: Check, tell: Tell) -> Argument:
    """The value of the argument ``key`` of each slice. Raises FormatError where the file changed or there are more than
    MOST_VALUES different values, and what ``check`` raises."""
    missing = msgspec.Raw()
    only = msgspec.defstruct("Only", [("value", msgspec.Raw, missing)], rename={"value": key})
    decoder = msgspec.json.Decoder(list[msgspec.defstruct("Record", [("args", only | None, None)])])  # type: ignore[misc]
    known = numbering([b""])
    code = np.zeros(len(timeline.slices.record), np.int32)
    for text, rows, numbers in _pieces(source, timeline, check, tell):
        records: list[Any] | None = attempt(decoder.decode, text)
        if records is None:
            plain = map(_arguments, values(text))
            found = [msgspec.json.encode(each[key]) if key in each else b"" for each in plain]
        else:
            found = [bytes(each.args.value) if each.args is not None else b"" for each in records]
        inside = _inside(numbers, len(found), source)
        code[rows] = numbers_of(known, map(found.__getitem__, inside), len(inside))
        if len(known) > MOST_VALUES:
            problem = tr("“{key}” has more than {most:,} different values", key=key, most=MOST_VALUES)
            raise FormatError(problem, path=str(source.path))
    return _argument(key, code, list(known), check)


def _argument(key: str, code: Any, raws: list[bytes], check: Check) -> Argument:
    """``code``: int32[slices], into ``raws``, the texts of different values as in the file."""
    texts: defaultdict[str, int] = numbering()
    of_raw = np.full(len(raws), -1, np.int32)
    for place, raw in enumerate(raws):
        if place % 4096 == 0:
            check()
        if raw not in (b"", b"null"):
            of_raw[place] = texts[_text(raw)]
    number = np.fromiter(map(_number, texts), np.float64, len(texts))
    return Argument(key, sealed(of_raw[code]), Strings.of(texts), sealed(number))


def _pieces(source: Source, timeline: Timeline, check: Check, tell: Tell) -> Iterator[tuple[bytes, I64, I64]]:
    """(the text of a piece, slices whose records are in it, the numbers of these records within it)."""
    if timeline.pieces is None:
        return
    first = timeline.pieces.first
    order = np.argsort(timeline.slices.record, kind="stable")
    ordinal = timeline.slices.record[order]
    low = np.searchsorted(ordinal, first)
    high = np.append(low[1:], len(order))
    for place, (a, b) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        check()
        tell(place, len(first))
        if b > a:
            text = source.read(int(timeline.pieces.offset[place]), int(timeline.pieces.size[place]))
            yield text, order[a:b], ordinal[a:b] - first[place]


def _inside(numbers: I64, count: int, source: Source) -> list[int]:
    """``numbers`` of records of a piece that has ``count`` of them."""
    if len(numbers) and int(numbers[-1]) >= count:
        raise FormatError(CHANGED, path=str(source.path))
    inside: list[int] = numbers.tolist()
    return inside


def _arguments(record: Any) -> dict[str, Any]:
    """The arguments of a record that a plain decoder made; empty where it has none."""
    found = record.get("args") if isinstance(record, dict) else None
    return found if isinstance(found, dict) else {}


def _text(raw: bytes) -> str:
    """A value as text: without quotes if it is one, else as it is in the file."""
    try:
        value = msgspec.json.decode(raw) if raw[:1] == b'"' else raw.decode()
    except (msgspec.MsgspecError, UnicodeDecodeError):
        value = raw.decode("utf-8", "replace")
    return str(value) if len(value) <= LONGEST else f"{value[:LONGEST]}…"


def _number(text: str) -> float:
    return float(text) if _NUMBER.fullmatch(text) else np.nan
