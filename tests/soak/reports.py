"""Damage to operator reports: tables as other tools would write them, packs whose entries lie, folders that change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from generators.ascend_report import Entry, Variant, entries_of, pack
from soak import raw

Rows: TypeAlias = list[list[str]]


class Csv(Struct, frozen=True):
    """A table without quoted separators."""

    content: bytes

    def whole(self) -> bytes:
        return self.content

    def damaged(self, random: Random) -> bytes:
        rows = [line.split(",") for line in self.content.decode().splitlines()]
        for _ in range(random.choice((1, 1, 2, 4))):
            random.choice(TABLES)(rows, random)
        text = random.choice((",", ",", ";", "\t", " , ")).join
        end = random.choice(("\n", "\n", "\r\n", "\r", None))
        made = "".join(text(row) + (end or random.choice(("\n", "\r\n", "\r", "\n\n", ""))) for row in rows)
        content = made.encode(random.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16")))
        return raw.damaged(content, random) if random.random() < 0.2 else content


def _shuffle(rows: Rows, random: Random) -> None:
    order = list(range(max(map(len, rows), default=0)))
    random.shuffle(order)
    rows[:] = [[row[place] for place in order if place < len(row)] for row in rows]


def _lose_column(rows: Rows, random: Random) -> None:
    place = random.randrange(max(map(len, rows), default=1) or 1)
    for row in rows:
        del row[place : place + 1]


def _rename(rows: Rows, random: Random) -> None:
    if rows and rows[0]:
        rows[0][random.randrange(len(rows[0]))] = random.choice(
            ("", "New Column", "block_id", "aiv_time(us)", "\0", "é")
        )


def _cells(rows: Rows, random: Random) -> None:
    odd = (
        "",
        "NA",
        "N/A",
        "nan",
        "-1",
        "inf",
        "1e999",
        "007",
        "1_0",
        " 5 ",
        '"',
        '"a',
        'a"b',
        "\0",
        "x" * 5000,
        "9" * 40,
    )
    for row in rows[1:]:
        for place in range(len(row)):
            if random.random() < 0.2:
                row[place] = random.choice(odd)


def _lengths(rows: Rows, random: Random) -> None:
    for row in rows:
        if random.random() < 0.3:
            row[random.randrange(len(row) + 1) :] = ["7"] * random.choice((0, 1, 40))


def _repeat(rows: Rows, random: Random) -> None:
    if rows:
        rows[1:1] = [list(random.choice(rows)) for _ in range(random.choice((1, 3, 200)))]


TABLES: tuple[Callable[[Rows, Random], None], ...] = (_shuffle, _lose_column, _rename, _cells, _lengths, _repeat)


class Pack(Struct, frozen=True):
    """A pack of ``files``; damage makes entries overlap, end early, repeat names, or lie about their place."""

    files: Mapping[str, bytes]
    variant: Variant

    def whole(self) -> bytes:
        return pack(entries_of(self.files, self.variant), self.variant)

    def damaged(self, random: Random) -> bytes:
        entries = entries_of(self.files, self.variant)
        for _ in range(random.choice((1, 2, 5))):
            place = random.randrange(len(entries))
            entries[place] = self._entry(entries[place], random)
        random.shuffle(entries)
        head = random.choice(
            ({}, {}, {"count": random.choice(raw.COUNTS) % 2**32}, {"length": random.choice(raw.COUNTS)})
        )
        content = pack(entries, self.variant, **head)
        return content[: random.randrange(len(content))] if random.random() < 0.2 else content

    def _entry(self, entry: Entry, random: Random) -> Entry:
        match random.randrange(5):
            case 0:
                return replace(entry, offset=random.choice((0, 36, 500, 1476, *raw.COUNTS)))
            case 1:
                return replace(entry, size=random.choice((0, 1, len(entry.content) + 200, *raw.COUNTS)))
            case 2:
                return replace(
                    entry, name=random.choice((b"", b"../a.csv", b"Memory.csv", b"\xff", b"a\0b", b"x" * 200))
                )
            case 3:
                return replace(entry, content=raw.damaged(entry.content, random))
            case _:
                return replace(entry, magic=b"whatever", after=random.randrange(99))


def change(paths: list[Path], random: Random) -> None:
    """Changes some files on disk: they vanish, shrink, grow, or become folders."""
    for path in paths:
        if random.random() < 0.4 and path.is_file():
            content = path.read_bytes()
            match random.randrange(4):
                case 0:
                    path.unlink()
                case 1:
                    path.write_bytes(content[: random.randrange(len(content) + 1)])
                case 2:
                    path.write_bytes(content + content)
                case _:
                    path.unlink()
                    path.mkdir()
