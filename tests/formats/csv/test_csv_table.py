"""The reader of CSV files: any columns, separators, encodings, lengths, damage."""

from __future__ import annotations

import csv
import io
import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats.ascend_capture.sheet import Sheet
from app.formats.csv import lines as csv_lines
from app.formats.csv import table as csv_table
from app.formats.csv.lines import LineProblems
from app.formats.csv.table import MAX_COLUMNS, MOST_STRAY, read_table
from app.formats.errors import FormatError
from app.formats.events import Event
from app.profile.ascend_report import ReportTable
from app.profile.issue import Issue
from fakes.report_members import Bytes
from generators.memory_source import MemorySource


def read(content: bytes | str) -> tuple[ReportTable, list[Issue]]:
    issues: list[Issue] = []

    def sink(event: Event) -> None:
        assert isinstance(event, Issue)
        issues.append(event)

    data = content if isinstance(content, bytes) else content.encode()
    problems = LineProblems(sink, "t.csv")
    table = read_table(Bytes(data), "t", "t.csv", problems, lambda _: None)
    problems.finish()
    return table, issues


def cells(table: ReportTable) -> dict[str, list[float | str | None]]:
    """The columns by title; None for no data."""
    made: dict[str, list[float | str | None]] = {}
    for column in table.columns:
        values = column.of_core(0).tolist()
        if column.strings is None:
            made[column.name] = [None if value != value else value for value in values]
        else:
            made[column.name] = [column.strings[value] if value >= 0 else None for value in values]
    return made


SHAPES = {
    "plain": "a,b\n1,x\n2,y\n",
    "comma at the end of lines": "a,b,\n1,x,\n2,y,\n",
    "byte order mark": "\ufeffa,b\n1,x\n2,y\n",
    "windows": "a,b\r\n1,x\r\n2,y\r\n",
    "no line end": "a,b\n1,x\n2,y",
    "semicolons": "a;b\n1;x\n2;y\n",
    "tabs": "a\tb\n1\tx\n2\ty\n",
    "blank lines": "\n a , b \n\n1,x\n\n2,y\n\n",
    "quotes": '"a","b"\n"1","x"\n"2","y"\n',
}


@pytest.mark.parametrize("content", SHAPES.values(), ids=SHAPES)
def test_every_way_to_write_a_table_gives_the_same(content: str) -> None:
    table, issues = read(content)
    assert cells(table) == {"a": [1.0, 2.0], "b": ["x", "y"]}
    assert not issues


def test_utf_16_is_read() -> None:
    assert cells(read("a,b\n1,x\n2,y\n".encode("utf-16"))[0]) == {"a": [1.0, 2.0], "b": ["x", "y"]}


def test_no_data_is_not_zero() -> None:
    table, _ = read("a,b,c\nNA,N/A,\n0.000000,x, na \n,y,\n")
    assert cells(table) == {"a": [None, 0.0, None], "b": [None, "x", "y"], "c": [None, None, None]}


def test_quoted_cells_keep_separators_quotes_and_lines() -> None:
    table, issues = read('code,detail\n1,"XD:X1,""IMM"",\nsecond"\n2,plain\n')
    assert cells(table) == {"code": [1.0, 2.0], "detail": ['XD:X1,"IMM",\nsecond', "plain"]}
    assert not issues


def test_text_after_numbers_makes_the_whole_column_text() -> None:
    rows = 40_000
    table, _ = read("a,b\n" + "0.500000,1\n" * rows + "half,1\n")
    assert cells(table)["a"] == ["0.500000"] * rows + ["half"]
    assert cells(table)["b"] == [1.0] * (rows + 1)


@pytest.mark.parametrize("cell", ["0x10", "007", "1_000", "9007199254740993", "inf", "1e999", "\u0661"])
def test_what_no_float_can_hold_stays_text(cell: str) -> None:
    assert cells(read(f"a\n{cell}\n")[0]) == {"a": [cell]}


def test_rows_of_another_length_are_named_by_their_line() -> None:
    table, issues = read("a,b,c\n1,2,3\n4,5\n6,7,8,9\n")
    assert cells(table) == {"a": [1, 4, 6], "b": [2, 5, 7], "c": [3, None, 8], "(column 4)": [None, None, 9]}
    assert [issue.where for issue in issues] == ["t.csv: line 3", "t.csv: line 4"]


