"""Parses, checks and writes times, sizes, rates, shares and counts."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from app.language import tr

Kind: TypeAlias = Literal["time", "size", "rate", "share", "count", "flag"]

_TIMES: Final = {
    "": 1.0,
    "ns": 1e-9,
    "us": 1e-6,
    "µs": 1e-6,
    "μs": 1e-6,
    "ms": 1e-3,
    "s": 1.0,
    "min": 60.0,
    "h": 3600.0,
}
_PREFIXES: Final = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_SIZES: Final = {
    **{f"{prefix}b": 1000.0**power for prefix, power in _PREFIXES.items()},
    **{f"{prefix}ib": 1024.0**power for prefix, power in _PREFIXES.items() if prefix},
    "": 1.0,
}
_RATES: Final = {
    **{f"{unit}/s": factor for unit, factor in _SIZES.items() if unit},
    "": 1.0,
}
_NUMBER: Final = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(.*?)\s*", re.IGNORECASE)
_EXAMPLES: Final[dict[Kind, str]] = {
    "time": "16 ms",
    "size": "100 MB",
    "rate": "64 GB/s",
    "share": "5 %",
    "count": "16",
    "flag": "yes",
}
_WORDS: Final[dict[Kind, str]] = {
    "time": tr("time"),
    "size": tr("size"),
    "rate": tr("bandwidth"),
    "share": tr("share"),
    "count": tr("number"),
    "flag": tr("flag"),
}
MOST_COUNT: Final = 10**15


def parse(text: str, kind: Kind) -> float:
    """Seconds, bytes, bytes per second, a share (0..1), a whole number, or 1 and 0 for yes and no. ValueError says what
    is wrong with ``text``. Without a unit a number is in the base unit; bits have a small b ("200 Gb/s")."""
    if kind == "flag":
        return _flag(text)
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise ValueError(
            tr(
                "{text} is not a valid {word}; write it as {examples}",
                text=f"{text[:40]!r}",
                word=_word(kind),
                examples=_EXAMPLES[kind],
            )
        )
    number, unit = float(match[1]), match[2]
    if kind == "time":
        value = number * _factor(_TIMES, unit, unit, text, kind)
    elif kind == "size":
        value = number * _factor(_SIZES, unit.lower(), unit, text, kind)
    elif kind == "rate":
        bits = re.fullmatch(r"([kKmMgGtT]?)(b/s|bps|bit/s)", unit)
        plain = f"{bits[1]}b/s".lower() if bits else unit.lower()
        value = number * _factor(_RATES, plain, unit, text, kind) / (8 if bits else 1)
    elif kind == "share":
        value = number * _factor({"": 1.0, "%": 0.01}, unit, unit, text, kind)
    else:
        value = _whole(number, unit, text)
    if not math.isfinite(value) or value < 0:
        raise ValueError(tr("{text} is out of range", text=f"{text[:40]!r}"))
    return value


def _whole(number: float, unit: str, text: str) -> float:
    if unit or not number.is_integer():
        raise ValueError(tr("{text} is not a whole number", text=f"{text[:40]!r}"))
    if number > MOST_COUNT:
        raise ValueError(tr("{text} is out of range", text=f"{text[:40]!r}"))
    return number


def _flag(text: str) -> float:
    known = {"yes": 1.0, "on": 1.0, "true": 1.0, "1": 1.0, "no": 0.0, "off": 0.0, "false": 0.0, "0": 0.0}
    value = known.get(text.strip().lower())
    if value is None:
        raise ValueError(tr("{text} is neither yes nor no", text=f"{text[:40]!r}"))
    return value


def _factor(units: Mapping[str, float], unit: str, written: str, text: str, kind: Kind) -> float:
    if unit not in units:
        raise ValueError(
            tr(
                "{text}: {written} is not a unit of a {word}; write it as {examples}",
                text=f"{text[:40]!r}",
                written=f"{written!r}",
                word=_word(kind),
                examples=_EXAMPLES[kind],
            )
        )
    return units[unit]


def _word(kind: Kind) -> str:
    return _WORDS[kind]


def written(value: float, kind: Kind) -> str:
    """A text that ``parse`` converts back to the same number, to twelve digits, in a readable unit."""
    if kind == "flag":
        return "yes" if value else "no"
    if kind == "count":
        return f"{value:.0f}"
    if kind == "share":
        return f"{100 * value:.12g} %"
    units: tuple[tuple[str, float], ...]
    if kind == "time":
        units = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
    else:
        end = "/s" if kind == "rate" else ""
        units = tuple((f"{name}B{end}", 1000.0**power) for name, power in (("G", 3), ("M", 2), ("k", 1), ("", 0)))
    unit, factor = next((pair for pair in units if value >= pair[1]), units[0] if not value else units[-1])
    return f"{value / factor:.12g} {unit}"


def a_count(value: float, what: str) -> None:
    """ValueError unless ``value`` is at least 1 and finite."""
    if not (math.isfinite(value) and value >= 1):
        raise ValueError(tr("{what}: {value} is less than 1", what=what, value=f"{value:g}"))


def a_time(value: float, what: str) -> None:
    """ValueError unless ``value`` is finite and not negative."""
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(tr("{what}: {value} is less than 0", what=what, value=f"{value:g}"))


def above_zero(value: float, what: str) -> None:
    """ValueError unless ``value`` is finite and above 0."""
    if not (math.isfinite(value) and value > 0):
        raise ValueError(tr("{what}: {value} is not above 0", what=what, value=f"{value:g}"))


def a_share(value: float, what: str) -> None:
    """ValueError unless ``value`` lies in 0..1."""
    if not 0 <= value <= 1:
        raise ValueError(tr("{what}: {value} is not between 0 and 1", what=what, value=f"{value:g}"))
