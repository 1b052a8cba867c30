"""The only two exceptions that leave a reader."""

from __future__ import annotations


class FormatError(Exception):
    """A file cannot be read: what is wrong, in words for its owner, and where."""

    def __init__(self, text: str, *, path: str = "", offset: int | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.path = path
        self.offset = offset

    def __str__(self) -> str:
        place = "" if self.offset is None else f" (at byte {self.offset:,})"
        return f"{self.text}{place}"


class Cancelled(Exception):
    """The person took the load back."""
