"""Parses measured throughputs, pasted from a spreadsheet or read from a CSV file."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from app.analysis.scaling.host import Case
from app.analysis.scaling.quantities import a_count
from app.language import tr

MOST_CHARACTERS: Final = 1 << 20
MOST_POINTS: Final = 1000
KINDS: Final = ("throughput", "real", "generated", "synthetic")
FORM: Final = tr(
    "One line per number of replicas: replicas, samples per second. With column names in the first line, any of the "
    "columns replicas, throughput, real, generated, synthetic."
)
_NAMES: Final = {
    "replicas": "replicas",
    "replica": "replicas",
    "r": "replicas",
    "throughput": "throughput",
    "samples/s": "throughput",
    "samples per second": "throughput",
    "real": "real",
    "generated": "generated",
    "synthetic": "synthetic",
}


class Measured(Struct, frozen=True):
    """Samples per second at a number of replicas; ``line`` of the text, from 1."""

    replicas: int
    throughput: float
    line: int = 0


class Points(Struct, frozen=True):
    """``points``: throughputs with real data (or with data of unspecified kind), by rising replicas; ``cases``:
    comparisons of the kinds of data; ``problems``: lines that could not be read, a sentence each."""

    points: tuple[Measured, ...] = ()
    cases: tuple[Case, ...] = ()
    problems: tuple[str, ...] = ()


def parse(text: str) -> Points:
    """Parse columns separated by comma, semicolon, tab or blanks; empty lines and those that begin with # are
    skipped."""
    if len(text) > MOST_CHARACTERS:
        return Points(
            problems=(tr("the text has more than {most_characters:,} characters", most_characters=MOST_CHARACTERS),)
        )
    names: tuple[str, ...] = ()
    points: list[Measured] = []
    cases: list[Case] = []
    problems: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        cells = _cells(line)
        if not cells:
            continue
        if len(points) >= MOST_POINTS:
            problems.append(
                tr("line {number}: more than {most_points:,} points", number=number, most_points=MOST_POINTS)
            )
            break
        try:
            if not names:
                names = _names(cells)
                if _is_head(cells):
                    continue
            point, case = _point(number, dict(zip(names, cells, strict=False)))
        except ValueError as error:
            problems.append(tr("line {number}: {error}", number=number, error=error))
            if not names and _is_head(cells):
                break  # which column is which would be a guess
            continue
        if point is not None:
            points.append(point)
        if case is not None:
            cases.append(case)
    points.sort(key=lambda point: point.replicas)
    return Points(tuple(points), tuple(cases), tuple(problems))


def _cells(line: str) -> list[str]:
    line = line.strip()
    if not line or line.startswith("#"):
        return []
    for separator in (";", "\t", ","):
        if separator in line:
            return [cell.strip().strip('"').strip() for cell in line.split(separator)]
    return line.split()


def _is_head(cells: Sequence[str]) -> bool:
    return cells[0].casefold() in _NAMES or re.search(r"[^\W\d_]{2}", cells[0]) is not None


def _names(cells: Sequence[str]) -> tuple[str, ...]:
    if not _is_head(cells):
        if len(cells) < 2:
            raise ValueError(tr("there is only one column; replicas and samples per second are needed"))
        return ("replicas", *(("throughput",) if len(cells) < 4 else KINDS[1:]))
    names = tuple(_NAMES.get(re.sub(r"\s*[\[(].*", "", cell).casefold(), "") for cell in cells)
    if "replicas" not in names or not set(KINDS) & set(names):
        raise ValueError(
            tr(
                "the columns {cells} do not include replicas, or one of {kinds}",
                cells=", ".join(cells)[:80],
                kinds=", ".join(KINDS),
            )
        )
    return names


def _point(line: int, cells: dict[str, str]) -> tuple[Measured | None, Case | None]:
    replicas = _number(cells.get("replicas", ""))
    if replicas is None or not float(replicas).is_integer():
        raise ValueError(tr("{cells} is not a number of replicas", cells=f"{cells.get('replicas', '')!r}"))
    a_count(replicas, "replicas")
    values = {kind: _number(cells.get(kind, "")) for kind in KINDS}
    for kind, value in values.items():
        if value is not None and not value > 0:
            raise ValueError(tr("{kind}: {value} is not above 0", kind=kind, value=f"{value:g}"))
    whole = int(replicas)
    shown = values["throughput"] if values["throughput"] is not None else values["real"]
    kinds = values["real"], values["generated"], values["synthetic"]
    if shown is None and not any(kinds):
        raise ValueError(tr("there is no throughput"))
    point = None if shown is None else Measured(whole, shown, line)
    compared = sum(kind is not None for kind in kinds) > 1
    return point, Case(whole, *kinds) if compared else None


def _number(text: str) -> float | None:
    """The number in a cell; None if it is empty. ValueError if it is not a number."""
    if text in ("", "-", "–"):
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or abs(value) > 1e18:
        raise ValueError(tr("{text} is not a number", text=f"{text[:40]!r}"))
    return value
