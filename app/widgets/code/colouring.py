"""Incremental syntax highlighting by Pygments, a few milliseconds at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from PySide6.QtCore import QObject, QTimer, Signal

from app.views.look import Theme

Part: TypeAlias = Literal["comment", "keyword", "type", "text", "number", "directive", "function"]
Span: TypeAlias = tuple[int, int, Part]
"""Start and length within a line, and its syntactic role."""

LARGEST = 1_000_000
"""Characters; a larger text is not highlighted."""
BUDGET = 0.006
_PARTS: tuple[tuple[str, Part], ...] = (
    ("Token.Comment.Preproc", "directive"),
    ("Token.Comment", "comment"),
    ("Token.Keyword.Type", "type"),
    ("Token.Keyword", "keyword"),
    ("Token.Literal.String", "text"),
    ("Token.Literal.Number", "number"),
    ("Token.Name.Function", "function"),
    ("Token.Name.Class", "type"),
)


class Colouring(QObject):
    """Highlights a text. ``spans``: those of each finished line. Signal ``grown`` when more lines are finished."""

    grown = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.spans: list[list[Span]] = []
        self._tokens: Iterator[tuple[int, Any, str]] = iter(())
        self._cached: dict[Any, Part | None] = {}
        self._column = 0
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._work)

    def start(self, text: str, path: str) -> None:
        """Restarts with ``text``; unfinished lines have one colour."""
        self._timer.stop()
        self.spans, self._column = [[]], 0
        if text and len(text) <= LARGEST:
            self._tokens = lexer(path).get_tokens_unprocessed(text)
            self._timer.start()

    def of_line(self, line: int) -> list[Span]:
        """The spans of a line, counted from 0; none if it is not finished yet."""
        return self.spans[line] if 0 <= line < len(self.spans) else []

    def finish(self) -> None:
        """Finishes immediately (for a picture, a test)."""
        while self._timer.isActive():
            self._work()

    def _work(self) -> None:
        until = time.monotonic() + BUDGET
        for number, (_, token, text) in enumerate(self._tokens):
            self._take(self._part(token), text)
            if number % 64 == 63 and time.monotonic() > until:
                self.grown.emit()
                return
        self._timer.stop()
        self.grown.emit()

    def _take(self, part: Part | None, text: str) -> None:
        pieces = text.split("\n")
        for number, piece in enumerate(pieces):
            if number:
                self.spans.append([])
                self._column = 0
            if piece and part is not None:
                self.spans[-1].append((self._column, len(piece), part))
            self._column += len(piece)

    def _part(self, token: Any) -> Part | None:
        if token not in self._cached:
            name = str(token)
            self._cached[token] = next((part for prefix, part in _PARTS if name.startswith(prefix)), None)
        return self._cached[token]


def lexer(path: str) -> Any:
    """The lexer for a source file: Python and SQL by their suffix, else C++. Imports Pygments on first use."""
    if path.endswith((".py", ".pyi")):
        from pygments.lexers.python import PythonLexer

        return PythonLexer()
    if path.endswith(".sql"):
        from pygments.lexers.sql import SqlLexer

        return SqlLexer()
    from pygments.lexers.c_cpp import CppLexer

    return CppLexer()


def colours(theme: Theme) -> dict[Part, str]:
    """The highlighting colours of a theme: few and muted; comments recede."""
    return {
        "comment": theme.muted,
        "keyword": theme.accent,
        "type": "#5CC8C0" if theme.dark else "#0B6E68",
        "text": theme.ok,
        "number": theme.warning,
        "directive": "#C9A0F0" if theme.dark else "#7A3EB1",
        "function": theme.text,
    }
