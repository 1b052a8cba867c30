"""What the window knows of a panel before it makes one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter

    from app.document.document import Update
    from app.panels.panel import Panel
    from app.profile.profile import Profile
    from app.profile.selection import Kind
    from app.widgets.context import Context
    from app.widgets.theme import Theme


@dataclass(frozen=True, slots=True)
class PanelSpec:
    """``load`` imports the panel: the window is there before the panels are. ``sections``: offered when the profile
    holds any of them; empty means always. ``also``: other sections that it shows something of. It is filled again when
    one of ``sections`` or ``also`` arrives; where both are empty, with every section. ``missing`` tells, in one
    sentence, what a file would need to fill it. ``help`` explains the panel to a newcomer in one or two sentences.
    ``alone``: it is of use while nothing is open, too. ``shows``: the kinds of things that have their place in it, so
    that one gets to them there. ``words``: what else people call it; the palette finds it by them."""

    id: str
    title: str
    load: Callable[[], type[Panel]]
    sections: tuple[str, ...]
    missing: str
    help: str
    also: tuple[str, ...] = ()
    alone: bool = False
    shows: tuple[Kind, ...] = ()
    words: tuple[str, ...] = ()

    def make(self, context: Context) -> Panel:
        return self.load()(context)

    def offered(self, profile: Profile) -> bool:
        return not self.sections or any(getattr(profile, name) is not None for name in self.sections)

    @property
    def shown(self) -> tuple[str, ...]:
        """The sections that it is filled from; empty means all."""
        return *self.sections, *self.also

    def shows_of(self, update: Update) -> bool:
        """Whether anything that it shows is new."""
        return update.profile is None or not self.shown or update.touches(*self.shown)


@dataclass(frozen=True, slots=True)
class PlotSpec:
    """A picture that `export --plot` and the panels' "Export picture" make, by the panel's own drawing code."""

    id: str
    title: str
    offered: Callable[[Profile], bool]
    draw: Callable[[QPainter, QRectF, Profile, Theme], None]
