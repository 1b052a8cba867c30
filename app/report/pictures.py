"""The pictures of the page, one after the other: they are drawn by Qt, those with graphics items in the thread of the
window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from app.language import tr
from app.panels.picture import plots, rendered
from app.panels.spec import PlotSpec
from app.profile.profile import Profile
from app.report.contents import Chart

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison


SIZE = 960, 420
THEMES = "light", "dark"
CHARTS: Final = (
    *("timeline", "flame", "tile-memory-by-category", "tile-memory", "liveness", "tile-cycles", "tile-time"),
    *("roofline", "block-durations", "pipe-utilisation", "memory-paths", "core-load-cycles", "stall-reasons"),
    *("cache-lines", "model", "blobs", "tensor-map", "onchip", "scaling-throughput"),
)
MOST_CHARTS: Final = 8


class Picture(Struct, frozen=True, eq=False):
    """A picture of the page that is not drawn yet; with the baseline where there is such a picture."""

    plot: PlotSpec
    profile: Profile
    comparison: Comparison | None

    @property
    def plain(self) -> bool:
        """Whether any thread may draw it."""
        return self.plot.plain

    def drawn(self, theme: str) -> bytes:
        """The picture as SVG."""
        return rendered(self.plot, self.profile, ".svg", SIZE, theme, comparison=self.comparison)

    def chart(self, light: bytes, dark: bytes) -> Chart:
        """Its place on the page."""
        title = self.plot.title
        compared = self.plot.compares(self.comparison)
        return Chart(tr("{plot}, with the baseline", plot=title) if compared else title, light, dark)


def pictures(profile: Profile, comparison: Comparison | None = None) -> list[Picture]:
    """Those of the page, in its order."""
    offered = {plot.id: plot for plot in plots(profile)}
    names: list[str] = [name for name in CHARTS if name in offered]
    if "tile-memory-by-category" in names and "tile-memory" in names:
        names.remove("tile-memory")  # the same bars without their parts
    return [Picture(offered[name], profile, comparison) for name in names[:MOST_CHARTS]]


def charts(profile: Profile, comparison: Comparison | None = None) -> Iterator[Chart]:
    """Draws each in both themes."""
    for picture in pictures(profile, comparison):
        light, dark = (picture.drawn(theme) for theme in THEMES)
        yield picture.chart(light, dark)
