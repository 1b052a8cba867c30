"""All sources of lookup results; a new kind is one more record. By number ("tile 17", "block 3", "kernel.cpp:123",
":123", "0x1a40"); by name, where only the string table is searched, so that a million slices cost only their
distinct names; in lines of sources and report texts, instructions, file names, and the cells of every table; in
notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import numpy as np

from app.analysis.kinds import KINDS
from app.analysis.kinds.spec import KindSpec, Named, no_names
from app.analysis.lookup.hit import MOST, NOTHING, SOURCE, Answer, Hit, Mode, Pause, Source, Target, gathered, shortened
from app.analysis.matching import column_hits, matching_texts, whole_number
from app.analysis.source_view import source_paths
from app.analysis.table import Table
from app.analysis.tables import TABLES
from app.analysis.tables.ascend_source import line_texts
from app.language import capitalised, tr
from app.profile.arrays import I64, Bool, Integers, among, distinct
from app.profile.file_state import TimeNote
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.profile.strings import Strings

FEW = 100
"""Searching one text by itself costs as much as searching this many together."""


def sources() -> tuple[Source, ...]:
    """One source per kind with names; instructions are searched with their addresses elsewhere."""
    return tuple(
        Source(spec.kind, spec.title, partial(by_name, spec))
        for spec in KINDS.values()
        if spec.names is not no_names and spec.searched
    )


def by_name(spec: KindSpec, profile: Profile, text: str, pause: Pause) -> Answer:
    """Names that contain ``text``: exact matches first, then prefixes, each by the number of things with that name."""
    hits: list[Hit] = []
    total = nearness = 0
    for named in spec.names(profile):
        pause()
        answer = _answer(spec, profile, named, text)
        hits += answer.hits
        total += answer.total
        nearness = max(nearness, answer.nearness)
    return Answer(tuple(hits[:MOST]), total, nearness)


def called(profile: Profile, kind: Kind, name: str) -> Selection | None:
    """All things of a kind with exactly this name, or the one with this number; None if there are none."""
    spec = KINDS[kind]
    for named in spec.names(profile):
        for text_id in named.strings.find(name).tolist():
            bearers = named.bearing_one(text_id).tolist()
            if bearers:
                return Selection(kind, tuple(bearers), SOURCE)
    if spec.count is not None and name.isdecimal() and int(name) < spec.count(profile):
        return Selection(kind, (int(name),), SOURCE)
    return None


def _answer(spec: KindSpec, profile: Profile, named: Named, text: str) -> Answer:
    if not len(named.strings):
        return NOTHING
    if spec.owners is not None:
        return _one_by_one(spec, named, spec.owners(profile), text)
    matched = np.flatnonzero(matching_texts(named.strings, text))
    if not len(matched):
        return NOTHING
    counts = named.counts()
    matched = matched[counts[matched] > 0]
    if not len(matched):
        return NOTHING
    near = _nearness(named.strings, matched, text)
    best = matched[np.lexsort((-counts[matched], -near))]
    hits = tuple(_hit(spec, named, index, int(counts[index]), text) for index in best[:MOST].tolist())
    return Answer(hits, len(best), int(near.max()))


def _hit(spec: KindSpec, named: Named, text_id: int, count: int, text: str) -> Hit:
    detail = f"{count:,} × {spec.one}" if count > 1 else spec.one
    return Hit(shortened(named.strings[text_id], text), detail, Target(), count, spec.kind, named, text_id)


def _one_by_one(spec: KindSpec, named: Named, owners: Integers, text: str) -> Answer:
    """A hit for each thing whose name and owner together contain all words of ``text``."""
    ids = named.ids if named.ids is not None else np.arange(len(named.strings))
    both = np.ones(len(ids), np.bool_)
    used = distinct(np.concatenate((ids, owners)))
    for word in text.split():
        known = _matching(named.strings, used, word)
        both &= known[ids] | known[owners]
    things = np.flatnonzero(both)
    if not len(things):
        return NOTHING
    texts = np.maximum(ids[things], 0).astype(np.int64)
    near = np.max([_nearness(named.strings, texts, word) for word in (text, *text.split())], axis=0)
    hits = []
    for thing in things[np.argsort(-near, kind="stable")][:MOST].tolist():
        owner = shortened(named.strings.get(int(owners[thing])))
        detail = tr("{one} of {owner}", one=spec.one, owner=owner) if owner else spec.one
        target = Target(Selection(spec.kind, (thing,), SOURCE))
        name = named.strings.get(int(ids[thing]))
        hits.append(Hit(shortened(name, text) or f"{spec.one} {thing:,}", detail, target))
    return Answer(tuple(hits), len(things), int(near.max()))


def _matching(strings: Strings, used: Integers, word: str) -> Bool:
    """bool[texts + 1]: which of the ``used`` texts match; the last entry, which -1 reads, is False. If only few texts
    of a long list are used (lanes share it with slices), they are checked one by one."""
    if len(used) * FEW < len(strings):
        known = np.zeros(len(strings) + 1, np.bool_)
        for text_id in used.tolist():
            known[text_id] = word.casefold() in strings.get(text_id).casefold()
        known[-1] = False
        return known
    return np.append(matching_texts(strings, word), False)


def _nearness(strings: Strings, ids: I64, text: str) -> I64:
    """int64: 2 for texts equal to ``text`` (ignoring the case of ASCII letters), 1 for those that begin with it, else
    0."""
    wanted = text.encode("utf-8", "backslashreplace")
    begins = np.where(ids > 0, strings.ends[np.maximum(ids - 1, 0)], 0)
    same = strings.ends[ids] - begins >= len(wanted)
    for place, byte in enumerate(wanted):
        here = strings.blob[np.minimum(begins + place, len(strings.blob) - 1)]
        other = bytes([byte]).swapcase()[0]
        same &= (here == byte) | (here == other)
    whole = same & (strings.ends[ids] - begins == len(wanted))
    nearness: I64 = same.astype(np.int64) + whole
    return nearness


BY_WORD: Final = {word.casefold(): spec for spec in KINDS.values() if spec.count for word in (spec.one, spec.several)}
"""The kinds that can be looked up by number. A number alone is a tile."""
NUMBERED = re.compile(
    rf"(?:({'|'.join(re.escape(word) for word in sorted(BY_WORD, key=len, reverse=True))})\s*)?#?\s*(\d[\d,]*)", re.I
)
AT_LINE = re.compile(r"(.*?):\s*(\d+)(?::\d*)?")
MEANT = 3
ADDRESS = re.compile(r"0x([0-9a-f]{1,16})|(?=.*[0-9])([0-9a-f]{3,16})", re.I)
"""Requires a digit: letters alone are more likely a name."""


def numbered(profile: Profile, text: str, pause: Pause) -> Answer:
    """``tile 17``, or ``17`` alone."""
    match = NUMBERED.fullmatch(text.strip())
    if match is None:
        return NOTHING
    pause()
    spec = KINDS["tile"] if match[1] is None else BY_WORD[match[1].casefold()]
    number = int(match[2].replace(",", "")[:18])
    if spec.count is None or number >= spec.count(profile):
        return NOTHING
    hit = Hit(f"{capitalised(spec.one)} {number:,}", spec.one, Target(Selection(spec.kind, (number,), SOURCE)))
    return Answer((hit,), 1, MEANT)


def at_line(profile: Profile, text: str, pause: Pause) -> Answer:
    """``kernel.cpp:123``; ``:123`` for any source."""
    match = AT_LINE.fullmatch(text.strip())
    if match is None:
        return NOTHING
    wanted, number = match[1].strip().casefold(), int(match[2][:9])
    hits = []
    for path in source_paths(profile):
        pause()
        if wanted in path.casefold() and number > 0 and _has_line(profile, path, number):
            short = path.replace("\\", "/").rsplit("/", 1)[-1]
            target = Target(measured_line(profile, path, number), "source", text=path, line=number)
            hits.append(Hit(f"{shortened(short)}:{number}", shortened(path), target))
    return Answer(tuple(hits[:MOST]), len(hits), MEANT)


def at_address(profile: Profile, text: str, pause: Pause) -> Answer:
    """The instruction at an address, else the last one before it."""
    match, listing = ADDRESS.fullmatch(text.strip()), profile.instructions
    if match is None or listing is None or not len(listing.address):
        return NOTHING
    pause()
    wanted = int(match[1] or match[2], 16)
    rows = listing.by_address
    known = listing.address[rows]
    if not known[0] <= wanted <= known[-1]:
        return NOTHING
    place = int(np.searchsorted(known, wanted, "right")) - 1
    begin = int(np.searchsorted(known, known[place], "left"))
    hits = tuple(_instruction(profile, row) for row in rows[begin : place + 1][:MOST].tolist())
    return Answer(hits, place + 1 - begin, MEANT if text.strip().lower().startswith("0x") else 0)


def _instruction(profile: Profile, row: int) -> Hit:
    listing = profile.instructions
    assert listing is not None
    text = shortened(listing.strings.get(int(listing.text[row])))
    target = Target(Selection("instruction", (row,), SOURCE), "source")
    return Hit(f"{int(listing.address[row]):#x}  {text}".strip(), tr("instruction"), target)


def measured_line(profile: Profile, path: str, number: int) -> Selection | None:
    """The rows of the line table for a line of a source; None if nothing was measured for it."""
    lines = profile.lines
    if lines is None:
        return None
    rows = np.flatnonzero(among(lines.file, lines.paths.find(path)) & (lines.line == number))
    return Selection("line", tuple(rows.tolist()), SOURCE) if len(rows) else None


def _has_line(profile: Profile, path: str, number: int) -> bool:
    """Whether a source has that many lines; without its text, whether the line has measurements."""
    sources = profile.sources
    if sources is not None:
        for place in sources.paths.find(path)[-1:].tolist():
            return number <= len(line_texts(sources.texts.get(place)))
    return measured_line(profile, path, number) is not None


NUMBER_SOURCES = (
    Source("number", tr("Matches by number"), numbered),
    Source("line-number", tr("Lines"), at_line),
    Source("address", tr("Addresses"), at_address),
)


DIGITS = frozenset("0123456789abcdef")


def source_lines(profile: Profile, text: str, pause: Pause) -> Answer:
    """Lines of source texts that contain ``text``."""
    return NOTHING if profile.sources is None else gathered(_source_lines(profile, text.casefold(), pause))


def _source_lines(profile: Profile, wanted: str, pause: Pause) -> Iterator[Hit]:
    sources = profile.sources
    assert sources is not None
    listed = 0
    for number, path in enumerate(sources.paths):
        pause()
        short = path.replace("\\", "/").rsplit("/", 1)[-1]
        for place, line in enumerate(line_texts(sources.texts.get(number)), 1):
            if place % 5000 == 0:
                pause()
            if wanted in line.casefold():
                listed += 1
                measured = measured_line(profile, path, place) if listed <= MOST else None
                target = Target(measured, "source", text=path, line=place)
                yield Hit(shortened(line, wanted), f"{shortened(short)}:{place}", target)


def report_lines(profile: Profile, text: str, pause: Pause) -> Answer:
    """Lines of report texts that contain ``text``."""
    texts = profile.texts
    if texts is None or not len(texts.lines):
        return NOTHING
    pause()
    ids = np.flatnonzero(matching_texts(texts.lines, text))
    hits = []
    for index in ids[:MOST].tolist():
        file = int(np.searchsorted(np.array(texts.first), index, "right")) - 1
        name, line = texts.names[file], index - texts.first[file] + 1
        target = Target(panel="texts", text=name, line=line)
        hits.append(Hit(shortened(texts.lines[index], text), f"{shortened(name)}:{line}", target))
    return Answer(tuple(hits), len(ids))


def instructions(profile: Profile, text: str, pause: Pause) -> Answer:
    """Instructions whose disassembly, or whose address as written (0x1a40), contains ``text``."""
    listing = profile.instructions
    if listing is None or not len(listing.address):
        return NOTHING
    pause()
    chosen = np.append(matching_texts(listing.strings, text), False)[listing.text]
    pause()
    rows = np.flatnonzero(chosen | written_so(listing.address, text.strip().casefold()))
    hits = []
    for row in rows[:MOST].tolist():
        address = int(listing.address[row])
        shown = shortened(listing.strings.get(int(listing.text[row])), text)
        target = Target(Selection("instruction", (row,), SOURCE), "source")
        hits.append(Hit(f"{address:#x}  {shown}" if address >= 0 else shown, tr("instruction"), target))
    return Answer(tuple(hits), len(rows))


def written_so(addresses: I64, text: str) -> Bool:
    """bool[n]: addresses (-1 unknown) that contain these hexadecimal digits; after "0x" those that begin with them."""
    digits = text.removeprefix("0x")
    matched: Bool = np.zeros(len(addresses), np.bool_)
    if text == "0":
        matched = addresses == 0
    if not 0 < len(digits) <= 16 or not set(digits) <= DIGITS or text.isalpha():
        return matched
    value, mask = int(digits, 16), (1 << 4 * len(digits)) - 1
    known = addresses.astype(np.uint64)
    for place in range(16 - len(digits) + 1):
        here = known >> np.uint64(4 * place)
        if text.startswith("0x"):
            matched |= here == np.uint64(value)
        elif digits.startswith("0"):  # a leading zero only matches after other digits
            matched |= ((here & np.uint64(mask)) == np.uint64(value)) & (here > np.uint64(mask))
        else:
            matched |= (here & np.uint64(mask)) == np.uint64(value)
    return matched & (addresses >= 0)


def files(profile: Profile, text: str, pause: Pause) -> Answer:
    """Files whose path contains ``text``: those that were opened, sources, parts of a report."""
    pause()
    return gathered(hit for hit in _files(profile) if text.casefold() in f"{hit.text}\n{hit.detail}".casefold())


def _files(profile: Profile) -> Iterator[Hit]:
    for file in profile.origin.paths:
        yield Hit(shortened(file.name), shortened(str(file.parent)), Target(panel="summary"))
    for path in source_paths(profile):
        folder, _, name = path.replace("\\", "/").rpartition("/")
        yield Hit(shortened(name), shortened(folder) or tr("source"), Target(panel="source", text=path, line=1))
    texts = profile.texts.names if profile.texts is not None else ()
    for name in texts:
        yield Hit(shortened(name), tr("report text"), Target(panel="texts", text=name, line=1))
    if profile.report_files is not None:
        for row, name in enumerate(profile.report_files.names):
            if name not in texts:
                what = profile.report_files.what[row]
                yield Hit(shortened(name), shortened(what), Target(table="report-files", row=row))


SEARCHED: frozenset[Mode] = frozenset({"search"})


OF_ONE_TABLE = 20
"""The maximum number of rows listed per table, so that a long one leaves room for the others."""


def cells(profile: Profile, text: str, pause: Pause) -> Answer:
    """Rows with a cell that contains ``text`` (or equals that whole number), table by table."""
    hits: list[Hit] = []
    total = 0
    for spec in TABLES:
        pause()
        for table in () if spec.is_slow(profile) else spec.tables(profile):
            answer = rows(table, text, pause)
            total += answer.total
            hits += answer.hits[: MOST - len(hits)]
    return Answer(tuple(hits), total)


def rows(table: Table, text: str, pause: Pause) -> Answer:
    """The matching rows of one table, each by its first matching cell."""
    number = whole_number(text)
    every: Bool = np.zeros(table.rows, np.bool_)
    where: dict[int, int] = {}
    for place, column in enumerate(table.columns):
        pause()
        matched = column_hits(column, text, number)
        if matched is None:
            continue
        if column.missing is not None:
            matched = matched & ~column.missing
        for row in np.flatnonzero(matched & ~every)[:OF_ONE_TABLE].tolist():
            where[row] = place
        every |= matched
    hits = [_text_hit(table, row, where[row], text) for row in sorted(where)[:OF_ONE_TABLE]]
    return Answer(tuple(hits), int(np.count_nonzero(every)))


def _text_hit(table: Table, row: int, place: int, text: str) -> Hit:
    column = table.columns[place]
    value = column.value(row)
    shown = (
        f"{value:#x}"
        if column.hexadecimal and isinstance(value, int)
        else f"{value:,}"
        if isinstance(value, int)
        else str(value)
    )
    where = tr("{table}: {column}, row {row:,}", table=table.title, column=column.title, row=row + 1)
    return Hit(shortened(shown, text), shortened(where), Target(table=table.id, row=row))


TEXT_SOURCES = (
    Source("files", tr("Files"), files),
    Source("instructions", tr("Instructions"), instructions),
    Source("source-text", tr("Source lines"), source_lines, SEARCHED),
    Source("report-text", tr("Report lines"), report_lines, SEARCHED),
    Source("cells", tr("Table cells"), cells, frozenset({"search"}), slow=True),
)


SOURCES: tuple[Source, ...] = (
    *NUMBER_SOURCES,
    *sources(),
    *TEXT_SOURCES,
)
"""In the order in which their hits are listed."""


PANEL = "timeline"


def notes_source(notes: Sequence[TimeNote]) -> Source:
    """The notes of the current profile, in creation order."""

    def find(_profile: Profile, text: str, _pause: Pause) -> Answer:
        wanted = text.casefold()
        return gathered(
            Hit(shortened(note.text, text), tr("note"), Target(panel=PANEL, note=place))
            for place, note in enumerate(notes)
            if wanted in note.text.casefold()
        )

    return Source("notes", tr("Notes"), find)
