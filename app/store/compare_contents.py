"""Compares what PopEF files store: values of tensors and feeds, bytes of executables and opaque blobs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from hashlib import blake2b
from typing import Final

import numpy as np
from msgspec.structs import replace

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.contents import ContentDifference, value_difference
from app.analysis.compare.explanations import row_names
from app.formats.errors import FormatError
from app.language import tr
from app.profile.profile import Profile
from app.store.payload import Payload, Tensor, opened, payload_of, pieces, tensor_of, whole_feed
from app.store.token import Token

KINDS: Final = {"tensors": "tensor", "feeds": "feed", "executables": "executable", "opaques": "opaque"}
"""The tables whose rows have content."""
PIECE: Final = 1 << 20


def content_differences(comparison: Comparison, token: Token) -> Iterator[ContentDifference]:
    """One for each row that both sides have. Reads the whole content of both; Cancelled between two pieces."""
    for table_id, kind in KINDS.items():
        table = comparison.table(table_id, token.check)
        if table is None or table.before is None or table.after is None:
            continue
        rows = np.flatnonzero((table.rows_before >= 0) & (table.rows_after >= 0))
        for row, name in zip(rows.tolist(), row_names(table, rows), strict=True):
            before = comparison.before, table.before.key(int(table.rows_before[row]))
            after = comparison.after, table.after.key(int(table.rows_after[row]))
            compare = _tensors if kind in ("tensor", "feed") else _blobs
            try:
                content = compare(kind, name, before, after, token)
            except FormatError as error:
                content = ContentDifference(kind, name, None, why=str(error))
            yield replace(content, table=table_id, row=row)


def _tensors(
    kind: str, name: str, before: tuple[Profile, int], after: tuple[Profile, int], token: Token
) -> ContentDifference:
    one, other = _tensor(*before), _tensor(*after)
    if one is None or other is None:
        return ContentDifference(kind, name, None, why=tr("its type or shape is not valid"))
    if one.data_type != other.data_type:
        return ContentDifference(kind, name, False, why=tr("the types are different"))
    if one.there != other.there:
        return ContentDifference(kind, name, False, why=tr("the numbers of elements are different"))
    with ExitStack() as stack:
        first, second = (stack.enter_context(opened(tensor.payload)) for tensor in (one, other))
        values = value_difference(pieces(one, first, token), pieces(other, second, token))
    return ContentDifference(kind, name, not values.different, values)


def _tensor(profile: Profile, row: int) -> Tensor | None:
    tensor, model = tensor_of(profile, row), profile.model
    if tensor is None or model is None or not model.tensors.feed[row]:
        return tensor
    return whole_feed(tensor, int(model.tensors.count[row]))


def _blobs(
    kind: str, name: str, before: tuple[Profile, int], after: tuple[Profile, int], token: Token
) -> ContentDifference:
    one, other = payload_of(*before), payload_of(*after)
    if one is None or other is None:
        return ContentDifference(kind, name, None, why=tr("its size is not known"))
    same = one.size == other.size and _digest(one, token) == _digest(other, token)
    return ContentDifference(kind, name, same)


def _digest(payload: Payload, token: Token) -> bytes:
    made = blake2b()
    with opened(payload) as source:
        for done in range(0, payload.size, PIECE):
            token.check()
            made.update(source.read(payload.offset + done, min(PIECE, payload.size - done)))
    return made.digest()
