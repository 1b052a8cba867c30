"""What the program knows of a panel before its code is imported: its description, and the plots that it can draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from app.language import tr

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QWidget

    from app.analysis.compare.comparison import Comparison
    from app.document.document import Update
    from app.profile.profile import Profile
    from app.profile.selection import Kind
    from app.views.look import Look, Theme
    from app.widgets.chart.canvas import Picture
    from app.widgets.context import Context
    from app.widgets.plane.scene import Scene

    MakePanel: TypeAlias = Callable[[Context], QWidget]
else:
    MakePanel = Callable  # the class of a panel

MOST_PIXELS = 1 << 28
"""Of a picture: Qt stops drawing, with thousands of messages, where an image has more than 2 GB."""


GROUPS: Final = {
    "memory": tr("Memory"),
    "execution": tr("Execution"),
    "limits": tr("Limits"),
    "cores": tr("Cores"),
    "model": tr("Model"),
    "findings": tr("Findings"),
    "data": tr("Data"),
    "inspector": tr("Inspector"),
}
"""The names of the groups of panels."""


class PanelSpec(Struct, frozen=True):
    """``load`` imports the class of the panel, as the window appears before its panels. ``sections``: the panel is
    offered if the profile has any of them; empty means always. ``also``: further sections that it shows. It is filled
    again when one of ``sections`` or ``also`` arrives; if both are empty, with every section. ``missing``: one sentence
    about what a file would need to fill it. ``help``: one or two sentences for newcomers. ``alone``: whether it is of
    use while nothing is open. ``shows``: the kinds of items that one can navigate to in it. ``words``: other names that
    the palette finds it by. ``needs``: a further condition for being offered. ``group``: panels of one group that
    are tabs of one strip share a tab, with a menu of them (a key of GROUPS; "": it has a tab of its own)."""

    id: str
    title: str
    load: Callable[[], MakePanel]
    sections: tuple[str, ...]
    missing: str
    help: str
    also: tuple[str, ...] = ()
    alone: bool = False
    shows: tuple[Kind, ...] = ()
    words: tuple[str, ...] = ()
    needs: Callable[[Profile], bool] | None = None
    group: str = ""

    def make(self, context: Context) -> QWidget:
        """A new panel; its class is imported now."""
        return self.load()(context)

    def offered(self, profile: Profile) -> bool:
        held = not self.sections or any(getattr(profile, name) is not None for name in self.sections)
        return held and (self.needs is None or self.needs(profile))

    @property
    def shown(self) -> tuple[str, ...]:
        """The sections that it shows; empty means all."""
        return *self.sections, *self.also

    def shows_of(self, update: Update) -> bool:
        """Whether an update contains anything that the panel shows."""
        return update.profile is None or not self.shown or update.touches(*self.shown)


class PlotSpec(Struct, frozen=True):
    """A picture for `export --plot` and the panels' "Export picture", drawn by the panel's own code. ``compared``:
    draws the profile beside its baseline; None if there is no such picture. ``plain``: consists of what a QPainter
    paints and of no graphics items, so that any thread may draw it."""

    id: str
    title: str
    offered: Callable[[Profile], bool]
    draw: Callable[[QPainter, QRectF, Profile, Theme], None]
    compared: Callable[[QPainter, QRectF, Comparison, Theme], None] | None = None
    plain: bool = False

    def compares(self, comparison: Comparison | None) -> bool:
        """Whether it shows the baseline: it has such a picture, and the baseline has what it shows."""
        return comparison is not None and self.compared is not None and self.offered(comparison.before)

    def drawing(
        self, profile: Profile, theme: Theme, comparison: Comparison | None = None
    ) -> Callable[[QPainter, QRectF], None]:
        """What draws it: with the baseline of ``comparison`` if it has such a picture, else the profile alone."""
        compared = self.compared
        if comparison is None or compared is None or not self.offered(comparison.before):
            return lambda painter, place: self.draw(painter, place, profile, theme)
        return lambda painter, place: compared(painter, place, comparison, theme)


def scene_plot(
    plot_id: str, title: str, offered: Callable[[Profile], bool], scene: Callable[[Profile, Look], Scene | None]
) -> PlotSpec:
    """A plot that is one scene; nothing is drawn for None."""

    def draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
        from app.views.look import Look  # the window lists its panels before it can draw
        from app.widgets.plane.scene import draw_whole

        look = Look(theme=theme)
        shown = scene(profile, look)
        if shown is not None:
            draw_whole(painter, place, shown, look)

    return PlotSpec(plot_id, title, offered, draw)


def chart_plot(
    plot_id: str, title: str, offered: Callable[[Profile], bool], picture: Callable[[Profile], Picture | None]
) -> PlotSpec:
    """A plot that is one chart; nothing is drawn for None."""

    def scene(profile: Profile, look: Look) -> Scene | None:
        from app.widgets.chart.scene import ChartPainter, ChartScene

        shown = picture(profile)
        return None if shown is None else ChartScene(shown.chart(look), ChartPainter())

    return scene_plot(plot_id, title, offered, scene)
