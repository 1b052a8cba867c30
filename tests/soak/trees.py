"""Damages trees of plain values like a defective writer, or a user with an editor, could damage JSON and CBOR."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

Place: TypeAlias = tuple[Any, Any]
"""(dictionary or list, key or index in it)."""
Change: TypeAlias = Callable[[Place, Random], None]

DEEP = 3000
MANY = 20_000
ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2**31 - 1,
    2**31,
    -(2**31),
    2**32,
    2**53 + 1,
    2**63 - 1,
    2**63,
    -(2**63),
    2**64,
    2**64 - 1,
    10**30,
    0.5,
    -0.0,
    1e308,
    -1e308,
    5e-324,
    float("nan"),
    float("inf"),
    float("-inf"),
    "",
    "0",
    "-1",
    "0x10",
    "0xzz",
    "NaN",
    "1e999",
    "\x00",
    "\ud800",
    "ä\u202e\U0001f600",
    "a" * 5000,
    [],
    {},
    [[]],
    [None],
    [-1, -1, -1],
    {"": ""},
    [{"a": 1}, 2, "x"],
)
PLAIN = ODD[:20]


def damaged(tree: Any, random: Random) -> Any:
    """The tree with one to four changes, in place where possible."""
    holder = [tree]
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        spots = places(holder, random)
        random.choice(CHANGES)(spots, random)
    return holder[0]


def places(tree: Any, random: Random) -> Place:
    """A random place below ``tree``, at any depth."""
    here, at = tree, 0
    while True:
        below = here[at]
        if not isinstance(below, dict | list) or not below or random.random() < 0.15:
            return here, at
        here, at = below, _key(below, random)


def _key(value: Any, random: Random) -> Any:
    if isinstance(value, dict):
        return random.choice(list(value))
    return random.randrange(len(value))


def replace(place: Place, random: Random) -> None:
    place[0][place[1]] = copied(random.choice(ODD))


def copied(value: Any) -> Any:
    """A separate copy, so that later damage to one does not affect the other; None where it is nested too deep."""
    try:
        return _copied(value)
    except RecursionError:
        return None


def depth(tree: Any) -> int:
    """The nesting depth of lists and dictionaries."""
    level, levels = [tree], 0
    while level := [part for value in level if isinstance(value, dict | list) for part in _below(value)]:
        levels += 1
    return levels


def _below(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(part) for key, part in value.items()}
    return [_copied(part) for part in value] if isinstance(value, list) else value


def remove(place: Place, random: Random) -> None:
    del place[0][place[1]]
    if isinstance(place[0], list) and not place[0]:
        place[0].append(None)


def rename(place: Place, random: Random) -> None:
    here, at = place
    if isinstance(here, dict):
        name = random.choice((str(at).upper(), f"{at} ", "", "x" * 300, str(at)[:-1]))
        here[name] = here.pop(at)


def another(place: Place, random: Random) -> None:
    """Replaces a value by another one of the same container."""
    here, at = place
    here[at] = copied(here[_key(here, random)])


def longer(place: Place, random: Random) -> None:
    """Makes a list or text longer by repeating it."""
    here, at = place
    value = here[at]
    if isinstance(value, list) and value:
        more = value * random.choice((2, 3, 50)) if len(value) < 500 else value + value[: random.randrange(50)]
        here[at] = copied(more)  # otherwise later damage to one copy would affect all
    elif isinstance(value, str):
        here[at] = value * random.choice((2, 100))
    elif isinstance(value, dict):
        value.update({f"{key}_{number}": copied(value[key]) for number in range(5) for key in list(value)[:20]})


def shorter(place: Place, random: Random) -> None:
    here, at = place
    value = here[at]
    if isinstance(value, list | str) and value:
        here[at] = value[: random.randrange(len(value))]
    elif isinstance(value, dict):
        for key in list(value)[: random.randrange(len(value) + 1)]:
            del value[key]


def wrapped(place: Place, random: Random) -> None:
    here, at = place
    here[at] = random.choice(([here[at]], {"a": here[at]}, [[copied(here[at])], here[at]]))


def deep(place: Place, random: Random) -> None:
    made: Any = place[0][place[1]]
    for _ in range(random.choice((20, 200, DEEP))):
        made = [made] if random.random() < 0.5 else {"children": [made]}
    place[0][place[1]] = made


def number(place: Place, random: Random) -> None:
    """Changes a number a little or a lot; other values become numbers."""
    here, at = place
    value = here[at]
    if isinstance(value, int | float):
        here[at] = random.choice((value + 1, value - 1, -value, value * 10**9, value * 0.1, str(value), value * 2**40))
    else:
        here[at] = random.choice((0, -1, random.randrange(2**40), random.random()))


def mixed(place: Place, random: Random) -> None:
    """Shuffles the items of a list, or keys."""
    value = place[0][place[1]]
    if isinstance(value, list):
        random.shuffle(value)
    elif isinstance(value, dict):
        keys = list(value)
        random.shuffle(keys)
        place[0][place[1]] = {key: value[key] for key in keys}


def many(place: Place, random: Random) -> None:
    """Repeats a value far more often than anything else in the file."""
    place[0][place[1]] = [random.choice(PLAIN)] * MANY


CHANGES: tuple[Change, ...] = (
    replace,
    replace,
    replace,
    remove,
    remove,
    rename,
    another,
    longer,
    shorter,
    wrapped,
    deep,
    number,
    number,
    number,
    mixed,
    many,
)


def text_of(tree: Any, random: Random) -> bytes:
    """The tree as possibly invalid JSON: NaN and Infinity, lone surrogates, sometimes a duplicate key."""
    try:
        text = json.dumps(tree, ensure_ascii=random.random() < 0.5, indent=random.choice((None, None, 1)))
    except RecursionError:
        text = "[" * DEEP + "]" * DEEP
    if random.random() < 0.1:
        text = twice(text, random)
    return text.encode("utf-8", "surrogatepass")


def twice(text: str, random: Random) -> str:
    """The text with one key duplicated, with another value."""
    at = text.find('": ', random.randrange(len(text)))
    begin = text.rfind('"', 0, at)
    if at < 0 or begin < 0:
        return text
    return text[:begin] + text[begin : at + 3] + random.choice(("1", "null", "[]", "{}", '"x"')) + ", " + text[begin:]
