"""Search in lines of sources and report texts, instructions, file names, and the cells of every table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.analysis.lookup.by_number import measured_line
from app.analysis.lookup.hit import MOST, NOTHING, SOURCE, Answer, Hit, Mode, Pause, Source, Target, gathered, shortened
from app.analysis.matching import column_hits, matching_texts, whole_number
from app.analysis.source_view import source_paths
from app.analysis.table import Table
from app.analysis.tables import TABLES
from app.analysis.tables.ascend_source import line_texts
from app.language import tr
from app.profile.arrays import I64, Bool
from app.profile.profile import Profile
from app.profile.selection import Selection

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
    hits = [_hit(table, row, where[row], text) for row in sorted(where)[:OF_ONE_TABLE]]
    return Answer(tuple(hits), int(np.count_nonzero(every)))


def _hit(table: Table, row: int, place: int, text: str) -> Hit:
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


SOURCES = (
    Source("files", tr("Files"), files),
    Source("instructions", tr("Instructions"), instructions),
    Source("source-text", tr("Source lines"), source_lines, SEARCHED),
    Source("report-text", tr("Report lines"), report_lines, SEARCHED),
    Source("cells", tr("Table cells"), cells, frozenset({"search"}), slow=True),
)
