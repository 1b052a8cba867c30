"""The result of one part of the soak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Worst(NamedTuple):
    """The highest figure of a kind, and the name of its case."""

    figure: float = 0.0
    case: str = ""


NONE = Worst()


@dataclass(frozen=True, slots=True)
class Costs:
    """The worst costs of one format: processor seconds, seconds and megabytes of memory per megabyte of the files, and
    seconds until a cancelled load has ended."""

    format: str
    seconds: Worst = NONE
    seconds_each: Worst = NONE
    megabytes_each: Worst = NONE
    cancel: Worst = NONE


@dataclass(frozen=True, slots=True)
class Outcome:
    """``told``: a summary of the figures; ``wrong``: a line for each failure, empty on success."""

    name: str
    told: str
    wrong: tuple[str, ...] = ()
    costs: Costs | None = None


def table(costs: Sequence[Costs]) -> list[str]:
    """The lines of a table with the worst costs of each format."""
    head = ("format", "worst", "", "s/MB", "", "MB/MB", "", "cancel", "")
    rows: list[tuple[str, ...]] = [head]
    for one in costs:
        cells = [one.format]
        for worst, form in zip(
            (one.seconds, one.seconds_each, one.megabytes_each, one.cancel),
            ("{:.2f} s", "{:.1f}", "{:.0f}", "{:.2f} s"),
            strict=True,
        ):
            cells += [form.format(worst.figure), worst.case] if worst.case else ["\u2013", ""]
        rows.append(tuple(cells))
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
