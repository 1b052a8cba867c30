"""Several files as the bytes of one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from app.formats.errors import FormatError
from app.formats.source import Origin, Source
from app.language import plural


class Joined(Source):
    """The bytes of several sources, one after the other. A read stays inside one of them."""

    def __init__(self, parts: Sequence[Source]) -> None:
        """``parts``: at least one; they remain open when this is closed."""
        self._parts = tuple(parts)
        self.begins = (0, *accumulate(part.size for part in parts))
        """Where each part begins, and the end of the last."""
        self.path = parts[0].path
        self.size = self.begins[-1]

    def read(self, offset: int, length: int) -> bytes:
        """Exactly ``length`` bytes from ``offset``. Raises FormatError where they are not in one part."""
        if length == 0:
            return b""
        place = bisect_right(self.begins, offset) - 1
        if not 0 <= place < len(self._parts) or offset + length > self.begins[place + 1]:
            text = plural(
                "needs {count:,} byte, but the data ends at {size:,}",
                "needs {count:,} bytes, but the data ends at {size:,}",
                count=length,
                size=self.size,
            )
            raise FormatError(text, path=str(self.path), offset=offset)
        return self._parts[place].read(offset - self.begins[place], length)

    def origins(self) -> tuple[Origin, ...]:
        origins = [part.origins() for part in self._parts]
        return tuple(origin for (origin,) in origins) if all(len(one) == 1 for one in origins) else ()

    def close(self) -> None:
        """Does nothing: the parts stay open."""
