"""Names of compute sets, vertex types and exchanges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from app.language import Message, joined, tr, untranslated
from app.profile.poplar import EXCHANGE_KINDS, EXCHANGE_OF_TYPE, ExchangeKind
from app.profile.profile import Profile
from app.profile.strings import Strings

KIND_TITLES: Final[dict[ExchangeKind, str]] = {
    "internal": tr("Internal"),
    "external": tr("External"),
    "host": tr("Host"),
}
EXCHANGE_TITLES: Final[dict[ExchangeKind, str]] = {
    "internal": tr("Internal exchanges"),
    "external": tr("External exchanges"),
    "host": tr("Host exchanges"),
}
NUMBER: Final = "\0"
_NUMBERED: Final[dict[ExchangeKind, Message]] = {
    "internal": tr("internal exchange {number}", number=NUMBER),
    "external": tr("external exchange {number}", number=NUMBER),
    "host": tr("host exchange {number}", number=NUMBER),
}


def compute_set_names(profile: Profile, count: int) -> Strings:
    """``count`` names, numbers for those without one."""
    return _named(
        profile.compute_sets.names if profile.compute_sets else None, count, joined(" ", (tr("compute set"), NUMBER))
    )


def vertex_type_names(profile: Profile, count: int) -> Strings:
    return _named(
        profile.vertex_types.names if profile.vertex_types else None, count, joined(" ", (tr("vertex type"), NUMBER))
    )


def numbered_exchanges(kind: ExchangeKind, count: int) -> list[str]:
    """Names of exchanges that have none."""
    return _numbered(_NUMBERED[kind], range(count))


def exchange_names(profile: Profile, kind: ExchangeKind) -> Strings:
    """The name of each exchange of that kind: that of the first program that runs it, else its number."""
    exchanges = profile.exchanges
    count = len(exchanges.of(kind) or ()) if exchanges else 0
    texts = numbered_exchanges(kind, count)
    programs = profile.programs
    if programs is not None:
        types = [name for name, of in EXCHANGE_OF_TYPE.items() if of == kind]
        rows = programs.of_type(*types)
        rows = rows[(programs.exchange[rows] >= 0) & (programs.exchange[rows] < count) & (programs.name[rows] >= 0)]
        numbers, first = np.unique(programs.exchange[rows], return_index=True)
        for number, row in zip(numbers.tolist(), rows[first].tolist(), strict=True):
            texts[number] = programs.strings.get(int(programs.name[row]))
    return Strings.of(texts)


def all_exchange_names(profile: Profile) -> Strings:
    """The names of all exchanges, numbered over all kinds."""
    return Strings.of(name for kind in EXCHANGE_KINDS for name in exchange_names(profile, kind))


def _named(names: Strings | None, count: int, pattern: Message) -> Strings:
    if names is not None and len(names) == count:
        return names
    known = names.tolist() if names is not None else []
    return Strings.of([*known[:count], *_numbered(pattern, range(min(len(known), count), count))])


def _numbered(pattern: Message, numbers: Iterable[int]) -> list[str]:
    """``pattern`` with each number in the place of NUMBER. There may be very many: in English, where a plain text is as
    good, none is made for translation."""

    def translated(number: int) -> str:
        return pattern.with_texts(lambda _: f"{number}")

    if untranslated(pattern) != pattern:
        return [translated(number) for number in numbers]
    before, after = pattern.split(NUMBER)
    return [f"{before}{number}{after}" for number in numbers]