@pytest.mark.parametrize("rows", ["", "1,2,3\n"], ids=["irregular", "after regular rows"])
def test_line_breaks_in_cells_and_blank_lines_count(rows: str) -> None:
    _, issues = read(f'a,b,c\n{rows}1,"x\ny\r\nz",3\n\n4,5\n"\n",2\n1,"2" 3\n\n6,7,8,9\n')
    first = 2 + rows.count("\n")
    assert {issue.where for issue in issues} == {f"t.csv: line {first + at}" for at in (4, 5, 7, 9)}


def test_a_truncated_file_keeps_what_it_has() -> None:
    table, issues = read('a,b,c\n1,"x",2\n3,"y')
    assert cells(table) == {"a": [1, 3], "b": ["x", "y"], "c": [2, None]}
    assert issues[0].where == "t.csv: line 3"


def test_a_quote_that_is_never_closed_costs_one_line() -> None:
    content = "a,b\n" + '1,"x\n' + "2,y\n" * 60_000
    table, issues = read(content)
    assert table.rows == 60_001
    assert cells(table)["a"][:3] == [1, 2, 2]
    assert [issue.where for issue in issues] == ["t.csv: line 2"]


def test_two_columns_of_one_name_are_both_kept() -> None:
    table, _ = read("a,a\n1,2\n")
    assert [(column.name, column.of_core(0).tolist()) for column in table.columns] == [("a", [1.0]), ("a", [2.0])]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_a_format_error(content: bytes) -> None:
    with pytest.raises(FormatError):
        read(content)


def test_a_header_alone_is_a_table_without_rows() -> None:
    assert read("a,b,\n")[0].rows == 0


def test_very_many_columns_are_cut_with_a_word() -> None:
    table, issues = read(",".join(f"c{n}" for n in range(MAX_COLUMNS + 5)) + "\n1\n")
    assert len(table.columns) == MAX_COLUMNS
    assert issues


def test_short_rows_under_a_wide_header_do_not_fill_the_memory() -> None:
    """4,000 columns and a million rows of one cell would be 32 GB of cells."""
    table, issues = read(",".join(f"c{n}" for n in range(4000)) + "\n" + "1\n" * 1_000_000)
    assert table.rows * 4000 < 20_000_000
    assert any(issue.severity == "error" for issue in issues)


def test_a_line_without_end_stops_the_table() -> None:
    table, issues = read("a,b\n1,2\n" + "3" * 5_000_000)
    assert cells(table) == {"a": [1.0], "b": [2.0]}
    assert any("characters" in issue.text for issue in issues)


def test_many_different_texts_are_kept() -> None:
    words = [f"w{n}" for n in range(150_000)]
    table, _ = read("a,b\n" + "".join(f"{word},k{n % 3}\n" for n, word in enumerate(words)))
    assert cells(table)["a"] == words
    assert cells(table)["b"][:4] == ["k0", "k1", "k2", "k0"]


@given(
    st.lists(
        st.tuples(
            st.text(st.characters(exclude_characters="\r", categories=("L", "N", "P", "S", "Z", "Cc")), max_size=8),
            st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)),
        ),
        min_size=1,
        max_size=30,
    ),
    st.sampled_from(",;\t"),
)
@settings(deadline=None)
def test_what_is_written_is_read(rows: list[tuple[str, float | None]], separator: str) -> None:
    """Any text in quotes, and any float that has at most 53 bits before the point."""
    lines = [f"name{separator}value"]
    for name, value in rows:
        quoted = '"' + name.replace('"', '""') + '"'
        lines.append(f"{quoted}{separator}{'NA' if value is None else repr(value)}")
    table, _ = read("\n".join(lines) + "\n")
    made = cells(table)
    assert len(made["value"]) == len(rows)
    for (_, value), cell in zip(rows, made["value"], strict=True):
        assert (cell is None) == (value is None)
        assert cell is None or value is None or float(cell) == value
    if any(isinstance(cell, str) for cell in made["name"]):
        wanted = [name if name.strip().upper() not in ("", "NA", "N/A", "NAN", "-NAN") else None for name, _ in rows]
        assert made["name"] == wanted


