"""What notebooks show: HTML in which every text of a file is escaped. And what a wrong name may have meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from html import escape

SHOWN_ROWS = 10
"""Rows of a table that a notebook shows."""


def paragraph(text: str, *, strong: bool = False) -> str:
    """A paragraph of HTML."""
    return f"<p><b>{escape(text)}</b></p>" if strong else f"<p>{escape(text)}</p>"


def html_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of HTML: no data is an empty cell, floats have six digits."""
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(cell: object) -> str:
    if cell is None:
        return ""
    return f"{cell:.6g}" if isinstance(cell, float) else escape(str(cell))


def meant(name: str, names: Iterable[str]) -> str:
    """The end of a message about a wrong name: what may have been meant, or what there is."""
    there = list(names)
    near = get_close_matches(name, there, 3, 0.5)
    return f"; did you mean {', '.join(near)}?" if near else f"; there are {', '.join(there) or 'none'}"
