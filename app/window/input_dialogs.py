"""Small dialogs that ask for something: ranges, the clock of a timeline, two parts to compare, a link."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.analysis.tile_sets import EXAMPLE
from app.analysis.view_links.text import LONGEST, BadLink, looks_like_link, parse, written
from app.language import tr
from app.profile.arrays import I64
from app.profile.file_state import HIGHEST_HZ, LOWEST_HZ
from app.profile.profile import Profile
from app.profile.selection import TileRange, TimeRange
from app.views.texts import first_names, paragraph, shown_line, shown_lines
from app.views.timeline.model import extent
from app.views.timeline.times import Clock
from app.views.units import format_value
from app.widgets.dialogs import resize_dialog, text_scale
from app.widgets.fields import Chooser, NumberBox
from app.widgets.frame import bar_of
from app.widgets.mnemonics import mark_mnemonics
from app.widgets.texts import Label
from app.widgets.tiles_field import TilesField
from app.widgets.timeline.range_fields import RangeFields
from app.window.dialogs import accept_and_cancel

if TYPE_CHECKING:
    from app.analysis.parts.profile_part import PartList, ProfilePart
    from app.analysis.view_links.view_link import ProfileRef, ViewLink
    from app.document.entry import Entry
    from app.document.parts import PartOpener
    from app.window.command import CommandContext

USUAL_MHZ: Final = 1850.0
"""The clock that profilers assume for chips that they do not know (Ascend operator reports, section 4)."""
DECIMALS: Final = 6
WIDTH: Final = 320
LINK_WIDTH = 640


class RangeDialog(QDialog):
    """Start, end and length, and tiles, as far as the profile has them; Enter in a field sets the range. Not modal, so
    that its effect can be seen; it follows ranges that are set elsewhere, and closes when another profile is shown."""

    def __init__(self, context: CommandContext) -> None:
        super().__init__(context.main)
        self.setWindowTitle(tr("Range"))
        self.finished.connect(self.deleteLater)
        self._context = context
        self.fields = RangeFields(self)
        self.tiles = TilesField(self)
        self.tiles.about = tr("Numbers and ranges such as {example}, or “ipu 1”", example=EXAMPLE)
        self.tiles.setAccessibleName(tr("Range: tiles"))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self.buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        mark_mnemonics(self.buttons.buttons())
        self.buttons.rejected.connect(self.reject)
        self.all_tiles = QToolButton(self)
        self.all_tiles.setText(tr("All tiles"))
        self.all_tiles.setAutoRaise(True)
        self.all_tiles.clicked.connect(lambda: self._set_tiles(None))
        layout = QVBoxLayout(self)
        about = Label(tr("All panels then count only what is inside the range. Press Enter to set it."), self)
        about.setWordWrap(True)
        tiles = self._tiles_row()
        for part in (about, self.fields, tiles, self.buttons):
            layout.addWidget(part)
        profile = context.document.profile
        assert profile is not None
        self._extent = (0.0, 0.0) if profile.timeline is None else extent(profile.timeline)
        self.fields.setVisible(profile.timeline is not None)
        tiles.setVisible(_tiles(profile) > 0)
        self.tiles.set_tiles(_tiles(profile), 0 if profile.target is None else profile.target.tiles_per_ipu or 0)
        self.fields.entered.connect(self._set_time)
        self.tiles.typed.connect(self._set_tiles)
        context.document.ranges.changed.connect(self._follow)
        context.document.updated.connect(self._profile_changed)
        context.display.changed.connect(self._follow)
        self._follow()
        first = self.fields.start if profile.timeline is not None else self.tiles
        first.setFocus(Qt.FocusReason.OtherFocusReason)
        first.selectAll()

    def _tiles_row(self) -> QWidget:
        label = Label(tr("Tiles"), self)
        label.setBuddy(self.tiles)
        row = QWidget(self)
        row.setLayout(bar_of(label, self.tiles, self.all_tiles, 1))
        return row

    def _set_time(self, time: TimeRange | None) -> None:
        ranges = self._context.document.ranges
        ranges.set(replace(ranges.value, time=time))

    def _set_tiles(self, tiles: I64 | None) -> None:
        ranges = self._context.document.ranges
        ranges.set(replace(ranges.value, tiles=None if tiles is None else TileRange(tuple(tiles.tolist()))))

    def _profile_changed(self, update: object) -> None:
        if getattr(update, "whole", False):
            self.reject()
        else:
            self._follow()

    def _follow(self) -> None:
        """Shows the ranges that are set."""
        profile, ranges = self._context.document.profile, self._context.document.ranges.value
        if profile is None:
            return
        if profile.timeline is not None:
            clock = Clock.of(profile.timeline)
            self.fields.show_range(ranges.time, clock, self._context.display.look, self._extent)
        self.tiles.show_tiles(np.array([] if ranges.tiles is None else ranges.tiles.tiles, np.int64))
        self.all_tiles.setEnabled(ranges.tiles is not None)


def _tiles(profile: Profile) -> int:
    """How many tiles figures can be restricted to."""
    if profile.tile_memory is not None:
        return profile.tile_memory.tiles
    return 0 if profile.target is None else profile.target.tiles or 0


class ClockDialog(QDialog):
    """One field, which has the keyboard; Enter accepts."""

    def __init__(self, parent: QWidget, mhz: float) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Time unit"))
        self.box = NumberBox(self)
        self.box.setDecimals(DECIMALS)
        self.box.setRange(LOWEST_HZ / 1e6, HIGHEST_HZ / 1e6)
        self.box.setValue(mhz)
        self.box.setSuffix(" MHz")
        self.box.setAccessibleName(tr("Clock frequency in MHz:"))
        self.box.selectAll()
        buttons, _ = accept_and_cancel(self, QDialogButtonBox.StandardButton.Ok)
        layout = QVBoxLayout(self)
        note = Label(tr("Times of the timeline are cycles of a clock of this frequency:"), self)
        note.setWordWrap(True)
        layout.addWidget(note)
        layout.addWidget(self.box)
        layout.addWidget(buttons)
        self.setMinimumWidth(round(WIDTH * text_scale()))


def ask_clock(parent: QWidget, profile: Profile, take: Callable[[float], None]) -> None:
    """Asks for the frequency, suggested from ``profile``, and calls ``take`` with it in Hz unless it was cancelled."""
    dialog = ClockDialog(parent, suggested_mhz(profile))
    dialog.accepted.connect(lambda: take(dialog.box.value() * 1e6))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def suggested_mhz(profile: Profile) -> float:
    """The clock of the timeline, else that of the profile, else the usual one."""
    for clock in (
        profile.timeline.clock_hz if profile.timeline is not None else None,
        profile.target.clock_hz if profile.target is not None else None,
    ):
        if clock:
            return round(clock / 1e6, DECIMALS)
    return USUAL_MHZ


class PartsDialog(QDialog):
    """The kinds of parts of an entry, and two lists of those of one kind. They are looked for in the background, once
    the entry is complete."""

    def __init__(self, context: CommandContext, opener: PartOpener, entry: Entry) -> None:
        super().__init__(context.main)
        self.setWindowTitle(tr("Compare parts"))
        self.finished.connect(opener.cancel)  # what is still looked for has no dialog to be shown in
        self.finished.connect(self.deleteLater)
        self._context = context
        self._opener = opener
        self._entry = entry
        self._lists: list[PartList] = []
        self.kinds = Chooser(tr("Kind of parts"), self)
        self.help = Label(tr("Searching for parts…"), self)
        self.help.setWordWrap(True)
        self.before, self.after = _list(tr("Baseline"), self), _list(tr("Comparison"), self)
        self.buttons, self.ok = accept_and_cancel(self, QDialogButtonBox.StandardButton.Ok, tr("&Compare"))
        self._arrange()
        self.kinds.currentIndexChanged.connect(self._show_kind)
        for side in (self.before, self.after):
            side.currentRowChanged.connect(self._judge)
            side.itemActivated.connect(lambda _item: self.accept())
        self._judge()
        self._looked = False
        context.document.entries_changed.connect(self._look)
        self._look()

    def accept(self) -> None:
        """Compares the two chosen parts, unless they are the same."""
        before, after = self._chosen(self.before), self._chosen(self.after)
        if self.isVisible() and before is not None and after is not None and before != after:
            super().accept()
            self._opener.compare(self._entry, before, after)

    def _arrange(self) -> None:
        sides = QHBoxLayout()
        for title, side in ((tr("Baseline"), self.before), (tr("Comparison"), self.after)):
            column = QVBoxLayout()
            label = Label(title, self)
            label.setBuddy(side)
            column.addWidget(label)
            column.addWidget(side)
            sides.addLayout(column)
        layout = QVBoxLayout(self)
        layout.addWidget(self.kinds)
        layout.addWidget(self.help)
        layout.addLayout(sides)
        layout.addWidget(self.buttons)
        resize_dialog(self, 620, 460)

    def _look(self) -> None:
        """Looks for parts, once the profile is complete."""
        entry = self._context.document.entry(self._entry.id)
        if entry is not None and entry.done and not self._looked:
            self._entry, self._looked = entry, True
            self._opener.find(entry, self._offer)

    def _offer(self, lists: list[PartList]) -> None:
        self._lists = lists
        self.kinds.offer([one.title for one in lists])
        self.kinds.setEnabled(bool(lists))
        self._show_kind()
        if lists:
            self.after.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_kind(self) -> None:
        from app.analysis.parts.offered import default_pair

        place = self.kinds.currentIndex()
        if not 0 <= place < len(self._lists):
            self.help.setText(tr("No parts that can be compared. Select a range of the timeline to compare it."))
            return
        own = self._lists[place]
        self.help.setText(shown_line(own.help))
        names = shown_lines([self._text(part) for part in own.parts])
        for side, chosen in zip((self.before, self.after), default_pair(own.kind, own.parts), strict=True):
            side.clear()
            side.addItems(names)
            side.setCurrentRow(chosen)

    def _text(self, part: ProfilePart) -> str:
        if part.amount is None:
            return part.label
        target = self._entry.profile.target
        clock = target.clock_hz if target is not None else None
        return f"{part.label} · {format_value(part.amount, part.unit, self._context.display.look, clock)}"

    def _chosen(self, side: QListWidget) -> ProfilePart | None:
        place, row = self.kinds.currentIndex(), side.currentRow()
        if not 0 <= place < len(self._lists) or not 0 <= row < len(self._lists[place].parts):
            return None
        return self._lists[place].parts[row]

    def _judge(self) -> None:
        before, after = self._chosen(self.before), self._chosen(self.after)
        self.ok.setEnabled(before is not None and after is not None and before != after)


def _list(name: str, parent: QWidget) -> QListWidget:
    made = QListWidget(parent)
    made.setObjectName("lines")
    made.setAccessibleName(shown_line(name))
    made.setUniformItemSizes(True)
    return made


class LinkDialog(QDialog):
    """``link``: the one that was pasted elsewhere; without it, the field has what is on the clipboard if that is a
    link."""

    def __init__(self, context: CommandContext, link: ViewLink | None = None) -> None:
        super().__init__(context.main)
        self._context = context
        self._link: ViewLink | None = None
        self.setWindowTitle(tr("Open link"))
        self.setMinimumWidth(LINK_WIDTH)
        self.finished.connect(self.deleteLater)
        self.field = QLineEdit(self)
        self.field.setAccessibleName(tr("Link"))
        self.field.setPlaceholderText(tr("Paste a link: tilesight:///…"))
        self.field.setMaxLength(LONGEST + 1)
        self.about = Label(parent=self)
        self.about.setWordWrap(True)
        self.about.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.buttons, self.ok = accept_and_cancel(self, QDialogButtonBox.StandardButton.Open, tr("&Open"))
        layout = QVBoxLayout(self)
        layout.addWidget(self.field)
        layout.addWidget(self.about, 1)
        layout.addWidget(self.buttons)
        self.field.textChanged.connect(self._read)
        self.field.setText(_on_clipboard() if link is None else written(link))
        self.field.setCursorPosition(0)
        self._read()
        if link is not None:
            self.ok.setFocus(Qt.FocusReason.OtherFocusReason)

    def accept(self) -> None:
        """Follows the link: the user has seen its files."""
        link = self._link
        if link is not None:
            super().accept()
            self._context.links.follow(link)

    def _read(self) -> None:
        text = self.field.text().strip()
        self._link, about = None, ""
        if text:
            try:
                self._link = parse(text)
                about = described(self._link)
            except BadLink as error:
                about = str(error)
        self.about.setText(paragraph(about))
        self.ok.setEnabled(self._link is not None)


def described(link: ViewLink) -> str:
    """What a link opens, and where it goes."""
    lines = [tr("Opens {files}", files=_files(link.profile))]
    if link.baseline is not None:
        lines.append(tr("Compared with {files}", files=_files(link.baseline)))
    if link.panel:
        lines.append(tr("Panel: {panel}", panel=link.panel))
    if link.chosen is not None:
        from app.analysis.kinds import KINDS

        lines.append(tr("Selects {things}", things=KINDS[link.chosen.kind].counted(len(link.chosen.indices))))
    return "\n".join(lines)


def short(link: ViewLink) -> str:
    """The path of a link, for a line of a list."""
    return _files(link.profile)


def _files(ref: ProfileRef) -> str:
    names = ", ".join(first_names([shown_line(str(path)) for path in ref.paths]))
    return tr("{files}, part {part}", files=names, part=shown_line(ref.part)) if ref.part else names


def _on_clipboard() -> str:
    text = QGuiApplication.clipboard().text()[: LONGEST + 1].strip()
    return text if looks_like_link(text) else ""
