"""The editor of statements: highlighted, with completion."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QSize, QStringListModel, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QPalette,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QApplication, QCompleter, QListView, QPlainTextEdit, QTextEdit, QWidget

from app.language import tr
from app.query.session import QueryTable
from app.views.look import Look
from app.views.texts import shown_line
from app.widgets.code.colouring import Colouring, colours
from app.widgets.display import Display
from app.widgets.texts import number_font

LINES: Final = 6
MARGIN: Final = 8
"""Pixels around the text, as around cells of tables."""
LEAST: Final = 2
"""Letters from which on words are offered while typing."""
RETURN: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
ACCEPTING: Final = (*RETURN, Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape)


class SqlHighlighter(QSyntaxHighlighter):
    """Colours words of SQL, texts, numbers and comments."""

    def __init__(self, document: QTextDocument, display: Display) -> None:
        super().__init__(document)
        self._colouring = Colouring(self)
        self._text: str | None = None
        self._display = display

    def highlightBlock(self, _line: str) -> None:
        document = self.document()
        text = document.toPlainText()
        if text != self._text:
            self._text = text
            self._colouring.start(text, "statement.sql")
            self._colouring.finish()
        ink = colours(self._display.theme)
        for start, length, part in self._colouring.of_line(self.currentBlock().blockNumber()):
            form = QTextCharFormat()
            form.setForeground(QColor(ink[part]))
            self.setFormat(start, length, form)


class SqlEditor(QPlainTextEdit):
    """Completes names while typing (Ctrl+Space: at once). Tab leaves it. Signal ``run_wanted`` for Ctrl+Enter, where no
    command takes it."""

    run_wanted = Signal()

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self._tables: Sequence[QueryTable] = ()
        self.document().setDocumentMargin(MARGIN)
        self.setTabChangesFocus(True)
        self.setAccessibleName(shown_line(tr("Statement")))
        self.setPlaceholderText(tr("select … from … (Ctrl+Enter runs it)"))
        self._words = QStringListModel(self)
        self._completer = QCompleter(self._words, self)
        self._completer.setWidget(self)
        self._popup = QListView(self)
        self._popup.setUniformItemSizes(True)
        self._completer.setPopup(self._popup)
        self._popup.setParent(self, Qt.WindowType.Popup)  # the completer took it from the editor, and so its style
        self._completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.activated.connect(self._complete)
        self._highlighter = SqlHighlighter(self.document(), display)
        self.textChanged.connect(self.unmark)
        display.changed.connect(self._look_changed)
        self._look_changed(display.look)

    def sizeHint(self) -> QSize:
        return QSize(480, LINES * self.fontMetrics().lineSpacing() + 12)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 2 * self.fontMetrics().lineSpacing() + 12)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.font().family() != number_font(self.font()).family():
            self.setFont(number_font(self.font()))

    def know(self, tables: Sequence[QueryTable]) -> None:
        """Sets the tables whose names are completed."""
        self._tables = tables

    def replace_text(self, text: str) -> None:
        """Replaces the statement; Ctrl+Z restores the former one."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        self.setTextCursor(cursor)

    def insert_name(self, name: str) -> None:
        """Inserts the name of a table; into an empty editor a statement that shows it."""
        if self.toPlainText().strip():
            self.insertPlainText(name)
        else:
            self.replace_text(f"select *\nfrom {name}\nlimit 100")
        self.setFocus()

    def mark(self, offset: int, length: int) -> None:
        """Underlines what is wrong, and moves the cursor there."""
        cursor = self.textCursor()
        cursor.setPosition(min(offset, len(self.toPlainText())))
        self.setTextCursor(cursor)
        marked = QTextEdit.ExtraSelection()
        wrong = QTextCursor(cursor)
        wrong.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor, max(length, 1))
        marked.cursor = wrong
        marked.format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        marked.format.setUnderlineColor(QColor(self._display.theme.error))
        self.setExtraSelections([marked])

    def unmark(self) -> None:
        if self.extraSelections():
            self.setExtraSelections([])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        popup = self._popup
        if event.key() in RETURN and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            popup.hide()
            self.run_wanted.emit()
            return
        if popup.isVisible() and event.key() in ACCEPTING:
            event.ignore()  # the completer handles them
            return
        asked = event.key() == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.ControlModifier
        if not asked:
            super().keyPressEvent(event)
        letters = event.text().isprintable() and bool(event.text().strip())
        if asked or popup.isVisible() or letters:
            self._offer(at_once=asked)

    def _offer(self, *, at_once: bool) -> None:
        cursor, popup = self.textCursor(), self._popup
        before = self.toPlainText()[: cursor.position()]
        word = word_before(before)
        words = completions(before, self.toPlainText(), self._tables)
        if not words or not (at_once or len(word) >= LEAST):
            popup.hide()
            return
        self._words.setStringList(words)
        self._completer.setCompletionPrefix("")
        place = self.cursorRect()
        place.setWidth(popup.sizeHintForColumn(0) + popup.verticalScrollBar().sizeHint().width() + 16)
        self._completer.complete(place)
        popup.setCurrentIndex(self._completer.completionModel().index(0, 0))

    def _complete(self, word: str) -> None:
        """Replaces the word before the cursor, except what it belongs to."""
        cursor = self.textCursor()
        typed = word_before(self.toPlainText()[: cursor.position()])
        own = typed if "." in word else typed.rpartition(".")[2]
        for _ in own:
            cursor.deletePreviousChar()
        cursor.insertText(word)
        self.setTextCursor(cursor)

    def _look_changed(self, look: Look) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.PlaceholderText, QColor(look.theme.muted))
        self.setPalette(palette)
        self.setFont(number_font(QApplication.font()))
        self._highlighter.rehighlight()


