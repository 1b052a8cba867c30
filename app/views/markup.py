"""Rich text from trusted markup only: texts in it are truncated and escaped when it is created."""

from __future__ import annotations

import html
from collections.abc import Sequence

from msgspec import Struct

from app.views.texts import shown_line


class Markup(Struct, frozen=True):
    """Escaped HTML, created by the functions below and joined by ``+``; a bare ``Markup()`` is empty."""

    html: str = ""

    def __add__(self, other: Markup) -> Markup:
        return Markup(self.html + other.html)


GAP = Markup("&nbsp;&nbsp;")


def plain(text: str) -> Markup:
    return Markup(html.escape(shown_line(text)))


def strong(text: str) -> Markup:
    return Markup(f"<b>{html.escape(shown_line(text))}</b>")


def coloured(text: str, colour: str) -> Markup:
    return Markup(f"<span style='color: {html.escape(colour)}'>{html.escape(shown_line(text))}</span>")


def heading(text: str) -> Markup:
    return Markup(f"<h3>{html.escape(shown_line(text))}</h3>")


def sentence(text: str) -> Markup:
    """``text`` as a paragraph."""
    return Markup(f"<p>{html.escape(shown_line(text))}</p>")


def grid(rows: Sequence[Sequence[Markup]]) -> Markup:
    """A table of centred cells."""
    cell = "<td align='center' style='padding: 0 10px 0 0'>{}</td>"
    lines = ("".join(cell.format(part.html) for part in row) for row in rows)
    return Markup(f"<table cellspacing='0'>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>")