@given(st.binary(max_size=400), st.integers(0, 1 << 30))
@settings(deadline=None)
def test_any_bytes_are_read_or_refused(noise: bytes, seed: int) -> None:
    randomly = random.Random(seed)
    content = bytearray(b'a,b,"c",d,\n1,2,x,NA,\n3,4,"y,z",5,\n')
    at = randomly.randrange(len(content))
    content[at : at + randomly.randrange(4)] = noise
    try:
        table, _ = read(bytes(content))
    except FormatError:
        return
    assert all(len(column.values) == table.rows for column in table.columns)
    for column in table.columns:
        for value in column.of_core(0).tolist():
            if column.strings is None:
                assert math.isfinite(value) or value != value
            else:
                assert -1 <= value < len(column.strings)


def test_names_of_digits_are_seen_at_the_edges_of_pieces() -> None:
    """A piece is a megabyte: the line that it cuts is looked at with the next one."""
    rows = 120_000
    for shift in range(3):
        content = "x" * shift + "a,b\n" + "1234,567\n" * rows + "1234,007\n"
        table, _ = read(content)
        assert cells(table)["b"][-1] == "007"
        assert table.rows == rows + 1


def test_quotes_across_pieces() -> None:
    row = '"' + "y\n" * 20_000 + '",1\n'
    table, issues = read("a,b\n" + row * 60 + "z,007\n")
    assert table.rows == 61
    assert cells(table)["b"] == ["1"] * 60 + ["007"]
    assert not issues


def test_a_quoted_cell_of_very_many_lines_costs_its_size() -> None:
    """It is too long for a cell: its lines are rows, and its quotes are reported. Each byte is read once, and the lines
    that were tried as one cell come again only once."""
    content = b'a,b\n1,"' + b"\n" * 2_000_000 + b'"\n2,c\n'
    source = MemorySource(content, "t.csv")
    told: list[Event] = []
    table = read_table(source, "t", "t.csv", LineProblems(told.append, "t.csv"), lambda _: None)
    assert cells(table) == {"a": [1.0, None, 2.0], "b": [None, None, "c"]}
    where = [issue.where for issue in told if isinstance(issue, Issue) and "not closed" in issue.text]
    assert where == ["t.csv: line 2", "t.csv: line 2,000,002"]
    assert len(told) == 3
    assert sum(length for _, length in source.reads) < 1.1 * source.size


def test_a_quoted_cell_of_many_lines_is_one_cell() -> None:
    table, issues = read('a,b\n1,"' + "x\n" * 50_000 + '"\n2,c\n')
    assert cells(table) == {"a": [1.0, 2.0], "b": ["x\n" * 50_000, "c"]}
    assert not issues


def test_stray_quotes_everywhere_are_characters_in_the_end() -> None:
    rows = MOST_STRAY + 5_000
    table, issues = read("a,b\n" + '"x\n' * rows)
    assert table.rows == rows
    assert cells(table)["a"][-1] == '"x'
    assert len([issue for issue in issues if issue.where == "t.csv: line 2"]) == 2, "a stray quote and a short row"
    assert len(issues) < 30


ODD = (
    *("1", "-2.5", "007", "1_0", "NA", "n/a", "", "nan", "-NaN", "NANA", "-NA", " 3 ", "1 5", "+4", ".5", "5.", "1e3"),
    *(
        "1E400",
        "true",
        "null",
        "[1",
        "2]",
        "1,2",
        "é",
        "inf",
        "99999999999999999999",
        "-0",
        "0x1F",
        '"a"',
        "1;5",
        "/",
        "A",
    ),
)


@given(st.lists(st.sampled_from(ODD), min_size=1, max_size=6))
def test_cells_read_together_are_what_they_are_one_by_one(cells: list[str]) -> None:
    together = csv_table.numbers_in(cells)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_table, "_quickly", lambda _: None)
        apart = csv_table.numbers_in(cells)
    assert (together is None) == (apart is None)
    if together is not None and apart is not None:
        np.testing.assert_array_equal(together, apart)


