"""The start page, shown while nothing is open."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.help.tours import TOURS
from app.language import tr
from app.views.look import Theme
from app.views.texts import caption, shown_line
from app.widgets.display import Display
from app.widgets.icons import application_icon, icon
from app.widgets.refresh import Refresh
from app.widgets.texts import HEADLINE, Label, sized
from app.widgets.tips import set_tip
from app.window.recent import RecentFile, listed, listed_pairs, there, title_of
from app.window.samples import Sample, samples
from app.window.settings import FilePair, SettingsFile

FIRST_STEPS = (
    ("help.keys", tr("Keyboard shortcuts"), tr("Lists every command with its keys.")),
    (
        "tools.commands",
        tr("Command palette"),
        tr("Type a few letters of a command, panel, table, setting or recent file."),
    ),
)
"""Commands that newcomers need: id, title, what they do."""

OPENS = (
    (
        tr("Graphcore"),
        tr("graph.json and execution.json of a Poplar report (or .cbor), alone or as a folder; .popef models"),
    ),
    (tr("TensorFlow for IPUs"), tr("events.out.tfevents.* with IPU events; *.tensor_map.json")),
    (
        tr("Huawei Ascend"),
        tr(
            "whole captures (*_ascend_pt, PROF_*); OPPROF folders and packs (.rep, .ncrep, .npu-rep) of an operator, "
            "or their visualize_data.bin, trace.json and tables; PyPTO runs (dfx_outputs)"
        ),
    ),
    (
        tr("Tenstorrent"),
        tr("profile_log_device.csv, ops_perf_results*.csv, traces of the NoC, reports of ttnn (db.sqlite)"),
    ),
    (tr("AMD AI Engine"), tr("traces of tiles that the parser of mlir-aie writes (*.json)")),
    (tr("Other traces"), tr("trace files of PyTorch's profiler and of Chrome (*.json)")),
)
"""The supported files, by the names that users know."""


MARGIN, SPACE, GAP = 48, 28, 16
"""Pixels beside the content, between its parts, and between cards."""
WIDE, WIDEST_CONTENT = 1184, 1760
SCALED_FROM, LARGEST_SCALE = 2200, 1.5
"""On a wider page everything is larger, in steps of a quarter."""
BESIDE = 150
"""Up to this size of texts, in percent, buttons are beside the sentence that they end."""
SHOWN_RECENT = 8
SHOWN_PAIRS = 4
CARD_MARGIN = 8
CORNER = 5
NARROWEST, WIDEST = 183, 420
"""Of a card in pixels; seven of the narrowest have room in a window 1920 wide."""
BRIEF = 148
"""The same of one without a description."""
USUAL = 256
"""Width of the picture until the page knows its own."""


class StartPage(QScrollArea):
    """How to open files, samples, recent files and first steps. Signals: ``open_wanted`` (paths), ``ask_files``,
    ``ask_folder``, ``clear_wanted``, ``command_wanted`` (id of a command), ``pair_wanted`` (FilePair),
    ``menu_wanted`` (place, global position): a context menu for the recent file ``meant``, or the recent comparison
    ``meant_pair``, is requested."""

    open_wanted = Signal(object)
    ask_files = Signal()
    ask_folder = Signal()
    clear_wanted = Signal()
    command_wanted = Signal(str)
    menu_wanted = Signal(str, object)
    pair_wanted = Signal(object)

    def __init__(self, settings: SettingsFile, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._display = display
        self.meant: RecentFile | None = None
        self.meant_pair: FilePair | None = None
        self._scale = 1.0
        self._buttons: dict[QPushButton, RecentFile] = {}
        self._pair_buttons: dict[QPushButton, FilePair] = {}
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setAccessibleName(tr("Start page"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._again = Refresh(self, self.refresh)
        display.changed.connect(self._again.request)
        self.refresh()

    def refresh(self) -> None:
        """Rebuilds the page, after the recent files or the theme changed."""
        self._buttons, self._pair_buttons = {}, {}
        page = Page(self._display)
        page.content.addLayout(self._heading())
        page.content.addLayout(self._drop_area())
        lists = QHBoxLayout()
        lists.setSpacing(48)
        lists.addLayout(self._recent(), 3)
        lists.addLayout(self._first_steps(), 2)
        known = bool(self._buttons or self._pair_buttons)
        if known:  # who has opened files wants one of them first
            page.content.addLayout(lists)
        self._add_samples(page, brief=known)
        if not known:
            page.content.addLayout(lists)
        page.enlarge(self._scale)
        page.fit(self.viewport().width())
        self.setWidget(page)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if page_scale(self.width()) != self._scale:
            self._scale = page_scale(self.width())
            self.refresh()

    def _heading(self) -> QLayout:
        icon = Label()
        icon.setPixmap(application_icon().pixmap(QSize(48, 48) * self._scale))
        title = _text("Tilesight", "title", larger=HEADLINE)
        line = _text(
            tr("See where memory and cycles go on Graphcore IPUs, Huawei Ascend NPUs and Tenstorrent chips"), "muted"
        )
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(title)
        words.addWidget(line)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(icon)
        row.addLayout(words, 1)
        return row

    def _drop_area(self) -> QLayout:
        files = QPushButton(tr("Open files…"))
        files.setDefault(True)
        files.clicked.connect(self.ask_files)
        folder = QPushButton(tr("Open folder…"))
        folder.clicked.connect(self.ask_folder)
        row = QHBoxLayout()
        row.setSpacing(12)
        drop = _text(tr("Drop files or folders anywhere in this window, or"), "title")
        drop.setWordWrap(False)
        if self._display.look.text_size <= BESIDE:
            row.addWidget(drop)
        row.addWidget(files)
        row.addWidget(folder)
        row.addStretch(1)
        kinds = QGridLayout()
        kinds.setHorizontalSpacing(16)
        kinds.setVerticalSpacing(4)
        kinds.setColumnStretch(1, 1)
        for place, (family, what) in enumerate(OPENS):
            kinds.addWidget(_text(family, "title"), place, 0)
            kinds.addWidget(_text(what, "muted"), place, 1)
        column = QVBoxLayout()
        column.setSpacing(12)
        if self._display.look.text_size > BESIDE:
            column.addWidget(drop)
        column.addLayout(row)
        column.addLayout(kinds)
        return column

    def _add_samples(self, page: Page, *, brief: bool) -> None:
        """Adds a card for each sample; ``brief``: all in one row where that is possible, what they are in tool tips."""
        available = samples()
        if available:
            page.content.addWidget(_text(tr("Sample profiles"), "headingText"))
            page.content.addSpacing(SPACE // 2 - SPACE)
        for sample in available:
            card = Card(sample, self._display.theme, page, brief=brief)
            card.clicked.connect(lambda _=False, sample=sample: self.open_wanted.emit(sample.paths()))
            card.tour_wanted.connect(self.command_wanted)
            page.cards.append(card)
        page.brief = brief
        page.content.addLayout(page.grid)

    def _recent(self) -> QLayout:
        column = QVBoxLayout()
        column.setSpacing(4)
        files = listed(self._settings.value.recent, self._settings.value.recent_together)
        head = QHBoxLayout()
        head.addWidget(_heading(tr("Recent files")))
        head.addStretch(1)
        column.addLayout(head)
        if not files:
            column.addWidget(_text(tr("Files that you open are listed here."), "muted"))
        else:
            clear = _flat(tr("Clear"))
            clear.clicked.connect(self.clear_wanted)
            head.addWidget(clear)
        for file in files[:SHOWN_RECENT]:
            column.addWidget(self._recent_button(file))
        self._pairs(column)
        column.addStretch(1)
        return column

    def _pairs(self, column: QVBoxLayout) -> None:
        """Adds the recent comparisons, if there are any."""
        pairs = listed_pairs(self._settings.value)[:SHOWN_PAIRS]
        if pairs:
            column.addSpacing(12)
            column.addWidget(_text(tr("Recent comparisons"), "headingText"))
        for pair in pairs:
            button = _flat(caption(title_of(pair)))
            self._pair_buttons[button] = pair
            button.setEnabled(there(pair))
            set_tip(button, "\n".join((*pair.after, tr("compared with"), *pair.before)))
            button.clicked.connect(lambda _=False, pair=pair: self.pair_wanted.emit(pair))
            column.addWidget(button)

    def _recent_button(self, file: RecentFile) -> QPushButton:
        button = _flat(caption(file.line))
        self._buttons[button] = file
        button.setEnabled(file.exists)
        set_tip(button, "\n".join(map(str, file.paths)))
        button.setMinimumWidth(200)
        button.clicked.connect(lambda: self.open_wanted.emit(file.paths))
        return button

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Requests a menu for the recent file or comparison under the pointer (even a missing one, whose button is
        disabled) or, by key, the focused one."""
        page = self.widget() or self
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        under = QApplication.focusWidget() if by_key else page.childAt(page.mapFromGlobal(event.globalPos()))
        if not isinstance(under, QPushButton):
            return
        self.meant, self.meant_pair = self._buttons.get(under), self._pair_buttons.get(under)
        if self.meant is not None or self.meant_pair is not None:
            under.setFocus(Qt.FocusReason.MouseFocusReason)
            self.menu_wanted.emit("recent" if self.meant is not None else "recent_pair", event.globalPos())

    def _first_steps(self) -> QLayout:
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(_heading(tr("First steps")))
        for command, title, what in FIRST_STEPS:
            button = _flat(title)
            set_tip(button, what)
            button.clicked.connect(lambda _=False, command=command: self.command_wanted.emit(command))
            column.addWidget(button)
        column.addStretch(1)
        return column


