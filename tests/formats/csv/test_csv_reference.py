"""The reader of CSV against Python's csv module, on files that were changed at random, and on hostile ones."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats.csv import lines as csv_lines
from app.formats.csv.lines import CHUNK, LineProblems
from app.formats.csv.table import MAX_COLUMNS, no_data, numbers_in, read_table
from app.formats.errors import FormatError
from app.formats.events import Event
from app.formats.json.problems import SHOWN, Problems
from app.formats.source import Source
from app.formats.tenstorrent.device_log import DeviceLog
from app.profile.ascend_report import ReportTable
from app.profile.issue import Issue
from fakes.report_members import Bytes

HEADER = "a,b,c\n"
PLAIN = (
    *("1", "0.5", "-3", "0", "0.0", "N/A", "", "1e3", "1E-05", "0x10", " 5", "5 ", "007", "1_0", "+4", ".5", "5.", "-"),
    *("9" * 15, "9" * 16, "9" * 17, "9" * 40, "0." + "3" * 17, "123456789.123456", "inf", "nan", "x", "é", "\0", "a\0"),
    *("x" * 7, "x" * 8, "x" * 9, "x" * 16, "x" * 17, "x" * 511, "x" * 512, "x" * 513, "x" * 600, "2024-01-01", "1:2"),
)
CELLS = (
    *PLAIN,
    *('"q"', '"a,b"', '"a\nb"', '"a\r\nb"', '""', '"say ""x"""', '"', 'a"b', '"1"', '"""1,2"""'),
)
LOG = (
    b"ARCH: x, CHIP_FREQ[MHz]: 1\nPCIe slot, core_x, core_y, RISC processor type, time[cycles since reset], type\n"
    b"0,1,1,BRISC,5,ZONE_START\n"
)
NOISE = (b'"', b",", b"\n", b"\r", b"\r\n", b"\0", b'""', b"\xff", b"1", b" ", b'",', b'\n"')


def read(source: Source) -> tuple[ReportTable, list[Issue]]:
    told: list[Event] = []
    problems = LineProblems(told.append, "t.csv")
    table = read_table(source, "t", "t.csv", problems, lambda _: None)
    return table, [event for event in told if isinstance(event, Issue)]


def by_the_module(body: bytes) -> tuple[list[list[str]], list[int]] | None:
    """(rows, the lines in which they begin); None where the csv module refuses the file."""
    text = body.decode("utf-8", "backslashreplace").replace("\r\n", "\n").replace("\r", "\n")
    reader = csv.reader(io.StringIO(text, newline="\n"), strict=True)
    rows, lines, begin = [], [], 2
    try:
        for row in reader:
            if row:
                rows.append(row)
                lines.append(begin)
            begin = reader.line_num + 2
    except csv.Error:
        return None
    return rows, lines


def shown(cells: list[str]) -> list[float | str | None]:
    """A column of these cells: numbers if all of them are."""
    numbers = [numbers_in([cell]) for cell in cells]
    if all(number is not None for number in numbers):
        return [None if (value := float(number[0])) != value else value for number in numbers if number is not None]
    return [None if no_data(cell) else cell for cell in cells]


