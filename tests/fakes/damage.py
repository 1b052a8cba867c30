"""Damage of a text, for hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st
from msgspec import Struct

LONGEST: Final = 40
"""Most bytes that one edit replaces."""
MOST_EDITS: Final = 6

failing_calls: Final = st.frozensets(st.integers(1, 20), max_size=3)
"""Numbers of the calls that fail in a ``PackingPool``."""


class Damage(Struct, frozen=True):
    """``edits``: where (a share of the text), how many bytes are replaced, by what; ``cut``: the share that is left,
    None: all."""

    edits: list[tuple[float, int, bytes]]
    cut: float | None

    def of(self, text: bytes) -> bytes:
        """``text`` with this damage."""
        for where, length, token in self.edits:
            place = int(where * len(text))
            text = text[:place] + token + text[place + length :]
        return text if self.cut is None else text[: int(self.cut * len(text))]


def damages(tokens: Sequence[bytes]) -> st.SearchStrategy[Damage]:
    """Edits with these tokens or any bytes, and a text cut off at any place."""
    edit = st.tuples(st.floats(0, 1), st.integers(0, LONGEST), st.sampled_from(tokens) | st.binary(max_size=4))
    return st.builds(Damage, st.lists(edit, max_size=MOST_EDITS), st.none() | st.floats(0, 1))
