"""Links as text, one line of ASCII:

    tilesight:///runs/a/graph.json?v=1&file=execution.json&content=b381…&panel=liveness&select=program:57&thing=…

The path and every value are percent-encoded; a comma separates the entries of a list. Parameters:

    v         version of this format (1)
    file      further files of the profile, relative to the folder of the first where they lie in it (repeatable)
    content   fingerprint of the content of the files: 32 hexadecimal digits
    part      a part of the profile, as in `compare`: block=3
    panel     id of the panel in front
    select    kind and indices of the selection: tile:0-63,128
    thing     traits of a selected thing and its ordinal among those that are equal (repeatable, in order)
    time      range of the timeline, in its unit: START..END
    tiles     range of tiles: 0-63,128
    view.*    how the panel shows its content: zoom, order, filter, choosers
    baseline, baseline.file, baseline.content, baseline.part
              the profile that it is compared with

A text comes from anybody: what is not exactly of this form is refused, and nothing is opened here.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, get_args
from urllib.parse import quote, quote_from_bytes, unquote_to_bytes

from app.analysis.view_links.view_link import ChosenThings, ProfileRef, Thing, ViewLink, ViewValue
from app.language import tr
from app.profile.selection import Kind, Ranges, TileRange, TimeRange

SCHEME: Final = "tilesight://"
VERSION: Final = 1
LONGEST: Final = 16_000
"""Characters of a link."""
MOST_FILES: Final = 16
MOST_THINGS: Final = 8
LONGEST_VALUE: Final = 2_000
LONGEST_THINGS: Final = 2_400
LONGEST_VIEW: Final = 2_000
MOST_TIME: Final = 1e300
_SAFE: Final = "/:@"
_PLAIN: Final = re.compile(r"[!$&'()*+,\-./0-9:;=?@A-Z\[\]_a-z~%]+")
_BROKEN: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,40}(?:\.[a-z][a-z0-9_-]{0,40}){0,4}")
_ID: Final = re.compile(r"[a-z][a-z0-9_-]{0,40}")
_CONTENT: Final = re.compile(r"[0-9a-f]{32}")
_NUMBER: Final = re.compile(r"-?\d{1,18}")
_FLOAT: Final = re.compile(r"-?\d{1,40}\.\d{1,40}(?:e[+-]?\d{1,3})?|-?\d{1,40}e[+-]?\d{1,3}")
_DRIVE: Final = re.compile(r"/[A-Za-z]:/")
_KINDS: Final[dict[str, Kind]] = {kind: kind for kind in get_args(Kind)}
_REPEATED: Final = {"file", "thing", "baseline.file"}
_KNOWN: Final = {
    *("v", "content", "part", "panel", "select", "time", "tiles"),
    *("baseline", "baseline.content", "baseline.part"),
    *_REPEATED,
}


class BadLink(ValueError):
    """A text that is no link; the message says why."""


def looks_like_link(text: str) -> bool:
    """Whether a person means a link by this text."""
    return text.strip()[: len(SCHEME)].lower() == SCHEME


# -- writing --------------------------------------------------------------------------------------------------


def written(link: ViewLink) -> str:
    """The text of a link. What does not fit into LONGEST characters is left out: of the view first, then traits, then
    the baseline."""
    base = SCHEME + _path(link.profile.paths[0])
    must = [("v", str(VERSION)), *_ref(link.profile, ""), ("panel", quote(link.panel))]
    made = f"{base}?{_joined([(name, text) for name, text in must if text])}"
    before = link.baseline
    groups = [[*_chosen(link.chosen)], [*_ranges(link.ranges)]]
    groups += [[("baseline", _path(before.paths[0])), *_ref(before, "baseline.")]] if before is not None else []
    groups += [[(f"view.{name}", text)] for name, value in link.view.items() if (text := _value(value))]
    for group in groups:
        piece = f"&{_joined(group)}" if group else ""
        if len(made) + len(piece) <= LONGEST and (len(piece) <= LONGEST_VIEW or not piece.startswith("&view.")):
            made += piece
    return made


def _joined(pairs: list[tuple[str, str]]) -> str:
    return "&".join(f"{name}={text}" for name, text in pairs)


def _path(path: Path) -> str:
    text = os.path.abspath(path)  # noqa: PTH100 (Path.absolute leaves ..)
    plain = "/" + text.replace("\\", "/") if os.name == "nt" else "/" + text.lstrip("/")
    return quote_from_bytes(os.fsencode(plain), _SAFE)


def _ref(ref: ProfileRef, prefix: str) -> Iterator[tuple[str, str]]:
    folder = Path(os.path.abspath(ref.paths[0])).parent  # noqa: PTH100
    for path in ref.paths[1:]:
        whole = Path(os.path.abspath(path))  # noqa: PTH100
        inner = whole.is_relative_to(folder)
        text = quote_from_bytes(os.fsencode(whole.relative_to(folder).as_posix()), _SAFE) if inner else _path(whole)
        yield f"{prefix}file", text
    if ref.content:
        yield f"{prefix}content", ref.content
    if ref.part:
        yield f"{prefix}part", _quoted(ref.part)


def _chosen(chosen: ChosenThings | None) -> Iterator[tuple[str, str]]:
    if chosen is None or not chosen.indices:
        return
    indices, count = numbers_text(chosen.indices, LONGEST_VALUE)
    yield "select", f"{chosen.kind}:{indices}"
    room = LONGEST_THINGS
    for thing in chosen.things[: min(MOST_THINGS, count)]:
        text = ",".join([*map(_trait, thing.traits), str(thing.ordinal)])
        room -= len(text)
        if room < 0:
            break
        yield "thing", text


def _trait(trait: str | None) -> str:
    if trait is None:
        return "-"
    return "%2D" if trait == "-" else _quoted(trait)


def _quoted(text: str) -> str:
    return quote(text, _SAFE, errors="replace")


def _ranges(ranges: Ranges) -> Iterator[tuple[str, str]]:
    if ranges.time is not None:
        yield "time", quote(f"{ranges.time.start!r}..{ranges.time.end!r}")
    if ranges.tiles is not None and ranges.tiles.tiles:
        yield "tiles", numbers_text(ranges.tiles.tiles, LONGEST_VALUE)[0]


def _value(value: ViewValue) -> str:
    """``true``, a number, a text (after an apostrophe where it looks like another type), or a list of texts, in which
    each ends with a comma."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _quoted(repr(value))
    if isinstance(value, list):
        return "".join(f"{_quoted(text)}," for text in value)
    text = _quoted(value)
    return f"'{text}" if not value or value[0] == "'" or not isinstance(_typed(text), str) else text


