"""The only two exceptions that a reader raises."""

from __future__ import annotations

from app.language import tr
from app.profile.one_line import one_line


class FormatError(Exception):
    """A file cannot be read. ``text``: what is wrong, in the user's terms; ``offset``: the byte where, None if
    unknown."""

    def __init__(self, text: str, *, path: str = "", offset: int | None = None) -> None:
        self.text = one_line(text)
        super().__init__(self.text)
        self.path = path
        self.offset = offset

    @property
    def located(self) -> str:
        """The text, with the byte if it is known."""
        if self.offset is None:
            return self.text
        return tr("{text} (at byte {offset:,})", text=self.text, offset=self.offset)

    def __str__(self) -> str:
        return self.located


class Cancelled(Exception):
    """The user cancelled the load."""