def page_scale(width: int) -> float:
    """Returns how much larger everything is on a page of this width, which would look lost there otherwise."""
    return min(max(int(4 * width / SCALED_FROM) / 4, 1.0), LARGEST_SCALE)


def content_width(width: int) -> int:
    """Returns how wide the content of a page of this width is: all of a small window, and of a large one as much as the
    eye follows; the rest is margin on both sides."""
    widest = round(WIDEST_CONTENT * page_scale(width))
    return max(min(width - 2 * MARGIN, max(WIDE, round(width * 0.72)), widest), NARROWEST)


def card_columns(width: int, cards: int, *, brief: bool = False) -> tuple[int, int]:
    """Returns (cards in a row, width of each) for a content of this width."""
    columns = max(1, min(cards, (width + GAP) // ((BRIEF if brief else NARROWEST) + GAP)))
    widest = WIDEST if width <= WIDEST_CONTENT else round(WIDEST * LARGEST_SCALE)
    return columns, min(widest, (width - (columns - 1) * GAP) // columns)


class Page(QWidget):
    """The scrolled page, with the dashed border of a drop area. ``content``: what is on it, in the middle; ``cards``:
    those of the samples, which share its width."""

    def __init__(self, display: Display) -> None:
        super().__init__()
        self._display = display
        self.cards: list[Card] = []
        self.brief = False
        self.setObjectName("start")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._middle = QWidget(self)
        self.content = QVBoxLayout(self._middle)
        self.content.setContentsMargins(0, 0, 0, 0)
        self.content.setSpacing(SPACE)
        self.grid = QGridLayout()
        self.grid.setSpacing(GAP)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(MARGIN, MARGIN - 8, MARGIN, MARGIN - 8)
        outer.addStretch(1)
        row = QHBoxLayout()  # it asks for the height at the width of the middle, an alignment for that at its own
        row.addStretch(1)
        row.addWidget(self._middle)
        row.addStretch(1)
        outer.addLayout(row)
        outer.addStretch(2)

    def enlarge(self, scale: float) -> None:
        """Makes all texts larger."""
        if scale != 1.0:
            for part in self.findChildren(QWidget):
                part.setFont(sized(part.font(), scale))

    def fit(self, width: int) -> None:
        """Lays the content out for a page of this width."""
        content = content_width(width)
        self._middle.setFixedWidth(content)
        columns, each = card_columns(content, len(self.cards), brief=self.brief)
        for place, card in enumerate(self.cards):
            card.set_width(each)
            self.grid.addWidget(card, place // columns, place % columns)  # all of a row are equally high
        for column in range(self.grid.columnCount()):
            self.grid.setColumnStretch(column, 0)
        self.grid.setColumnStretch(columns, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit(event.size().width())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme = self._display.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.surface))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(theme.line), 2, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(16, 16, -16, -16), 10, 10)


def _text(text: str, name: str, larger: float = 1.0) -> Label:
    label = Label(text)
    label.setObjectName(name)
    label.setWordWrap(larger == 1.0)
    if larger != 1.0:
        label.setFont(sized(label.font(), larger))
    return label


def _heading(text: str) -> Label:
    """A heading as high as the button that may stand beside it, so that neighbours are in line."""
    label = _text(text, "headingText")
    label.setMinimumHeight(_flat(text).sizeHint().height())
    return label


def _flat(text: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName("flat")
    button.setFlat(True)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    return button


class Card(QPushButton):
    """The button of one sample; emits ``clicked`` like any other. Signal ``tour_wanted`` (id of a command): its tour,
    if it has one."""

    tour_wanted = Signal(str)

    def __init__(self, sample: Sample, theme: Theme, parent: QWidget | None = None, *, brief: bool = False) -> None:
        super().__init__(parent)
        self.sample = sample
        self.setObjectName("card")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(shown_line(tr("Open sample {sample}", sample=sample.title)))
        about = (sample.description,) if brief else ()
        set_tip(self, "\n".join((*about, *map(str, sample.paths()))))
        self._picture = Picture(sample, theme, self)
        title = Label(sample.title, self)
        title.setObjectName("headingText")
        title.setWordWrap(True)
        text = Label(sample.description, self)
        text.setObjectName("muted")
        text.setWordWrap(True)
        text.setHidden(brief)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(CARD_MARGIN, CARD_MARGIN, CARD_MARGIN, CARD_MARGIN)
        layout.setSpacing(4)
        for part in (self._picture, title, text):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            layout.addWidget(part)
        layout.addStretch(1)
        for tour in (tour for tour in TOURS if tour.sample == sample.id):
            button = _flat(tr("Take the tour"))
            button.setIcon(icon("arrow-right"))
            button.setAccessibleDescription(shown_line(tour.title))
            button.clicked.connect(lambda _=False, tour=tour: self.tour_wanted.emit(tour.command))
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self._inside = layout
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.MinimumExpanding)
        self.set_width(USUAL + 2 * CARD_MARGIN)

    def set_width(self, width: int) -> None:
        """Makes the card and its picture as wide as the page has room for."""
        if width != self.maximumWidth():
            self._picture.setFixedSize(width - 2 * CARD_MARGIN, height_of(width - 2 * CARD_MARGIN))
            self.setFixedWidth(width)
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        width = self.maximumWidth()
        return QSize(width, max(self._inside.heightForWidth(width), self._inside.sizeHint().height()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Picture(QWidget):
    """The picture of a sample. It is read when it is painted: the page gets its width in steps, and the window is there
    before."""

    def __init__(self, sample: Sample, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._sample = sample
        self._theme = theme
        self._made = QPixmap()

    def paintEvent(self, _event: QPaintEvent) -> None:
        scale, made = self.devicePixelRatioF(), self._made
        if made.deviceIndependentSize().toSize() != self.size() or made.devicePixelRatioF() != scale:
            self._made = sample_picture(self._sample, self._theme, self.width(), scale)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._made)


def height_of(width: int) -> int:
    """Returns the height of a picture in the shape 16:9."""
    return width * 9 // 16


def sample_picture(sample: Sample, theme: Theme, width: int = USUAL, scale: float = 1.0) -> QPixmap:
    """Returns the bundled picture for this theme, ``width`` logical pixels wide, for a screen of that ``scale``; a
    placeholder drawing if there is none."""
    target = QPixmap(QSize(width, height_of(width)) * scale)
    target.fill(Qt.GlobalColor.transparent)
    path = QPainterPath()
    path.addRoundedRect(QRectF(0, 0, target.width(), target.height()), CORNER * scale, CORNER * scale)
    loaded = QPixmap(str(sample.picture(dark=theme.dark)))
    with QPainter(target) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setClipPath(path)
        if loaded.isNull():
            _draw_placeholder(painter, QRectF(target.rect()), theme)
        else:
            part = loaded.size().scaled(target.size(), Qt.AspectRatioMode.KeepAspectRatioByExpanding)
            painter.drawPixmap(0, 0, loaded.scaled(part, mode=Qt.TransformationMode.SmoothTransformation))
    target.setDevicePixelRatio(scale)
    return target


def _draw_placeholder(painter: QPainter, place: QRectF, theme: Theme) -> None:
    """Draws rows of slices above a row of tiles, as a profile looks from a distance."""
    painter.fillRect(place, QColor(theme.surface))
    lengths = (0.34, 0.12, 0.22, 0.08, 0.28, 0.16)
    row_height = place.height() / 9
    for row in range(5):
        left = place.width() * (0.05 + 0.03 * (row % 3))
        for step in range(4):
            width = place.width() * lengths[(row * 2 + step) % len(lengths)] * 0.7
            colour = QColor(theme.categories[(row + step) % 7])
            painter.fillRect(QRectF(left, row_height * (0.8 + row * 1.1), width, row_height * 0.8), colour)
            left += width + place.width() * 0.03
    side = place.width() / 30
    for tile in range(26):
        colour = QColor(theme.accent)
        colour.setAlphaF(0.2 + 0.8 * ((tile * 7) % 11) / 11)
        painter.fillRect(QRectF(place.width() * 0.05 + tile * side * 1.05, row_height * 7, side, side * 1.3), colour)
