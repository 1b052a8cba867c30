"""A page of facts: headings, sentences, labelled values, links. Pages are short, made of plain labels, and rebuilt on
every change."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen, QTextLayout, QTextOption
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from app.language import labelled, tr
from app.views.look import TextColour
from app.views.pages.document import Block, Line, Section, Sentence
from app.views.texts import has_ideographs, shown_line
from app.widgets.display import Display
from app.widgets.figure_columns import FigureColumns
from app.widgets.texts import HEADLINE, NOTE, Label, Readout, advance, elided, paint_text, shortened, sized
from app.widgets.tips import set_tip

if TYPE_CHECKING:
    from app.analysis.lookup.hit import Target
    from app.profile.selection import Selection  # imports numpy, which the first window does not need

    Select: TypeAlias = Callable[[Selection], Callable[[], object]]
    Go: TypeAlias = Callable[[Target], Callable[[], object]]

PAD = 12
INDENT = 16
RING = 2
"""Pixels of the ring around a link that has the keyboard."""
MARK = "▸ "
"""Prefix of a link that leads somewhere."""
SELECT = tr("Select it in all panels")
SHOW_ROW = tr("Show it in its table")
OPENED = "▾ "
LONG_LINK = 32
LONG_LABEL = 16
LONGEST_HEADLINE = 22
"""Characters of a title that has the size of a headline; a longer one would take several lines of it."""
LONG_WORD = 24
"""Characters: a longer word (of a label, of a value) cannot wrap; it is elided on the page, and complete in its tool
tip and in the copied text."""


WIDEST = "1,000 KiB", "100.0 %"
"""What the columns of a small table have room for at least, so that those of several tables line up."""


class Row(NamedTuple):
    """A row of a small table; ``run``: where its name leads."""

    name: str
    cells: tuple[str, ...]
    run: Callable[[], object] | None = None
    help: str = ""


class Sheet(QWidget):
    """A page, filled once from top to bottom; ``text``: the page as text for the clipboard."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self._lines: list[str] = []
        self._texts: dict[QWidget, str] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(PAD, PAD, PAD, PAD)
        self._column.setSpacing(4)
        self._grid: QGridLayout | None = None
        self._row = 0
        self._ended = False
        self._fold: Fold | None = None
        self._labels: list[tuple[Label, TextColour]] = []
        display.changed.connect(self._recolour)

    @property
    def text(self) -> str:
        text = "\n".join(self._lines).replace("\u00a0", " ") + "\n" if self._lines else ""
        return text if self._fold is None else text + self._fold.text

    def text_of(self, widget: QWidget) -> str:
        """The whole text of a widget of this page (what is selected in it, if anything is); "" for others."""
        chosen = widget.selectedText().replace("\u00a0", " ") if isinstance(widget, Label) else ""
        return chosen or self._texts.get(widget, "").removeprefix(MARK)

    def title(self, text: str) -> None:
        """Adds the name of the page's subject, wrapped."""
        title = Wrapped(self._display, text, self)
        short = len(text) <= LONGEST_HEADLINE
        title.setFont(sized(title.font(), HEADLINE) if short else bold(title.font()))
        self._add(title, text)
        self._texts[title] = text

    def say(self, text: str, colour: TextColour = "text", *, strong: bool = False, depth: int = 0) -> None:
        """Adds a sentence in a colour of the theme; a word that is too long for a line, such as the path of a key,
        breaks."""
        label: QWidget
        if any(len(word) > LONG_WORD for word in text.split(" ")):
            label = Wrapped(self._display, text, self, colour=colour, indent=INDENT * depth)
        else:
            label = self._label(unbroken(text), colour, depth)
        if strong:
            label.setFont(bold(label.font()))
        elif colour == "muted":
            label.setFont(sized(label.font(), NOTE))
        self._add(label, f"{'  ' * depth}{text}")
        self._texts[label] = text

    def space(self, pixels: int) -> None:
        self._column.insertSpacing(self._place(), pixels)
        self._grid = None

    def heading(self, text: str) -> None:
        """Adds a heading over facts; sections share one grid, so that their values line up."""
        grid = self._facts()
        label = self._label(text, "text", 0)
        label.setFont(bold(label.font()))
        grid.setRowMinimumHeight(self._row, 8)
        grid.addWidget(label, self._row + 1, 0, 1, 2)
        self._row += 2
        self._lines.append(text)

    def facts(self, lines: Iterable[Line]) -> None:
        """Adds labelled values."""
        grid = self._facts()
        for line in lines:
            label = self._fitting(line.label, LONG_LABEL, line.help, muted=True, depth=line.depth)
            value = self._fitting(line.value, LONG_WORD, line.help)
            _on_one_line(label, value)
            value.setAccessibleName(shown_line(labelled(line.label, line.value)))
            self._texts[label], self._texts[value] = line.label, line.value
            grid.addWidget(label, self._row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, self._row, 1, Qt.AlignmentFlag.AlignTop)
            self._row += 1
            self._lines.append(f"{'  ' * line.depth}{line.label}\t{line.value}")

    def show_blocks(self, blocks: Iterable[Block], select: Select | None = None, go: Go | None = None) -> None:
        """Adds parts of a page; ``select``: the action of a link to a thing, ``go``: of one to a row of a table; there
        are no links without them."""
        for kind, group in groupby(blocks, type):
            if kind is Line:
                self._show_facts([block for block in group if isinstance(block, Line)], select, go)
                continue
            for block in group:
                if isinstance(block, Section):
                    self.heading(block.title)
                    self.show_blocks(block.blocks, select, go)
                elif isinstance(block, Sentence) and block.selection is not None and select is not None:
                    note = block.colour == "muted"
                    self.wrapping_link(block.text, select(block.selection), block.help or SELECT, note=note)
                elif isinstance(block, Sentence):
                    self.say(block.text, block.colour, strong=block.strong, depth=block.depth)

    def _show_facts(self, lines: Iterable[Line], select: Select | None, go: Go | None) -> None:
        """Labelled values; one about a thing or in a table is a link."""
        for line in lines:
            if line.selection is not None and select is not None:
                self.link(labelled(line.label, line.value), select(line.selection), SELECT, fact=True, head="")
            elif line.target is not None and go is not None:
                self.link(labelled(line.label, line.value), go(line.target), SHOW_ROW, fact=True, head="")
            else:
                self.facts([line])

    def show_compared(self, sections: Iterable[Section], heads: Sequence[tuple[str, str]]) -> None:
        """Adds sections of labelled values whose columns of a baseline line up; ``heads``: the titles of the columns,
        each with its tool tip."""
        columns = FigureColumns(len(heads), self)
        columns.add_row(None, [self._figure(title, help_, muted=True) for title, help_ in heads])
        self._add(columns, "\t".join(("", *(title for title, _ in heads))))
        for section in sections:
            heading = self._label(section.title, "text", 0)
            heading.setFont(bold(heading.font()))
            columns.add_heading(heading)
            self._lines.append(section.title)
            for line in section.blocks:
                if isinstance(line, Line):
                    self._compare(columns, line, [title for title, _ in heads])

    def _compare(self, columns: FigureColumns, line: Line, heads: Sequence[str]) -> None:
        """A labelled value, with its columns of a baseline if it has any."""
        label = self._fitting(line.label, LONG_LABEL, line.help, muted=True, depth=line.depth)
        self._texts[label] = line.label
        wanted = advance(line.label, label.fontMetrics()) + INDENT * line.depth
        texts = (line.value,) if line.compared is None else (line.value, *line.compared)
        if not line.value:
            columns.add_row(label, [], wanted)
        elif line.compared is None:
            value = self._fitting(line.value, LONG_WORD, line.help)
            self._texts[value] = line.value
            columns.add_row(label, [value], wanted)
        else:
            figures = [self._figure(text, line.help) if text else None for text in texts]
            for figure, head in zip(figures, heads, strict=True):
                if figure is not None:
                    figure.setAccessibleName(shown_line(labelled(f"{line.label}, {head}", figure.text)))
            columns.add_row(label, figures, wanted)
        self._lines.append("\t".join((f"{'  ' * line.depth}{line.label}", *texts)))

    def _figure(self, text: str, help_: str, *, muted: bool = False) -> Readout:
        """A figure at the right of its column."""
        figure = Readout(self._display, self, pad=0, right=True)
        figure.say(text, muted=muted)
        set_tip(figure, "\n".join(part for part in (text, help_) if part))
        self._texts[figure] = text
        return figure

    def link(
        self, text: str, run: Callable[[], object], help_: str = "", *, fact: bool = False, head: str = MARK
    ) -> None:
        """Adds a link that calls ``run``; ``fact``: the text is included in the copied page; ``head``: a prefix of the
        text that is never elided."""
        link = Link(self._display, text, self, head)
        set_tip(link, help_ if len(text) < LONG_LINK else f"{text}\n{help_}")
        link.clicked.connect(_Click(run, link).run)
        self._texts[link] = text
        if fact:
            self._lines.append(text)
        self._column.insertWidget(self._place(), link)
        self._grid = None

    def table(self, rows: Iterable[Row]) -> None:
        """Adds names with figures in columns at the right; a name that leads somewhere is a link, and is elided so that
        no figure is."""
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(PAD)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(0, 1)
        for place, row in enumerate(rows):
            grid.addWidget(self._row_name(row), place, 0)
            for column, cell in enumerate(row.cells, start=1):
                label = self._label(unbroken(cell), "text", 0)
                label.setWordWrap(False)
                label.setAccessibleName(shown_line(labelled(row.name, cell)))
                set_tip(label, row.help)
                label.setMinimumWidth(advance(WIDEST[min(column, len(WIDEST)) - 1], label.fontMetrics()))
                self._texts[label] = cell
                span = 2 if len(row.cells) == 1 else 1
                label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                grid.addWidget(label, place, column, 1, span)
            self._lines.append("\t".join((row.name, *row.cells)))
        self._column.insertLayout(self._place(), grid)
        self._grid = None

    def _row_name(self, row: Row) -> QWidget:
        name: QWidget
        if row.run is None:
            name = Readout(self._display, self, pad=0, indent=INDENT)
            name.say(row.name, muted=True)
        else:
            link = name = Link(self._display, row.name, self, "")
            link.clicked.connect(_Click(row.run, link).run)
        set_tip(name, "\n".join(part for part in (row.name, row.help) if part))
        self._texts[name] = row.name
        return name

    def wrapping_link(self, text: str, run: Callable[[], object], help_: str = "", *, note: bool = False) -> None:
        """Adds a sentence that is a link, wrapped and indented; it is included in the copied page. ``note``: it is one
        of several notes."""
        link = WrappedLink(self._display, text, self)
        if note:
            link.setFont(sized(link.font(), NOTE))
        set_tip(link, help_)
        link.clicked.connect(_Click(run, link).run)
        self._add(link, f"  {text}")
        self._texts[link] = text

    def picture(self, widget: QWidget, height: int) -> None:
        """Adds a widget in the width of the page; it is not part of the copied text."""
        widget.setFixedHeight(height)
        self._column.insertWidget(self._place(), widget)
        self._grid = None

    def fold(
        self, title: str, lines: Iterable[Line], *, opened: bool, turned: Callable[[bool], object] | None = None
    ) -> None:
        """Adds facts that stay at the end of the page, behind what is added later; seen while ``opened``, which a click
        on their title turns."""
        inside = Sheet(self._display, self)
        inside._column.setContentsMargins(0, 0, 0, 0)
        inside.facts(lines)
        inside._texts = self._texts = self._texts | inside._texts
        fold = Fold(self._display, title, inside, opened, turned)
        self._column.insertWidget(self._place(), fold)
        self._fold, self._grid = fold, None

    def end(self) -> None:
        """Leaves the remaining height empty; what is added later comes before it."""
        self._ended = True
        self._column.addStretch(1)

    def _place(self) -> int:
        """Where the next part is inserted: before what stays at the end; -1 for the end."""
        last = int(self._ended) + (self._fold is not None)
        return self._column.count() - last if last else -1

    def _recolour(self) -> None:
        """Shows the texts in the new theme until the page is made again, which may take a moment."""
        for label, colour in self._labels:
            paint_text(label, self._display.theme.of(colour))

    def _facts(self) -> QGridLayout:
        if self._grid is None:
            self._grid, self._row = QGridLayout(), 0
            self._grid.setContentsMargins(0, 0, 0, 0)
            self._grid.setHorizontalSpacing(PAD)
            self._grid.setVerticalSpacing(3)
            self._grid.setColumnStretch(1, 1)
            self._column.insertLayout(self._place(), self._grid)
        return self._grid

    def _add(self, widget: QWidget, line: str) -> None:
        self._column.insertWidget(self._place(), widget)
        self._grid = None
        self._lines.append(line)

    def _fitting(self, text: str, longest: int, help_: str, *, muted: bool = False, depth: int = 0) -> QWidget:
        """A wrapping text; one with a word longer than ``longest`` is elided instead."""
        widget: QWidget
        if any(len(word) > longest for word in text.split()):
            widget = Readout(self._display, self, pad=0, indent=INDENT * depth)
            widget.say(text, muted=muted)
            set_tip(widget, "\n".join(part for part in (text, help_) if part))
        else:
            widget = self._label(text, "muted" if muted else "text", depth)
            set_tip(widget, help_)
        return widget

    def _label(self, text: str, colour: TextColour, depth: int) -> Label:
        label = Label(text, self)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # the panel's menu copies it
        label.setWordWrap(True)
        paint_text(label, self._display.theme.of(colour))
        self._labels.append((label, colour))
        label.setContentsMargins(INDENT * depth, 0, 0, 0)
        return label