@given(st.lists(st.text('ab",;\n\r\t 1\0', max_size=12), max_size=30), st.sampled_from([",", ";", "\t"]))
@settings(deadline=None)
def test_any_cells_that_were_written_are_read(rows: list[str], separator: str) -> None:
    """A table with quotes, separators and line ends inside cells."""
    file = io.StringIO()
    writer = csv.writer(file, delimiter=separator, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(["first", "second"])
    writer.writerows([[cell, f"x{number}"] for number, cell in enumerate(rows)])
    table, issues = read(file.getvalue())
    shown = cells(table)
    assert issues == []
    wanted = [None if csv_table.no_data(cell) else cell.replace("\r\n", "\n").replace("\r", "\n") for cell in rows]
    if all(value is None or isinstance(value, str) for value in shown["first"]):
        assert shown["first"] == wanted
    if rows:
        assert shown["second"] == [f"x{number}" for number in range(len(rows))]


PIECES = (
    *("1", "12.5", "-3", "0.000", "", "N/A", "NA", "007", "0", "-0", "5.", ".5", "-", ".", "1.2.3", "1e3", "+4", " 7"),
    *("9007199254740993", "1234567890123456", "123456789012345.6", "12345678.9", "12345678", "123456789", "1234567.25"),
    *(
        "x",
        "xy",
        "é",
        "a text of some length",
        "a text of same length",
        '"12"',
        '"a,b"',
        '"a\nb"',
        '"a\r\nb"',
        '"say ""x"""',
    ),
    *(
        '""',
        '""""',
        "00.5",
        "-007",
        "nan",
        "inf",
        '"""1,2;3"""',
        "1736408883704643.212\t",
        "12.345",
        "99999999999999.999",
    ),
)


def _shown(values: Sequence[float | str | None]) -> str:
    """Values for comparing: NaN is NaN, and 0 has no sign."""
    return repr([value + 0.0 if isinstance(value, float) else value for value in values])


def rows_of(cells: st.SearchStrategy[str], width: int) -> st.SearchStrategy[list[list[str]]]:
    return st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1, max_size=12)


@given(
    rows_of(st.sampled_from(PIECES), 3) | rows_of(st.text('a1.-",\n\r\t\0é', max_size=4), 3),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from([7, 40, 1 << 20]),
    st.booleans(),
)
@settings(deadline=None, max_examples=300)
def test_rows_from_bytes_are_those_of_the_csv_module(rows: list[list[str]], end: str, piece: int, kinds: bool) -> None:
    """Values, ids of texts, and issues with their places, with rows taken from bytes and without."""
    content = end.join(["a,b,c", *(",".join(row) for row in rows)]).encode() + end.encode()

    def once() -> tuple[object, list[str]]:
        told: list[Event] = []
        problems = LineProblems(told.append, "t.csv")
        if kinds:
            sheet = Sheet(lambda title: {"a": "time", "b": "number"}.get(title, "text"))  # type: ignore[arg-type, return-value]
            sheet.read(Bytes(content), problems, lambda _: None)
            ids, strings = sheet.texts("c")
            values: object = [
                sheet.times("a").tolist(),
                _shown(sheet.numbers("b").tolist()),
                ids.tolist(),
                strings.tolist(),
            ]
        else:
            table = read_table(Bytes(content), "t", "t.csv", problems, lambda _: None)
            values = [(column.kind, _shown(cells(table)[column.name])) for column in table.columns]
        problems.finish()
        return values, sorted(map(repr, told))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_lines, "CHUNK", piece)
        fast = once()
        patch.setattr(csv_table, "regular_rows", lambda *_: None)
        assert fast == once()


def test_a_cell_of_any_width_is_the_nearest_number() -> None:
    rows = [str(value / 10**digits) for digits in range(15) for value in (1, 7, 123, 99_999_999, 123_456_789_012)]
    rows = [row for row in rows if "e" not in row]
    table, _ = read("a,b\n" + "".join(f"{row},x\n" for row in rows))
    assert cells(table)["a"] == [float(row) for row in rows]