# -- parsing --------------------------------------------------------------------------------------------------


def parse(text: str) -> ViewLink:
    """The link that ``text`` states. BadLink."""
    text = text.strip()
    if not looks_like_link(text):
        raise BadLink(tr("This is not a link: links start with {scheme}", scheme=f"{SCHEME}/"))
    if len(text) > LONGEST:
        raise BadLink(tr("The link is longer than {longest:,} characters.", longest=LONGEST))
    if not _PLAIN.fullmatch(text) or _BROKEN.search(text):
        raise BadLink(tr("The link contains invalid characters; it may be cut off."))
    path, _, query = text[len(SCHEME) :].partition("?")
    values = _values(query)
    panel = _one(values, "panel")
    if panel and not _ID.fullmatch(panel):
        raise _bad("panel")
    baseline = _one(values, "baseline")
    if not baseline and any(name.startswith("baseline.") for name in values):
        raise _bad("baseline")
    return ViewLink(
        _profile(path, values, ""),
        panel,
        _things(values),
        Ranges(_time(values), _tiles(values)),
        {name.removeprefix("view."): _typed(own[0]) for name, own in values.items() if name.startswith("view.")},
        _profile(baseline, values, "baseline.") if baseline else None,
    )


def _values(query: str) -> dict[str, list[str]]:
    """The encoded values by name."""
    values: dict[str, list[str]] = {}
    for piece in query.split("&") if query else ():
        name, equals, value = piece.partition("=")
        if not equals or not _NAME.fullmatch(name) or not (name in _KNOWN or name.startswith("view.")):
            raise BadLink(tr("The link has an unknown parameter: {name}", name=piece[:40]))
        values.setdefault(name, []).append(value)
        if len(values[name]) > (MOST_FILES if name in _REPEATED else 1):
            raise _bad(name)
    if values.get("v", ["1"]) != [str(VERSION)]:
        raise BadLink(tr("The link was made by another version of Tilesight."))
    return values


def _one(values: dict[str, list[str]], name: str) -> str:
    return values[name][0] if name in values else ""


def _decoded(text: str, name: str) -> str:
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeDecodeError:
        raise _bad(name) from None


