"""A block that is being decoded: access to its bytes, and the reporting of problems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from app.formats.ascend_bin.blocks import Block
from app.formats.ascend_bin.values import Values
from app.formats.errors import FormatError
from app.formats.json import tolerant
from app.formats.json.problems import Problems
from app.formats.json.repeated import has_repeated_key
from app.formats.json.walk import JsonWalk
from app.formats.pool import ALONE, Pool
from app.formats.source import Source, Stretch
from app.language import plural, tr

MAX_WHOLE = 256 << 20
"""The largest block in bytes that is decoded in one piece; blocks that grow with the program are read in pieces."""


class Part(Struct, frozen=True):
    """A block and its source. ``tick(offset)`` reports the progress in the file and may raise Cancelled; ``pool``
    decodes long arrays."""

    source: Source
    block: Block
    problems: Problems
    tick: Callable[[int], None]
    pool: Pool = ALONE

    def content(self, begin: int, size: int) -> bytes:
        """``size`` bytes from ``begin`` of the payload. Raises FormatError where the file has become shorter."""
        return self.source.read(self.block.payload + begin, size)

    def json(self) -> dict[str, Any]:
        """The payload as a JSON object. Raises FormatError, with the offset in the file, where it is not one."""
        if self.block.size > MAX_WHOLE:
            reason = tr("larger than {max_whole:,} bytes, the limit for decoding", max_whole=MAX_WHOLE)
            raise FormatError(reason, offset=self.block.payload)
        text = self.content(0, self.block.size).rstrip(b"\0")
        try:
            value, repaired = tolerant.loads(text, max_bytes=MAX_WHOLE)
        except FormatError as error:
            raise FormatError(error.text, offset=self.block.payload + (error.offset or 0)) from error
        if has_repeated_key(text, value):
            self.problems.repeated(self.block.offset)
        if repaired:
            self.warn(
                tr("repaired blocks"),
                tr("{block} is not strict JSON, but was read", block=self.block.label),
            )
        if not isinstance(value, dict):
            raise FormatError(tr("not a JSON object"), offset=self.block.payload)
        return value

    def walk(self) -> JsonWalk:
        """A walk over the payload, for JSON that is read in pieces."""
        return JsonWalk(Stretch(self.source, self.block.end), self.problems, self.tick, self.block.payload, self.pool)

    def warn(self, kind: str, text: str) -> None:
        self.problems.add("warning", kind, self.block.offset, text)

    def report_odd(self, values: Values) -> None:
        """Reports how many values could not be parsed."""
        if values.odd:
            text = plural(
                "{count:,} value of {block} is not a number of the expected kind; shown as no data",
                "{count:,} values of {block} are not numbers of the expected kind; shown as no data",
                count=values.odd,
                block=self.block.label,
            )
            self.warn(tr("invalid values"), text)
