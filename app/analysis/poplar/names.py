"""Names of compute sets, vertex types, exchanges, their instructions, and categories of memory."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import numpy as np
from msgspec import Struct

from app.language import Message, joined, tr, untranslated
from app.profile.arrays import I64
from app.profile.poplar import EXCHANGE_KINDS, EXCHANGE_OF_TYPE, ExchangeKind, InstructionBytes
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


MEANING: Final[dict[str, str]] = {
    "constant": tr("Constants of the user's program; constants that the compiler made are variables"),
    "controlCode": tr("Code that runs programs and compute sets"),
    "controlId": tr("Identifiers of programs and syncs"),
    "controlTable": tr("List of the vertices of each compute set, if the table scheduler is used"),
    "copyDescriptor": tr("Variable-size descriptors used by copy vertices"),
    "globalExchangeCode": tr("Code for exchanges between IPUs"),
    "globalExchangePacketHeader": tr("Packet headers of exchanges between IPUs"),
    "globalMessage": tr("Buffered data of exchanges between IPUs"),
    "hostExchangeCode": tr("Code for exchanges with the host"),
    "hostExchangePacketHeader": tr("Packet headers of exchanges with the host"),
    "hostMessage": tr("Buffered data of exchanges with the host"),
    "instrumentationResults": tr("Space for profiling measurements"),
    "internalExchangeCode": tr("Code for exchanges between tiles"),
    "message": tr("Buffered data of exchanges between tiles"),
    "multiple": tr("Space shared by variables of several categories"),
    "outputEdge": tr("Output of vertices before it is exchanged"),
    "rearrangement": tr("Rearranged copies of tensors"),
    "sharedCodeStorage": tr("Code shared by vertices"),
    "sharedDataStorage": tr("Data shared by vertices"),
    "stack": tr("Stacks of workers and supervisor"),
    "variable": tr("Variables of worker and supervisor code"),
    "vectorListDescriptor": tr("Data of vector-list fields with compressed pointers"),
    "vertexCode": tr("Code of the vertices (codelets)"),
    "vertexFieldData": tr("Variable-size vertex fields, such as vectors"),
    "vertexInstanceState": tr("The state of each vertex"),
}
"""According to the Poplar profiling data format, 7.1.8."""


def meaning(category: str) -> str:
    return MEANING.get(category, tr("A category that is not in the description of the format"))


TOTAL: Final = "total"


class KindTotals(Struct, frozen=True, eq=False):
    """Totals over the programs of a graph, one entry per kind except the total, in file order. ``bytes``: int64;
    ``programs``: int64, those with bytes of that kind. ``stated``: the sum of the file's totals, None without any."""

    kinds: tuple[str, ...]
    bytes: I64
    programs: I64
    stated: int | None


def instruction_totals(profile: Profile) -> KindTotals | None:
    """The totals; None if no program states its instructions."""
    table = instructions(profile)
    if table is None:
        return None
    places = [place for place, kind in enumerate(table.kinds) if kind != TOTAL]
    kinds = tuple(table.kinds[place] for place in places)
    known = np.where(table.bytes < 0, 0, table.bytes)
    stated = int(known[:, table.kinds.index(TOTAL)].sum()) if TOTAL in table.kinds else None
    own = known[:, places]
    return KindTotals(kinds, own.sum(axis=0), np.count_nonzero(own > 0, axis=0).astype(np.int64), stated)


def instructions(profile: Profile) -> InstructionBytes | None:
    """The file's instruction bytes; None if no program states any."""
    table = profile.programs.instructions if profile.programs is not None else None
    return table if table is not None and len(table.program) else None


def instruction_words(kind: str) -> str:
    """``sendWithPutMux``: ``Send with put mux``."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).lower()
    return apart[:1].upper() + apart[1:]