@given(
    st.lists(
        st.lists(st.sampled_from(CELLS), min_size=2, max_size=4)
        | st.lists(st.sampled_from([*PLAIN, '"a\nb"', '"1,5"']), min_size=3, max_size=3),
        max_size=40,
    ),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
    st.lists(st.tuples(st.integers(0, 1 << 20), st.sampled_from(NOISE), st.booleans()), max_size=3),
    st.sampled_from([11, 300, CHUNK]),
)
@settings(deadline=None, max_examples=300)
def test_changed_files_are_what_the_csv_module_reads(
    rows: list[list[str]], end: str, mark: bool, changes: list[tuple[int, bytes, bool]], piece: int
) -> None:
    body = bytearray(end.join(map(",".join, rows)).encode())
    for at, noise, insert in changes:
        at %= len(body) + 1
        body[at : at + (0 if insert else len(noise))] = noise
    header = HEADER.replace("\n", end).encode()
    if end == "\r" and body[:1] == b"\n":
        header = HEADER.encode()  # the two are one line end
        del body[:1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_lines, "CHUNK", piece)
        table, issues = read(Bytes(b"\xef\xbb\xbf" * mark + header + bytes(body)))
    stray = any("not closed" in issue.text for issue in issues)
    wanted = by_the_module(bytes(body))
    assert stray == (wanted is None)
    if wanted is None:
        return
    cells, lines = wanted
    width = max(3, *map(len, cells), 3)
    columns = [[row[place] if place < len(row) else "" for row in cells] for place in range(width)]
    made = []
    for column in table.columns:
        values = column.of_core(0).tolist()
        if column.strings is None:
            made.append([None if value != value else value for value in values])
        else:
            made.append([column.strings[value] if value >= 0 else None for value in values])
    assert made == list(map(shown, columns))
    odd = [line for row, line in zip(cells, lines, strict=True) if len(row) < 3 or not all(map(no_data, row[3:]))]
    told = [issue.where for issue in issues if "this row has" in issue.text]
    assert told[:SHOWN] == [f"t.csv: line {line}" for line in odd[:SHOWN]]


class Repeated(Source):
    """``head``, then one byte again and again. ``taken``: how many bytes were read."""

    def __init__(self, head: bytes, size: int) -> None:
        self.path, self.size, self.taken = Path("t.csv"), size, 0
        self._head = head

    def read(self, offset: int, length: int) -> bytes:
        self.taken += length
        return (self._head[offset : offset + length]).ljust(length, b"3")

    def close(self) -> None:
        pass


def test_a_line_of_a_gigabyte_is_not_read_to_its_end() -> None:
    source = Repeated(b"a,b\n1,2\n", 1 << 30)
    table, issues = read(source)
    assert (table.rows, len(issues)) == (1, 1)
    assert source.taken < 4 * CHUNK


def test_a_line_of_very_many_bytes_is_left_out_of_a_log() -> None:
    told: list[Event] = []
    rows = DeviceLog(Repeated(LOG, 1 << 28), Problems(told.append, "log")).read(lambda _: None)
    assert rows.time.tolist() == [5]
    assert len(told) == 1


@pytest.mark.parametrize("cell", ["1", "x", '"x"'])
def test_a_hundred_thousand_columns(cell: str) -> None:
    width = 100_000
    lines = [",".join(f"c{place}" for place in range(width)), *[",".join([cell] * width)] * 4]
    table, issues = read(Bytes("\n".join(lines).encode()))
    assert (len(table.columns), table.rows) == (MAX_COLUMNS, 4)
    assert {issue.severity for issue in issues} == {"warning"}


@pytest.mark.parametrize("line", ['"', '"",""', '""""""', '"a"b,1', 'a"b,1', '"a,1', '"",', '"""'])
def test_very_many_quotes(line: str) -> None:
    rows = 100_000
    table, issues = read(Bytes(("a,b\n" + f"{line}\n" * rows).encode()))
    assert rows // 2 <= table.rows <= rows
    assert len(issues) < 3 * SHOWN


@pytest.mark.parametrize("seed", range(20))
def test_a_log_of_any_bytes_is_read_or_refused(seed: int) -> None:
    random = Random(seed)
    content = bytearray(LOG + LOG.splitlines(keepends=True)[-1] * 40)
    for _ in range(6):
        at = random.randrange(len(content))
        content[at : at + random.randrange(3)] = random.choice(NOISE)
    try:
        rows = DeviceLog(Bytes(bytes(content)), Problems(lambda _: None, "log")).read(lambda _: None)
    except FormatError:
        return
    assert all(0 <= lane < len(rows.lanes) for lane in rows.lane.tolist())
    assert all(0 <= zone < len(rows.zones) for zone in rows.zone.tolist())
