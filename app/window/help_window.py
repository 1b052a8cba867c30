"""The window of the help: the list of pages, search over all of them, and the page as rich text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from urllib.parse import unquote

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontDatabase,
    QKeyEvent,
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
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.help.directives import Directive, expanded
from app.help.markdown import plain
from app.help.pages import CHAPTERS, INDEX, Searchable, page, pattern, search, searchable, topics
from app.language import plural, tr
from app.views.look import Theme
from app.views.texts import paragraph, shown_line
from app.widgets.dialogs import resize_dialog
from app.widgets.fields import SearchField
from app.widgets.icons import icon
from app.widgets.tips import set_tip
from app.window.command import CommandContext
from app.window.key_tables import key_table
from app.window.samples import samples

TOPIC = Qt.ItemDataRole.UserRole
SUFFIX = ".md"
MARGIN = 20
PADDING = 5
LAST_COLUMN = 48
"""Percent of the width of a table of three columns or more: the last one has sentences."""
GITHUB = QTextDocument.MarkdownFeature.MarkdownDialectGitHub


class HelpWindow(QDialog):
    """One window, beside the main one; it stays open while one works there."""

    def __init__(self, context: CommandContext) -> None:
        super().__init__(context.main)
        self.setWindowFlags(Qt.WindowType.Window)
        self._context = context
        self._directives: Mapping[str, Directive] = {"keys": key_table, "commands": context.command_pages}
        self._expanded: dict[str, str] = {}
        self._searchable: dict[str, Searchable] = {}
        self._history: list[tuple[str, int]] = []
        self._at = -1
        self.field = self._search_field()
        self.back = self._button("arrow-left", tr("Back"), partial(self.step, -1))
        self.forward = self._button("arrow-right", tr("Forward"), partial(self.step, 1))
        self.panel = QPushButton(tr("Show panel"), self)
        self.panel.setAutoDefault(False)
        self.panel.clicked.connect(lambda: follow(context, f"panel:{self.topic}"))
        self.view = PageView(self)
        self.view.followed.connect(self.follow)
        self.contents = self._contents()
        self.results = self._results()
        self._lay_out()
        self._ahead = QTimer(self, interval=0)
        self._ahead.timeout.connect(self._expand_next)
        self._ahead.start()
        context.display.changed.connect(self._repaint)

    @property
    def topic(self) -> str:
        """The page that is shown."""
        return self._history[self._at][0]

    def go(self, topic: str) -> None:
        """Shows a page, which the way back then leads from."""
        if self._at >= 0:
            self._leave()
            if topic == self.topic:
                return
        del self._history[self._at + 1 :]
        self._history.append((topic, 0))
        self._at += 1
        self._show()

    def step(self, direction: int) -> None:
        """Goes back or forward along the pages that were shown."""
        if 0 <= self._at + direction < len(self._history):
            self._leave()
            self._at += direction
            self._show()

    def follow(self, link: str) -> None:
        """Shows the page of a link, or what the main window has for it."""
        if link.removesuffix(SUFFIX) in topics():
            self.go(link.removesuffix(SUFFIX))
        else:
            follow(self._context, link)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc in the search field, which has cleared itself, returns to the page; elsewhere it closes the window."""
        if event.key() == Qt.Key.Key_Escape and self.focusWidget() is self.field:
            self.view.setFocus()
        else:
            super().keyPressEvent(event)

    # -- inside -------------------------------------------------------------------------------------------

    def _search_field(self) -> SearchField:
        field = SearchField(tr("Search the help"), self)
        field.textChanged.connect(self._search)
        field.stepped.connect(self._step_hit)
        field.left.connect(lambda: self.results.setFocus())
        return field

    def _results(self) -> QListWidget:
        """The pages with hits, in place of the list of all."""
        results = QListWidget(self)
        results.setAccessibleName(tr("Pages with matches"))
        results.setWordWrap(True)
        results.setSpacing(3)
        results.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        results.currentItemChanged.connect(self._open_result)
        results.itemActivated.connect(lambda _: self.view.setFocus())
        results.hide()
        return results

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.addWidget(self.back)
        bar.addWidget(self.forward)
        bar.addWidget(self.field, 1)
        bar.addWidget(self.panel)
        parts = QSplitter(self)
        parts.addWidget(self.contents)
        parts.addWidget(self.results)
        parts.addWidget(self.view)
        parts.setStretchFactor(2, 1)
        parts.setSizes([250, 250, 750])
        layout = QVBoxLayout(self)
        layout.addLayout(bar)
        layout.addWidget(parts, 1)
        for keys, run in (
            ("Alt+Left", partial(self.step, -1)),
            ("Alt+Right", partial(self.step, 1)),
            ("Ctrl+F", self.field.setFocus),
            ("F3", partial(self._step_hit, 1)),
            ("Shift+F3", partial(self._step_hit, -1)),
        ):
            QShortcut(QKeySequence(keys), self, run)
        resize_dialog(self, 1020, 720)

    def _button(self, sign: str, text: str, run: object) -> QToolButton:
        button = QToolButton(self)
        button.setIcon(icon(sign))
        button.setAutoRaise(True)
        button.setAccessibleName(shown_line(text))
        set_tip(button, text)
        button.clicked.connect(run)
        return button

    def _contents(self) -> QTreeWidget:
        tree = QTreeWidget(self)
        tree.setHeaderHidden(True)
        tree.setRootIsDecorated(False)
        tree.setIndentation(12)
        tree.setAccessibleName(tr("Pages"))
        for chapter in CHAPTERS:
            head = QTreeWidgetItem([chapter.title])
            head.setFlags(Qt.ItemFlag.ItemIsEnabled)
            font = head.font(0)
            font.setBold(True)
            head.setFont(0, font)
            tree.addTopLevelItem(head)
            for topic in chapter.topics:
                item = QTreeWidgetItem(head, [plain(page(topic).title)])
                item.setData(0, TOPIC, topic)
        tree.expandAll()
        tree.currentItemChanged.connect(self._open_item)
        tree.itemActivated.connect(lambda *_: self.view.setFocus())
        return tree

    def _show(self) -> None:
        topic, place = self._history[self._at]
        self.setWindowTitle(tr("{page} – Help", page=plain(page(topic).title)))
        self.view.show_markdown(self._markdown(topic), self._context.display.theme)
        self.view.verticalScrollBar().setValue(place)
        if not place:
            self.view.mark(pattern(self.field.text()), self._context.display.theme)
        self.back.setEnabled(self._at > 0)
        self.forward.setEnabled(self._at + 1 < len(self._history))
        docks = self._context.docks
        self.panel.setVisible(docks is not None and topic in docks.docks)
        self.panel.setEnabled(docks is not None and topic in docks.offered)
        self._select_item(topic)

    def _leave(self) -> None:
        self._history[self._at] = (self.topic, self.view.verticalScrollBar().value())

    def _markdown(self, topic: str) -> str:
        if topic not in self._expanded:
            self._expanded[topic] = expanded(page(topic), self._directives)
        return self._expanded[topic]

    def _expand_next(self) -> None:
        """Makes one page ready for the search in each turn of the event loop."""
        topic = next((topic for topic in topics() if topic not in self._searchable), None)
        if topic is None:
            self._ahead.stop()
            self._search()
            from app.help.examples import release  # imported with the first page that has columns

            release()
            return
        self._searchable[topic] = searchable(topic, self._markdown(topic))

    def _search(self) -> None:
        """Lists the pages with hits in place of all pages."""
        query = self.field.text()
        wanted = pattern(query)
        self.results.setVisible(wanted is not None)
        self.contents.setVisible(wanted is None)
        self.view.mark(wanted, self._context.display.theme)
        if wanted is None:
            return
        self.results.blockSignals(True)
        self.results.clear()
        for hits in search(self._searchable.values(), query):
            count = plural("{count:,} match", "{count:,} matches", count=hits.count)
            text = f"{plain(page(hits.topic).title)} – {count}\n{hits.before}{hits.hit}{hits.after}"
            item = QListWidgetItem(paragraph(text))
            item.setData(TOPIC, hits.topic)
            self.results.addItem(item)
        if not self.results.count() and not self._ahead.isActive():
            item = QListWidgetItem(tr("No matches"))
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.results.addItem(item)
        self.results.blockSignals(False)

    def _step_hit(self, direction: int) -> None:
        """The next hit on the page; on a page without any, the first page with hits."""
        wanted = pattern(self.field.text())
        if wanted is None:
            return
        if wanted.search(self.view.toPlainText()):
            self.view.step(wanted, direction)
        else:
            self.results.setCurrentRow(0)

    def _open_result(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(TOPIC):
            self.go(item.data(TOPIC))

    def _open_item(self, item: QTreeWidgetItem | None) -> None:
        if item is not None and item.data(0, TOPIC):
            self.go(item.data(0, TOPIC))

    def _select_item(self, topic: str) -> None:
        tree = self.contents
        heads = [tree.topLevelItem(row) for row in range(tree.topLevelItemCount())]
        items = [head.child(row) for head in heads if head is not None for row in range(head.childCount())]
        tree.blockSignals(True)
        for item in items:
            if item is not None and item.data(0, TOPIC) == topic:
                tree.setCurrentItem(item)
        tree.blockSignals(False)

    def _repaint(self) -> None:
        if self._at >= 0:
            self._leave()
            self._show()


def show(context: CommandContext, topic: str = INDEX) -> HelpWindow:
    """Opens the window, or brings it to the front, with a page."""
    windows = context.main.findChildren(HelpWindow)
    window = windows[0] if windows else HelpWindow(context)
    window.go(topic if topic in topics() else INDEX)
    window.show()
    window.raise_()
    window.activateWindow()
    window.view.setFocus()
    return window


def follow(context: CommandContext, link: str) -> None:
    """Does what a link of a page asks the main window for, as far as it can: shows a panel, opens a sample, runs a
    command, or selects things of the shown profile."""
    kind, _, name = link.partition(":")
    if kind in ("panel", "select", "command"):
        context.main.activateWindow()
    if kind == "panel":
        context.show_panel(name)
    elif kind == "sample":
        context.open([path for sample in samples() if sample.id == name for path in sample.paths()])
    elif kind == "select":
        _select(context, *unquote(name).partition("/")[::2])
    for command in context.commands if kind == "command" else ():
        if command.id == name and command.enabled(context):
            command.run(context)


def _select(context: CommandContext, kind: str, name: str) -> None:
    from app.analysis.kinds import KINDS  # imports numpy
    from app.analysis.lookup.hit import Target
    from app.analysis.lookup.sources import called
    from app.window.going import go

    profile, known = context.document.profile, next((known for known in KINDS if known == kind), None)
    selection = None if profile is None or known is None else called(profile, known, name)
    if selection is not None:
        go(context, Target(selection), keyboard=False)


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