def _profile(path: str, values: dict[str, list[str]], prefix: str) -> ProfileRef:
    first = _whole_path(path)
    others = values.get(f"{prefix}file", ())
    files = [_whole_path(one) if one.startswith("/") else first.parent / _local(one) for one in others]
    content, part = _one(values, f"{prefix}content"), _decoded(_one(values, f"{prefix}part"), "part")
    if content and not _CONTENT.fullmatch(content):
        raise _bad("content")
    if part and not part.isprintable():
        raise _bad("part")
    return ProfileRef((first, *files), content, part)


def _whole_path(text: str) -> Path:
    """An absolute path of this machine: a link never names another one."""
    if not text.startswith("/") or text.startswith("//"):
        raise BadLink(tr("The link has no file path."))
    local = _local(text)
    return Path(local[1:] if os.name == "nt" and _DRIVE.match(local) else local)


def _local(text: str) -> str:
    raw = unquote_to_bytes(text)
    if b"\0" in raw or not raw or raw.startswith(b"//") or (os.name == "nt" and b"\\" in raw):
        raise BadLink(tr("The link has no file path."))
    return os.fsdecode(raw)


def _things(values: dict[str, list[str]]) -> ChosenThings | None:
    if "select" not in values:
        if "thing" in values:
            raise _bad("thing")
        return None
    name, _, text = _one(values, "select").partition(":")
    kind, indices = _KINDS.get(name), parse_numbers(text)
    if kind is None or indices is None:
        raise _bad("select")
    return ChosenThings(kind, indices, tuple(_thing(one) for one in values.get("thing", ())[:MOST_THINGS]))


def _thing(text: str) -> Thing:
    *traits, ordinal = text.split(",")
    if not traits or not _NUMBER.fullmatch(ordinal) or ordinal.startswith("-"):
        raise _bad("thing")
    return Thing(tuple(None if one == "-" else _decoded(one, "thing") for one in traits), int(ordinal))


def _time(values: dict[str, list[str]]) -> TimeRange | None:
    if "time" not in values:
        return None
    first, dots, last = _decoded(_one(values, "time"), "time").partition("..")
    try:
        start, end = float(first), float(last)
    except ValueError:
        raise _bad("time") from None
    if not dots or not (abs(start) < MOST_TIME and abs(end) < MOST_TIME and start <= end):
        raise _bad("time")
    return TimeRange(start, end)


def _tiles(values: dict[str, list[str]]) -> TileRange | None:
    if "tiles" not in values:
        return None
    tiles = parse_numbers(_one(values, "tiles"))
    if tiles is None or list(tiles) != sorted(set(tiles)):
        raise _bad("tiles")
    return TileRange(tiles)


def _typed(text: str) -> ViewValue:
    """The value that an encoded text stands for, as ``_value`` writes it."""
    if text in ("true", "false"):
        return text == "true"
    if "," in text:
        return [_decoded(one, "view") for one in text.split(",")[:-1]]
    plain = _decoded(text, "view")
    if _NUMBER.fullmatch(plain):
        return int(plain)
    if _FLOAT.fullmatch(plain) and math.isfinite(float(plain)):
        return float(plain)
    return plain.removeprefix("'")


def _bad(name: str) -> BadLink:
    return BadLink(tr("The parameter {name} of the link is invalid.", name=name))


MOST: Final = 65_536
"""Numbers that a text may stand for."""
_PART: Final = re.compile(r"(\d{1,12})(?:-(\d{1,12}))?")


def numbers_text(numbers: Iterable[int], longest: int) -> tuple[str, int]:
    """(the text of the first numbers, in their order, as many as fit into ``longest`` characters; how many these are).
    At least one."""
    parts: list[str] = []
    room, count = longest, 0
    for first, end in _stretches(numbers):
        last = min(end, first + MOST - count - 1)
        part = str(first) if first == last else f"{first}-{last}"
        room -= len(part) + 1
        if last < first or (parts and room < 0):
            break
        parts.append(part)
        count += last - first + 1
    return ",".join(parts), count


def parse_numbers(text: str) -> tuple[int, ...] | None:
    """The numbers; None if the text is invalid or stands for more than MOST."""
    numbers: list[int] = []
    for part in text.split(","):
        match = _PART.fullmatch(part)
        if match is None:
            return None
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first or last - first + 1 + len(numbers) > MOST:
            return None
        numbers += range(first, last + 1)
    return tuple(numbers)


def _stretches(numbers: Iterable[int]) -> Iterable[tuple[int, int]]:
    """Consecutive numbers together, as (first, last)."""
    first = last = -2
    for number in numbers:
        if number == last + 1:
            last = number
            continue
        if first >= 0:
            yield first, last
        first = last = number
    if first >= 0:
        yield first, last
