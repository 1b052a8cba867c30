"""Compares what PopEF files store: values of tensors and feeds, bytes of executables and opaque blobs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import ExitStack
from hashlib import blake2b
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.compare.alignment import Check
from app.analysis.compare.as_table import row_names
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.contents import ContentDifference, value_difference
from app.analysis.compare.matching import Side
from app.formats.errors import FormatError
from app.language import tr
from app.profile.profile import Profile
from app.store.payload import OnProgress, Payload, Tensor, opened, payload_of, pieces, tensor_of, whole_feed
from app.store.token import Token

KINDS: Final = {"tensors": "tensor", "feeds": "feed", "executables": "executable", "opaques": "opaque"}
"""The tables whose rows have content."""
PIECE: Final = 1 << 20


class Pair(Struct, frozen=True):
    """A row of both sides: its profile and what it stands for (a tensor or a blob) before and after; ``size``: bytes of
    both; ``table``, ``row``: where it is among the compared tables."""

    kind: str
    name: str
    before: tuple[Profile, int]
    after: tuple[Profile, int]
    size: int
    table: str = ""
    row: int = -1


def content_pairs(comparison: Comparison, token: Token, tables: Collection[str] = tuple(KINDS)) -> list[Pair]:
    """The rows of ``tables`` that both sides have. Reads no content."""
    pairs = []
    for table_id in tables:
        table = comparison.table(table_id, token.check)
        if table is None or table.before is None or table.after is None:
            continue
        rows = np.flatnonzero((table.rows_before >= 0) & (table.rows_after >= 0))
        for row, name in zip(rows.tolist(), row_names(table, rows), strict=True):
            before = comparison.before, table.before.key(int(table.rows_before[row]))
            after = comparison.after, table.after.key(int(table.rows_after[row]))
            kind = KINDS[table_id]
            size = sum(_size(kind, side) for side in (before, after))
            pairs.append(Pair(kind, name, before, after, size, table_id, row))
    return pairs


def content_differences(
    comparison: Comparison,
    token: Token,
    tables: Collection[str] = tuple(KINDS),
    report: OnProgress | None = None,
) -> Iterator[ContentDifference]:
    """One for each row that both sides have. Reads the whole content of both; Cancelled between two pieces."""
    pairs = content_pairs(comparison, token, tables)
    done, total = 0, sum(pair.size for pair in pairs)
    for pair in pairs:
        try:
            content = _difference(pair, token, None if report is None else _from(report, done, total))
        except FormatError as error:
            content = ContentDifference(pair.kind, pair.name, None, why=str(error))
        yield replace(content, table=pair.table, row=pair.row, item=pair.after[1])
        done += pair.size
        if report is not None:
            report(done, total)


def tensor_difference(
    before: tuple[Profile, int], after: tuple[Profile, int], token: Token, report: OnProgress | None = None
) -> ContentDifference:
    """The difference of two rows of tensors or feeds. Cancelled, FormatError."""
    pair = Pair("tensor", "", before, after, sum(_size("tensor", side) for side in (before, after)))
    return _tensors(pair, token, report)


def first_difference(before: Payload, after: Payload, token: Token, report: OnProgress | None = None) -> int | None:
    """The first byte that differs, where one ends if it is the beginning of the other; None if all are the same.
    Cancelled, FormatError."""
    common = min(before.size, after.size)
    with opened(before) as one, opened(after) as other:
        for done in range(0, common, PIECE):
            token.check()
            count = min(PIECE, common - done)
            first = np.frombuffer(one.read(before.offset + done, count), np.uint8)
            second = np.frombuffer(other.read(after.offset + done, count), np.uint8)
            places = np.flatnonzero(first != second)
            if len(places):
                return done + int(places[0])
            if report is not None:
                report(done + count, common)
    return None if before.size == after.size else common


def _difference(pair: Pair, token: Token, report: OnProgress | None) -> ContentDifference:
    if pair.kind in ("tensor", "feed"):
        return _tensors(pair, token, report)
    return _blobs(pair, token)


def _from(report: OnProgress, done: int, total: int) -> OnProgress:
    """Reports what is done of one of several things; both sides are read at once, each as far as the other."""
    return lambda own, _: report(done + 2 * own, total)


def _tensors(pair: Pair, token: Token, report: OnProgress | None) -> ContentDifference:
    kind, name = pair.kind, pair.name
    one, other = _tensor(*pair.before), _tensor(*pair.after)
    if one is None or other is None:
        return ContentDifference(kind, name, None, why=tr("its type or shape is not valid"))
    if one.data_type != other.data_type:
        return ContentDifference(kind, name, False, why=tr("the types are different"))
    if one.there != other.there:
        return ContentDifference(kind, name, False, why=tr("the numbers of elements are different"))
    with ExitStack() as stack:
        first, second = (stack.enter_context(opened(tensor.payload)) for tensor in (one, other))
        values = value_difference(pieces(one, first, token), pieces(other, second, token, report))
    return ContentDifference(kind, name, not values.different, values)


def _tensor(profile: Profile, row: int) -> Tensor | None:
    tensor, model = tensor_of(profile, row), profile.model
    if tensor is None or model is None or not model.tensors.feed[row]:
        return tensor
    return whole_feed(tensor, int(model.tensors.count[row]))


def _blobs(pair: Pair, token: Token) -> ContentDifference:
    one, other = payload_of(*pair.before), payload_of(*pair.after)
    if one is None or other is None:
        return ContentDifference(pair.kind, pair.name, None, why=tr("its size is unknown"))
    same = one.size == other.size and _digest(one, token.check) == _digest(other, token.check)
    return ContentDifference(pair.kind, pair.name, same)


def _size(kind: str, side: tuple[Profile, int]) -> int:
    profile, row = side
    if kind in ("tensor", "feed"):
        row = -1 if profile.model is None else int(profile.model.tensors.blob[row])
    payload = payload_of(profile, row)
    return 0 if payload is None else payload.size


def same_contents(before: Side, after: Side, check: Check) -> list[tuple[int, int]]:
    """Rows without a partner that have the same bytes: the first with the first. Only those of the same size are read;
    those that cannot be read have no partner."""
    others: dict[int, list[_Row]] = {}
    for other in _payloads(after):
        others.setdefault(other.payload.size, []).append(other)
    pairs = []
    for own in _payloads(before):
        same = others.get(own.payload.size, [])
        partner = next((other for other in same if own.same_as(other, check)), None)
        if partner is not None:
            pairs.append((own.row, partner.row))
            same.remove(partner)
    return pairs


class _Row:
    """A row with content, which is read once at most."""

    def __init__(self, row: int, payload: Payload) -> None:
        self.row, self.payload = row, payload
        self._digest: bytes | None = None

    def same_as(self, other: _Row, check: Check) -> bool:
        try:
            return self.digest(check) == other.digest(check)
        except FormatError:
            return False

    def digest(self, check: Check) -> bytes:
        if self._digest is None:
            self._digest = _digest(self.payload, check)
        return self._digest


def _payloads(side: Side) -> Iterator[_Row]:
    profile, table, rows = side
    for row in rows.tolist():
        payload = payload_of(profile, table.key(row))
        if payload is not None:
            yield _Row(row, payload)


def _digest(payload: Payload, check: Check) -> bytes:
    made = blake2b()
    with opened(payload) as source:
        for done in range(0, payload.size, PIECE):
            check()
            made.update(source.read(payload.offset + done, min(PIECE, payload.size - done)))
    return made.digest()
