"""Memory paths, rooflines, and the memory tables of all blocks, with those of one kind joined."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.ascend import paths as roofs
from app.analysis.ascend.launch import block_number
from app.analysis.ascend.paths import path_names
from app.analysis.ascend.typed_columns import count_column, hit_percent, key_of
from app.analysis.table import Coded, Column, Table, Unit
from app.language import tr
from app.profile.arrays import F64, I32, I64, expand
from app.profile.ascend import UNIT_NAMES, MemoryTables
from app.profile.profile import Profile
from app.profile.strings import Strings

STORED_HIT = tr("As stored in the file, in percent for any kind of value.")
HIT = "100 · hit / (hit + miss)."
REQUESTS = tr("As stored in the file.")
THEORETICAL = tr("the path's theoretical bandwidth")
BANDWIDTH = tr("Bytes moved / duration of the operator.")


def memory_paths(profile: Profile, entry: int | None = None) -> Table | None:
    """One row per path of a block: of all blocks, or only of row ``entry`` of the blocks."""
    paths = profile.memory_paths
    if paths is None or not len(paths.entry):
        return None
    rows = np.flatnonzero(paths.entry == entry) if entry is not None else np.arange(len(paths.entry))
    known, names = path_names(paths.path[rows])
    columns = [
        Column("block", tr("Block"), Coded(paths.blocks.block[paths.entry[rows]], paths.strings)),
        Column("type", tr("Operator type"), Coded(paths.blocks.operator_type[paths.entry[rows]], paths.strings)),
        Column(
            "path",
            tr("Path"),
            paths.path[rows],
            missing=paths.path[rows] < 0,
            help=tr("Number of the path in the file."),
            role="key",
        ),
        Column("name", tr("Name"), Coded(known, names[0])),
        Column("from", tr("From"), Coded(known, names[1])),
        Column("to", tr("To"), Coded(known, names[2])),
        count_column("request", tr("Requests"), paths.request[rows]),
        Column("bandwidth", tr("Bandwidth"), paths.bandwidth[rows], "GB/s", BANDWIDTH, stored=True),
        Column("peak", tr("Peak share"), paths.peak[rows], "%", share_of=THEORETICAL, stored=True),
        Column(
            "display",
            tr("Shown by default"),
            paths.display[rows],
            help=tr("No: the diagram shows it only with all paths."),
        ),
    ]
    for key, title, suffix in (
        ("bandwidth_suffix", tr("Remark on the bandwidth"), paths.bandwidth_suffix),
        ("request_suffix", tr("Remark on the requests"), paths.request_suffix),
    ):
        if (suffix >= 0).any():
            columns.append(Column(key, title, Coded(suffix[rows], paths.strings)))
    return Table("memory-paths", tr("Memory paths"), tuple(columns), "memory_path", rows.astype(np.int64))


def memory_blocks(profile: Profile) -> Table | None:
    """One row per block of the memory graph: its L2 cache and how busy its units are."""
    paths = profile.memory_paths
    if paths is None or not len(paths.blocks.block):
        return None
    blocks = paths.blocks
    columns = [
        Column("block", tr("Block"), Coded(blocks.block, paths.strings)),
        Column("type", tr("Operator type"), Coded(blocks.operator_type, paths.strings)),
        Column("chip", tr("Chip family"), Coded(blocks.soc, paths.strings)),
        count_column("hit", tr("L2 hits"), blocks.hit),
        count_column("miss", tr("L2 misses"), blocks.miss),
        count_column("requests", tr("L2 requests"), blocks.total, help=REQUESTS),
        Column(
            "hit_rate", tr("L2 hit rate"), hit_percent(blocks.hit, blocks.miss), "%", HIT, share_of=tr("L2 requests")
        ),
        Column(
            "stored_hit_rate",
            tr("L2 hit rate in the file"),
            blocks.hit_rate,
            "%",
            STORED_HIT,
            share_of=tr("L2 requests"),
            stored=True,
        ),
    ]
    for place, unit in enumerate(UNIT_NAMES):
        if not np.isnan(blocks.unit_total_cycles[:, place]).all():
            key = unit.lower()
            busy, total = blocks.unit_cycles[:, place], blocks.unit_total_cycles[:, place]
            columns.append(count_column(f"{key}_cycles", tr("{unit} cycles", unit=unit), busy, "cycles"))
            columns.append(count_column(f"{key}_total", tr("{unit} total cycles", unit=unit), total, "cycles"))
            ratio = blocks.unit_ratio[:, place]
            columns.append(
                Column(
                    f"{key}_ratio",
                    tr("{unit} busy", unit=unit),
                    ratio,
                    "%",
                    share_of=tr("{unit} total cycles", unit=unit),
                    stored=True,
                )
            )
    columns.append(Column("advice", tr("Advice"), tuple("; ".join(lines) for lines in blocks.advice)))
    keys = np.array([block_number(paths.strings.get(code)) for code in blocks.block.tolist()], np.int64)
    return Table("memory-blocks", tr("L2 cache and units of the blocks"), tuple(columns), "block", keys)


def roofline(profile: Profile) -> Table | None:
    """One row per roof with its point."""
    own = profile.roofline
    if own is None or not len(own.chart):
        return None
    ratio = 100.0 * roofs.ratios(own)
    stored = 100.0 * own.ratio
    recomputed = tr("100 · performance / min(intensity · bandwidth, compute).")
    bound = tr(
        "Above 80 % of its roof: memory-bound left of the ridge, compute-bound right of it; otherwise latency-bound."
    )
    columns = (
        Column("chart", tr("Chart"), Coded(own.chart, Strings.of(own.titles))),
        Column("bandwidth_name", tr("Memory"), Coded(own.bandwidth_name, own.strings)),
        Column("bandwidth", tr("Bandwidth"), own.bandwidth, "TB/s", stored=True),
        Column("compute_name", tr("Computing unit"), Coded(own.compute_name, own.strings)),
        Column("compute", tr("Compute"), own.compute, "TOps/s", stored=True),
        Column("ridge", tr("Ridge"), roofs.ridges(own), "Ops/Byte", tr("compute / bandwidth.")),
        Column("intensity", tr("Arithmetic intensity"), own.intensity, "Ops/Byte", stored=True),
        Column("performance", tr("Performance"), own.performance, "TOps/s", stored=True),
        Column("ratio", tr("Ratio"), ratio, "%", recomputed, share_of=tr("the roof at this intensity")),
        Column(
            "stored_ratio",
            tr("Ratio in the file"),
            stored,
            "%",
            tr("As stored in the file."),
            share_of=tr("the roof at this intensity"),
        ),
        Column("bound", tr("Bound"), roofs.verdicts(own), help=bound),
    )
    return Table("roofline", tr("Roofline"), columns, "roof", note=own.advice)


TITLES = {
    "hit": tr("Hits"),
    "miss": tr("Misses"),
    "hit rate": tr("Hit rate"),
    "peak": tr("Peak share"),
    "cycle": tr("Cycles"),
    "active bw": tr("Active bandwidth"),
}
"""Titles of the file that have another name elsewhere in the program."""
_UNITS: dict[str, Unit] = {"gb/s": "GB/s", "%": "%", "us": "µs", "μs": "µs", "µs": "µs"}
_IMPLIED: dict[str, Unit] = {"cycle": "cycles", "cycles": "cycles", "throughput": "GB/s"}
"""Units that the titles of earlier writers omit, by the last word or the whole title. That of a hit rate is then
unknown (a fraction or a percentage)."""
_TITLE = re.compile(r"\s*(?P<words>.*?)\s*(?:\((?P<unit>[^()]*)\))?\s*")


def title_and_unit(written: str) -> tuple[str, Unit]:
    """The title of a column that the file calls ``written``, without its unit, and that unit."""
    parts = _TITLE.fullmatch(written)
    words, unit = (parts["words"], (parts["unit"] or "").lower()) if parts else (written, "")
    if unit and unit not in _UNITS:
        return written, ""
    lowered = words.lower()
    implied: Unit = _IMPLIED.get(lowered) or _IMPLIED.get(lowered.rsplit(" ", 1)[-1], "")
    return TITLES.get(lowered, words[:1].upper() + words[1:]), _UNITS.get(unit, implied)


SHIFTED = tr("A row has more values than the table has titles: values may be under the wrong title and lack a unit.")
PREFIX = "memory-table/"
MOST_ADVICE = 8
_SPARE = 100_000
"""Cells that a joined table may have beyond those of its tables, if their columns differ."""


def memory_tables(profile: Profile) -> tuple[Table, ...]:
    """One table per kind (those with the same name, whatever the block) with the block of each row, named
    ``memory-table/NAME``; second tables of one name in a block form ``memory-table/NAME/2``."""
    stored = profile.memory_tables
    if stored is None:
        return ()
    tables = _Tables(stored)
    return tuple(tables.joined(numbers, table_id, name) for table_id, name, numbers in tables.listed())


def memory_table_titles(profile: Profile) -> dict[str, str]:
    """The titles of these tables by their ids, without making them."""
    stored = profile.memory_tables
    return {} if stored is None else {table_id: name for table_id, name, _ in _Tables(stored).listed()}


def memory_table(profile: Profile, table_id: str) -> Table | None:
    """One of these tables, without making the others; None if there is none of that id."""
    stored = profile.memory_tables
    if stored is None:
        return None
    tables = _Tables(stored)
    wanted = ((name, numbers) for own, name, numbers in tables.listed() if own == table_id)
    return next((tables.joined(numbers, table_id, name) for name, numbers in wanted), None)


def memory_table_of_block(profile: Profile, table_id: str) -> Table | None:
    """The rows of one block, by the name that its table had in earlier versions with one table per block:
    ``memory-table/BLOCK/NAME``, and ``memory-table/BLOCK/NAME/2`` for a second one. None if there is none."""
    stored = profile.memory_tables
    if stored is None:
        return None
    tables = _Tables(stored)
    counts: dict[str, int] = defaultdict(int)
    for number in range(len(stored)):
        block, name = tables.block(number), tables.name(number)
        own = f"{PREFIX}{block or stored.block[number]}/{name}"
        counts[own] += 1
        if table_id == (own if counts[own] == 1 else f"{own}/{counts[own]}"):
            return tables.joined([number], table_id, tr("{name}, block {block}", name=name, block=block))
    return None


class _Tables(Struct, frozen=True):
    stored: MemoryTables

    def block(self, number: int) -> str:
        """The name of the block that table ``number`` is of."""
        return self.stored.strings.get(int(self.stored.block_name[self.stored.block[number]]))

    def name(self, number: int) -> str:
        return self.stored.strings.get(int(self.stored.name[number]))

    def titles(self, number: int) -> tuple[int, ...]:
        """Text ids of the columns."""
        stored = self.stored
        return tuple(stored.column_name[stored.first_column[number] : stored.first_column[number + 1]].tolist())

    def rows(self, number: int) -> int:
        return int(self.stored.first_row[number + 1] - self.stored.first_row[number])

    def kinds(self) -> list[tuple[str, list[int]]]:
        """(name, tables) of each kind, in the order of the file. Tables with values beyond their titles stand apart,
        and so do those whose columns differ so much that a joined table would be nearly empty."""
        kinds: dict[tuple[int, int, bool], list[int]] = defaultdict(list)
        seen: dict[tuple[int, int], int] = defaultdict(int)
        for number, (block, name) in enumerate(zip(self.stored.block.tolist(), self.stored.name.tolist(), strict=True)):
            seen[block, name] += 1
            kinds[name, seen[block, name], self.shifted(number)].append(number)
        return [(self.name(part[0]), part) for numbers in kinds.values() for part in self._parts(numbers)]

    def listed(self) -> Iterator[tuple[str, str, list[int]]]:
        """(id, name, tables) of each kind."""
        taken = set[str]()
        for name, numbers in self.kinds():
            table_id, count = f"{PREFIX}{name}", 1
            while table_id in taken:
                count += 1
                table_id = f"{PREFIX}{name}/{count}"
            taken.add(table_id)
            yield table_id, name, numbers

    def shifted(self, number: int) -> bool:
        """Whether a row has more values than there are titles."""
        titles = self.titles(number)
        return bool(titles) and self.stored.strings.get(titles[-1]).startswith("(column ")

    def _parts(self, numbers: list[int]) -> Iterable[list[int]]:
        rows = sum(map(self.rows, numbers))
        cells = sum(self.rows(number) * len(self.titles(number)) for number in numbers)
        if len(self.columns(numbers)) * rows <= 4 * cells + _SPARE:
            return [numbers]
        alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for number in numbers:
            alike[self.titles(number)].append(number)
        return alike.values()

    def columns(self, numbers: Sequence[int]) -> dict[tuple[int, int], int]:
        """The columns of several tables: numbered by text id, and which of those of one title it is."""
        places: dict[tuple[int, int], int] = {}
        for titles in dict.fromkeys(map(self.titles, numbers)):
            for key in _numbered(titles):
                places.setdefault(key, len(places))
        return places

    def joined(self, numbers: Sequence[int], table_id: str, title: str) -> Table:
        """The rows of these tables with the block of each, in one table."""
        stored, strings = self.stored, self.stored.strings
        places = self.columns(numbers)
        counts = [self.rows(number) for number in numbers]
        value = np.full((sum(counts), len(places)), np.nan)
        text = np.full(value.shape, -1, np.int32)
        end = 0
        for number, count in zip(numbers, counts, strict=True):
            begin, end = end, end + count
            where = [places[key] for key in _numbered(self.titles(number))]
            cells = slice(int(stored.first_cell[number]), int(stored.first_cell[number + 1]))
            value[begin:end, where] = stored.value[cells].reshape(count, len(where))
            text[begin:end, where] = stored.text[cells].reshape(count, len(where))
        chosen = np.array(numbers, np.int64)
        rows = expand(stored.first_row[chosen], stored.first_row[chosen + 1])
        owner = np.repeat(stored.block[chosen], counts)
        shifted = self.shifted(numbers[0])
        names = [strings.get(code) for code, _ in places]
        made = [_column(own, value[:, n], text[:, n], strings, shifted=shifted) for n, own in enumerate(names)]
        columns = (
            Column("block", tr("Block"), Coded(stored.block_name[owner], strings)),
            Column("name", self.name(numbers[0]) or tr("Name"), Coded(stored.row_name[rows], strings)),
            *(made if shifted else _counted_rates(made, names, value)),
        )
        notes = (SHIFTED if shifted else "", self._advice(numbers))
        return Table(table_id, title, columns, "block", self._blocks(owner), " ".join(filter(None, notes)))

    def _blocks(self, owner: I32) -> I64:
        """int64: the number of the block of each row, -1 for a mean of several."""
        numbers = [block_number(self.stored.strings.get(code)) for code in self.stored.block_name.tolist()]
        return np.array([*numbers, -1], np.int64)[owner]

    def _advice(self, numbers: Sequence[int]) -> str:
        """What the file advises, each text once, with its blocks where not all have it."""
        blocks: dict[str, list[str]] = defaultdict(list)
        owners = list(dict.fromkeys(int(self.stored.block[number]) for number in numbers))
        for owner in owners:
            for line in dict.fromkeys(self.stored.advice[owner]):
                blocks[line].append(self.stored.strings.get(int(self.stored.block_name[owner])))
        texts = [
            line
            if len(own) == len(owners)
            else tr("{line} (blocks {names})", line=line, names=", ".join(own[:MOST_ADVICE]))
            for line, own in blocks.items()
        ]
        return "; ".join(texts[:MOST_ADVICE])


def _numbered(titles: Sequence[int]) -> list[tuple[int, int]]:
    """Each title with which of its kind it is."""
    seen: dict[int, int] = defaultdict(int)
    keys = []
    for title in titles:
        keys.append((title, seen[title]))
        seen[title] += 1
    return keys


def _column(written: str, value: F64, text: I32, strings: Strings, *, shifted: bool) -> Column:
    """``shifted``: what stands under this title may be something else, so it has no unit."""
    title, unit = title_and_unit(written)
    if (text >= 0).any():
        words = tuple(
            strings.get(int(code)) if code >= 0 else _number_text(cell) for code, cell in zip(text, value, strict=True)
        )
        return Column(key_of(written), title, words)
    if shifted or unit in ("", "cycles"):
        return count_column(key_of(written), title, value, "" if shifted else unit)
    return Column(key_of(written), title, value, unit, stored=True)


def _counted_rates(columns: list[Column], names: list[str], value: F64) -> list[Column]:
    """The columns with hit rates recomputed from the counts of their row: some writers store fractions."""
    places = [names.index(word) if word in names else -1 for word in ("hit", "miss", "hit rate")]
    if -1 in places:
        return columns
    rate = hit_percent(value[:, places[0]], value[:, places[1]])
    column = columns[places[2]]
    return [
        replace(one, values=rate, unit="%", help=HIT, share_of=tr("requests"), stored=False) if one is column else one
        for one in columns
    ]


def _number_text(cell: float) -> str:
    return "" if cell != cell else f"{cell:.15g}"
