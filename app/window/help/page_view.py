"""Shows a page of the help as rich text."""

from __future__ import annotations

import re

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontDatabase,
    QKeySequence,
    QShortcut,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextOption,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget

from app.language import tr
from app.views.theme import Theme

MARGIN = 20
PADDING = 5
LAST_COLUMN = 48
"""Percent of the width of a table of three columns or more: the last one has sentences."""
GITHUB = QTextDocument.MarkdownFeature.MarkdownDialectGitHub


class PageView(QTextBrowser):
    """Renders Markdown of our own (never of a file) by Qt; loads nothing, neither from the disk nor from a network.
    Signal ``followed`` (str): a link was clicked, or chosen by the keyboard."""

    followed = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("helpPage")
        self.setAccessibleName(tr("Page"))
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.document().setDocumentMargin(MARGIN)
        self.anchorClicked.connect(lambda url: self.followed.emit(url.toString()))
        for keys, zoom in (
            (QKeySequence.StandardKey.ZoomIn, self.zoomIn),
            (QKeySequence.StandardKey.ZoomOut, self.zoomOut),
        ):
            QShortcut(QKeySequence(keys), self, zoom)

    def loadResource(self, _kind: int, _name: QUrl | str) -> object:
        """Nothing: pages have no pictures, and no link loads anything."""
        return None

    def show_markdown(self, markdown: str, theme: Theme) -> None:
        """Shows a page from its beginning."""
        self.document().setMarkdown(markdown, GITHUB)
        whole = QTextCursor(self.document())
        whole.beginEditBlock()  # laid out once
        self._space_blocks()
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                _draw_lines(frame, theme)
        self._paint_code(theme)
        whole.endEditBlock()
        self.setExtraSelections([])
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def mark(self, wanted: re.Pattern[str] | None, theme: Theme) -> None:
        """Highlights what is searched for, and scrolls to the first hit; None: nothing is highlighted."""
        hits = list(wanted.finditer(self.document().toPlainText())) if wanted is not None else []
        look = QTextCharFormat()
        look.setBackground(QColor(theme.range))
        look.setForeground(QColor(theme.text))
        marks = []
        for hit in hits:
            mark = QTextEdit.ExtraSelection()
            mark.cursor = self._cursor(hit.start(), hit.end())
            mark.format = look
            marks.append(mark)
        self.setExtraSelections(marks)
        if hits:
            self.step_to(hits[0].start(), hits[0].end())
        else:
            here = self.textCursor()
            here.clearSelection()
            self.setTextCursor(here)

    def step(self, wanted: re.Pattern[str], direction: int) -> None:
        """Goes to the next or previous hit, around the end."""
        hits = [hit.span() for hit in wanted.finditer(self.document().toPlainText())]
        if not hits:
            return
        here = self.textCursor()
        if direction > 0:
            target = next((hit for hit in hits if hit[0] >= here.selectionEnd()), hits[0])
        else:
            target = next((hit for hit in reversed(hits) if hit[1] <= here.selectionStart()), hits[-1])
        self.step_to(*target)

    def step_to(self, begin: int, end: int) -> None:
        self.setTextCursor(self._cursor(begin, end))
        self.ensureCursorVisible()

    def _cursor(self, begin: int, end: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(begin)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _space_blocks(self) -> None:
        """Room above headings and between paragraphs, lines a little apart."""
        block = self.document().begin()
        while block.isValid():
            level = block.blockFormat().headingLevel()
            format_ = QTextBlockFormat()
            format_.setNonBreakableLines(False)
            format_.setLineHeight(125, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            if level:
                format_.setTopMargin(4 if level == 1 else 16)
                format_.setBottomMargin(6)
            QTextCursor(block).mergeBlockFormat(format_)
            block = block.next()

    def _paint_code(self, theme: Theme) -> None:
        """Code stands on a ground of its own; Qt gives it a fixed font."""
        look = QTextCharFormat()
        look.setBackground(QColor(theme.raised))
        look.setFontFamilies(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).families())
        block = self.document().begin()
        while block.isValid():
            spans = []
            pieces = block.begin()
            while not pieces.atEnd():
                piece = pieces.fragment()
                if piece.charFormat().fontFixedPitch():
                    spans.append((piece.position(), piece.position() + piece.length()))
                pieces += 1
            for begin, end in spans:
                self._cursor(begin, end).mergeCharFormat(look)
            block = block.next()


def _draw_lines(table: QTextTable, theme: Theme) -> None:
    """Hairlines between the rows; the header stands out; the last column takes what room there is."""
    format_ = table.format()
    format_.setBorder(1)
    format_.setBorderCollapse(True)
    format_.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    format_.setBorderBrush(QBrush(QColor(theme.line)))
    format_.setCellPadding(PADDING)
    format_.setCellSpacing(0)
    format_.setTopMargin(4)
    format_.setBottomMargin(10)
    format_.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    if table.columns() > 2:
        free, rest = QTextLength(), QTextLength(QTextLength.Type.PercentageLength, LAST_COLUMN)
        format_.setColumnWidthConstraints([*[free] * (table.columns() - 1), rest])
    table.setFormat(format_)
    for column in range(table.columns()):
        cell = table.cellAt(0, column)
        look = cell.format()
        look.setProperty(QTextFormat.Property.BackgroundBrush, QBrush(QColor(theme.raised)))
        cell.setFormat(look)