def _on_one_line(label: QWidget, value: QWidget) -> None:
    """Moves the higher of two labels beside each other down to the baseline of the other: a line with ideographs has
    more above its baseline than one of Latin letters."""
    if not (isinstance(label, Label) and isinstance(value, Label)):
        return
    if has_ideographs(label.text()) == has_ideographs(value.text()):
        return
    lower = round(_ascent(label) - _ascent(value))
    higher = value if lower > 0 else label
    margins = higher.contentsMargins()
    margins.setTop(margins.top() + abs(lower))
    higher.setContentsMargins(margins)


def _ascent(label: Label) -> float:
    """Pixels of the first line of ``label`` above its baseline."""
    layout = QTextLayout(label.text(), label.font())
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    return line.ascent()


class Link(QAbstractButton):
    """A clickable line of text, elided where it does not fit, so that it never widens its page."""

    def __init__(self, display: Display, text: str, parent: QWidget, head: str = MARK) -> None:
        super().__init__(parent)
        self._display = display
        self._head = shown_line(head)
        self.setText(shown_line(text))
        self.setAccessibleName(self.text())
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(advance(self.text(), metrics) + 2 * INDENT, metrics.height() + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(2 * INDENT, self.fontMetrics().height() + 4)

    def paintEvent(self, _: QPaintEvent) -> None:
        with QPainter(self) as painter:
            font = QFont(self.font())
            font.setUnderline(self.underMouse() or self.hasFocus())
            painter.setFont(font)
            painter.setPen(QColor(self._display.theme.accent))
            box = self.rect().adjusted(INDENT, 0, 0, 0)
            shown = self._shown(box.width())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value, shown)
            self.paint_focus(painter)

    def paint_focus(self, painter: QPainter) -> None:
        """A ring while it has the keyboard."""
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self._display.theme.focus), RING))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            box = QRectF(self.rect()).adjusted(INDENT - 2 * RING, 0, 0, 0)
            painter.drawRoundedRect(box.adjusted(RING / 2, RING / 2, -RING / 2, -RING / 2), 3, 3)

    def _shown(self, room: int) -> str:
        """The elided text: the prefix is kept; of a path the end is kept, of other names both ends."""
        metrics, text = self.fontMetrics(), self.text()
        head, rest = (self._head, text.removeprefix(self._head)) if text.startswith(self._head) else ("", text)
        room -= advance(head, metrics)
        if "/" in rest:
            return head + shortened(rest, metrics, room)
        return head + elided(rest, metrics, room, Qt.TextElideMode.ElideMiddle)


