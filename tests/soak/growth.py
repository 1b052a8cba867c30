"""Grows one value of a file so that it is expensive to read: deep, many, long, overlapping. Each function takes the
original value and makes about ``size`` bytes of it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

from soak.languages import Language

Growth: TypeAlias = Callable[[Any, int, Random, Language], bytes]

DEPTHS = (60, 64, 65, 127, 250, 500, 975, 990, 1000, 1010, 1023, 1024, 1025, 3000)
SMALL: tuple[Any, ...] = (None, True, 0, 1, -1, 2**40, 1e308, 0.5, "", "x", [], {}, [[]], [{}], {"": ""}, {"a": 1})
POISON = (
    "word ",
    "a",
    "a/",
    "1a",
    "\u202e\u2067",
    "\x1b]0;x\x07\x00",
    '<img src="/dev/zero">',
    "<b>&amp;",
    "\n",
    "\u0301",
    "\U0001f468\u200d",
)
"""Ingredients of long names: words, one word, paths, numbers, bidirectional and control characters, markup, lines,
stacked combining accents, joined emoji."""
LARGE = 2000
"""Encoded size of a record above which only its own numbers and texts are varied, not nested ones."""


def deep(value: Any, size: int, random: Random, language: Language) -> bytes:
    """Values nested to about one of the usual limits, enough of them to fill ``size``; or one, as deep as possible."""
    inner = language.value(random.choice((value, [], 1, {"a": []}))) if len(str(value)) < LARGE else b"0"
    if random.random() < 0.3:
        return language.nested(inner, size // 4, random)
    one = language.nested(inner, random.choice(DEPTHS), random)
    return language.array([one] * max(1, size // len(one)), random)


def long_among_numbers(value: Any, size: int, random: Random, language: Language) -> bytes:
    """One long text (or list) in a list of numbers, at its beginning, middle or end; sometimes in rows of numbers."""
    numbers = [language.value(random.choice((1, 70, 0.5)))] * (size // 4)
    odd = language.value("x" * (size // 2)) if random.random() < 0.8 else language.array(numbers, random)
    numbers.insert(random.choice((0, 1, len(numbers) // 2, len(numbers))), odd)
    row = language.array(numbers, random)
    return random.choice((row, row, language.array([row], random)))


def many(value: Any, size: int, random: Random, language: Language) -> bytes:
    """Very many copies of its items, of nearly empty values, or of both alternating; as a list, under distinct keys, or
    under one repeated key."""
    known = _inside(value)
    kinds = [language.value(random.choice(SMALL)) for _ in range(random.choice((1, 1, 2, 3)))]
    kinds += [language.value(one) for one in random.sample(known, min(len(known), random.choice((0, 1))))]
    each = sum(map(len, kinds)) / len(kinds)
    if isinstance(value, dict) == (random.random() < 0.9):
        names = list(value)[:3] if isinstance(value, dict) else []
        key = random.choice(("k{}", "k{}", "{}", *(f"{name}{{}}" for name in names), *names))
        count = int(size / (each + len(key) + 6)) + 1
        return language.table(((_keyed(key, at), kinds[at % len(kinds)]) for at in range(count)), random)
    count = int(size / (each + 1)) + 1
    return language.array([kinds[at % len(kinds)] for at in range(count)], random)


def varied(value: Any, size: int, random: Random, language: Language) -> bytes:
    """Very many distinct records like those in the value: their texts are numbered, and their numbers ascend, descend
    or vary randomly, so that intervals overlap in all ways."""
    known = _inside(value) or [value]
    kinds = random.sample(known, min(len(known), random.choice((1, 1, 2, 4))))
    each = max(1, sum(len(language.value(one)) for one in kinds) // len(kinds))
    count = size // (each + 4) + 1
    ways = [random.choice(_WAYS) for _ in range(7)]
    rows = [
        language.value(_changed(kinds[at % len(kinds)], at, count, ways, each <= LARGE, random)) for at in range(count)
    ]
    if isinstance(value, dict):
        return language.table(((f"k{at}", row) for at, row in enumerate(rows)), random)
    return language.array(rows, random)


def long_name(value: Any, size: int, random: Random, language: Language) -> bytes:
    """A very long text, alone or as a key."""
    unit = random.choice(POISON)
    text = (unit * (size // len(unit.encode()) + 1))[: max(1, size // len(unit.encode()) * len(unit))]
    if isinstance(value, dict):
        return language.table([(text, language.value(part)) for part in list(value.values())[:1] or [1]], random)
    if isinstance(value, list):
        return language.array([language.value(text), *(language.value(part) for part in value[:20])], random)
    return language.value(text)


def long_names(value: Any, size: int, random: Random, language: Language) -> bytes:
    """Every text in it is a hundred times as long, or 50 KB."""
    unit, count = random.choice(POISON), [random.choice((20, 200, 10_000))]

    def longer(part: Any) -> Any:
        if isinstance(part, str):
            return f"{part}{unit * count[0]}"
        if isinstance(part, list):
            return [longer(one) for one in part]
        return {key: longer(one) for key, one in part.items()} if isinstance(part, dict) else part

    made = language.value(longer(value))
    while len(made) > 4 * size and count[0] > 1:
        count[0] //= 4
        made = language.value(longer(value))
    return made


FAMILIES: tuple[Growth, ...] = (deep, long_among_numbers, many, varied, long_name, long_names, many, varied)


def _keyed(key: str, at: int) -> str:
    return key.replace("{}", str(at))


def _inside(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []


_Way: TypeAlias = Callable[[int, int, Random], int]
_WAYS: tuple[_Way, ...] = (
    lambda at, count, random: at,
    lambda at, count, random: count - at,
    lambda at, count, random: 2 * count + at,
    lambda at, count, random: 3 * count - at,
    lambda at, count, random: random.randrange(count),
    lambda at, count, random: 1,
    lambda at, count, random: 0,
)


def _changed(value: Any, at: int, count: int, ways: list[_Way], inside: bool, random: Random, place: int = 0) -> Any:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return ways[place % len(ways)](at, count, random)
    if isinstance(value, float):
        return ways[place % len(ways)](at, count, random) + 0.25
    if isinstance(value, str):
        return f"{value}{at}" if place % 2 else value
    if not inside and place:
        return value
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    made = {
        key: _changed(part, at, count, ways, inside, random, place + number + 1)
        for number, (key, part) in enumerate(parts)
    }
    return made if isinstance(value, dict) else list(made.values())