_KEYWORDS: Final = (
    "select from where group by order by limit join left join using on as and or not in between is null like desc asc "
    "having with union all distinct case when then else end over partition by exclude filter qualify describe summarize"
)
_FUNCTIONS: Final = (
    "count sum avg min max median quantile_cont stddev arg_max arg_min any_value first last round abs coalesce "
    "regexp_extract regexp_matches split_part contains lower upper length row_number lag lead rank list string_agg"
)
WORDS: Final = (*sorted(set(_KEYWORDS.split())), *sorted(_FUNCTIONS.split()))
MOST: Final = 200
_WORD: Final = re.compile(r"[\w.]*$")
_AFTER_FROM: Final = re.compile(
    r"\b(?:from|join|describe|summarize)\s+[\w.]*$|\bfrom\s[^()]*,\s*[\w.]*$", re.IGNORECASE
)
_NAMED: Final = re.compile(r"(?:\bfrom\s|\bjoin\s|,)\s*([\w.]+)(?=(?:\s+(?:as\s+)?(\w+))?)", re.IGNORECASE)


def word_before(text: str) -> str:
    """The word at the end of ``text``, with what it belongs to: `s.dur`."""
    match = _WORD.search(text)
    return match[0] if match else ""


def completions(before: str, text: str, tables: Sequence[QueryTable]) -> list[str]:
    """Words that can replace the last part of the word at the end of ``before``; ``text``: the whole statement."""
    word = word_before(before)
    by_name = {table.name.lower(): table for table in tables}
    if _AFTER_FROM.search(before):
        return _fitting((table.name for table in tables), word)
    owner, dot, start = word.rpartition(".")
    if dot:
        named = _meant(text, by_name).get(owner.lower()) or by_name.get(owner.lower())
        return [] if named is None else _fitting((column for column, _ in named.columns), start)
    used = {table.name: table for table in _meant(text, by_name).values()} or by_name
    columns = dict.fromkeys(column for table in used.values() for column, _ in table.columns)
    return _fitting((*columns, *(table.name for table in tables), *WORDS), start)


def _meant(text: str, by_name: dict[str, QueryTable]) -> dict[str, QueryTable]:
    """The tables that the statement names, by their name and their alias."""
    meant: dict[str, QueryTable] = {}
    for name, alias in _NAMED.findall(text):
        table = by_name.get(name.lower())
        if table is not None:
            meant[name.lower()] = table
            if alias and alias.lower() not in WORDS:
                meant[alias.lower()] = table
    return meant


def _fitting(words: Iterable[str], start: str) -> list[str]:
    """The words that begin so; none if ``start`` is one of them, so that Enter after it is a new line."""
    wanted = start.lower()
    fitting = [word for word in words if word.lower().startswith(wanted)]
    if any(len(word) == len(wanted) for word in fitting):
        return []
    return list(dict.fromkeys(fitting))[:MOST]