class WrappedLink(Link):
    """A clickable sentence, wrapped anywhere, with the indent of a detail. Its mark alone has the colour of links until
    it is pointed at: pages are mostly such sentences."""

    def __init__(self, display: Display, text: str, parent: QWidget) -> None:
        super().__init__(display, text, parent, "")
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def heightForWidth(self, width: int) -> int:
        return text_height(wrapped_text(self.text(), self.font(), width - INDENT)) + 2

    def paintEvent(self, _: QPaintEvent) -> None:
        with QPainter(self) as painter:
            font = QFont(self.font())
            used, theme = self.underMouse() or self.hasFocus(), self._display.theme
            font.setUnderline(used)
            painter.setPen(QColor(theme.accent))
            wrapped_text(MARK.strip(), self.font(), INDENT).draw(painter, QPointF(0, 1))
            painter.setPen(QColor(theme.accent if used else theme.text))
            wrapped_text(self.text(), font, self.width() - INDENT).draw(painter, QPointF(INDENT, 1))
            self.paint_focus(painter)


class Fold(QWidget):
    """A title that shows and hides a sheet below it."""

    def __init__(
        self, display: Display, title: str, inside: Sheet, opened: bool, turned: Callable[[bool], object] | None
    ) -> None:
        super().__init__(inside.parentWidget())
        self._title, self._turned = title, turned
        self.inside = inside
        self.link = Link(display, title, self, MARK)
        self.link.clicked.connect(self._turn)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.addWidget(self.link)
        column.addWidget(inside)
        self._show(opened)

    @property
    def text(self) -> str:
        """The page's text of it; "" while it is folded."""
        return "" if self.inside.isHidden() else f"{self._title}\n{self.inside.text}"

    def _turn(self) -> None:
        self._show(self.inside.isHidden())
        if self._turned is not None:
            self._turned(not self.inside.isHidden())

    def _show(self, opened: bool) -> None:
        self.inside.setVisible(opened)
        self.link.setText(shown_line(f"{OPENED if opened else MARK}{self._title}"))
        self.link.setAccessibleName(self.link.text())


class _Click(QObject):
    """The action of a link: a separate object, to avoid a reference cycle through the page."""

    def __init__(self, action: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._action = action

    def run(self) -> None:
        self._action()


def bold(font: QFont) -> QFont:
    strong = QFont(font)
    strong.setWeight(QFont.Weight.DemiBold)
    return strong


LEAST = 24
BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:[KMGT]i?B|kB|B|[num\u00b5]?s|min|h|%|cycles|[kMG]?Hz)(?![\w/]))")
"""The space between a figure and its unit."""


class Wrapped(QWidget):
    """Shows ``text`` in the widget's font and a colour of the theme; ``indent`` in pixels."""

    def __init__(
        self,
        display: Display,
        text: str,
        parent: QWidget | None = None,
        *,
        colour: TextColour = "text",
        indent: int = 0,
    ) -> None:
        super().__init__(parent)
        self._display = display
        self._colour: TextColour = colour
        self._indent = indent
        self._text = shown_line(text)
        set_tip(self, text)
        self.setAccessibleName(shown_line(text))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        display.changed.connect(self.update)

    @property
    def text(self) -> str:
        return self._text

    def heightForWidth(self, width: int) -> int:
        return text_height(self._laid_out(width))

    def sizeHint(self) -> QSize:
        return QSize(self._indent + advance(self._text, self.fontMetrics()) + 1, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST, self.fontMetrics().height())

    def paintEvent(self, _: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(QColor(self._display.theme.of(self._colour)))
            self._laid_out(self.width()).draw(painter, QPointF(self._indent, 0))

    def _laid_out(self, width: int) -> QTextLayout:
        return wrapped_text(self._text, self.font(), width - self._indent)


def unbroken(text: str) -> str:
    """``text`` with a space that does not break between a figure and its unit."""
    return BEFORE_UNIT.sub("\u00a0", text)


def wrapped_text(text: str, font: QFont, width: int) -> QTextLayout:
    """``text`` in lines of this width, at least LEAST; a figure stays with its unit."""
    layout = QTextLayout(unbroken(shown_line(text)), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    top = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, LEAST))
        line.setPosition(QPointF(0, top))
        top += line.height()
    layout.endLayout()
    return layout


def text_height(layout: QTextLayout) -> int:
    return round(sum(layout.lineAt(number).height() for number in range(layout.lineCount())))
