"""Pictures of panels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from app.api.arguments import whole
from app.api.notebook import meant
from app.profile.profile import Profile

if TYPE_CHECKING:
    from app.panels.spec import PlotSpec

ENDINGS: Final = (".png", ".svg")
NOTEBOOK_SIZE: Final = (900, 500)


def names(profile: Profile) -> tuple[str, ...]:
    """The names of the plots of a profile."""
    from app.panels import picture

    return tuple(plot.id for plot in picture.plots(profile))


class Plot:
    """A picture, drawn by the code of the panel. The only part that needs Qt."""

    def __init__(self, profile: Profile, name: str) -> None:
        from app.panels import picture  # imports Qt

        plots = {plot.id: plot for plot in picture.plots(profile)}
        if name not in plots:
            raise KeyError(f"{profile.name} has no plot {name!r}{meant(name, plots)}")
        self._profile = profile
        self._plot: PlotSpec = plots[name]

    def _repr_svg_(self) -> str:
        """For notebooks."""
        from app.panels import picture

        return picture.rendered(self._plot, self._profile, ".svg", NOTEBOOK_SIZE, "light").decode()

    @property
    def title(self) -> str:
        return self._plot.title

    def png(self, size: tuple[int, int] = NOTEBOOK_SIZE, theme: Literal["light", "dark"] = "light") -> bytes:
        """The content of a .png file with twice as many pixels as ``size``. OSError if it is too large to draw."""
        from app.panels import picture

        return picture.rendered(self._plot, self._profile, ".png", size, theme)

    def save(
        self, path: str | Path, *, size: tuple[int, int] = (1600, 900), theme: Literal["light", "dark"] = "light"
    ) -> None:
        """Writes a .png (with twice as many pixels as ``size``) or .svg file. ValueError for another ending, size or
        theme, TypeError for what is no size; OSError if it cannot be written, or is a file of the profile."""
        from app.panels import picture

        target = Path(path)
        if target.suffix.lower() not in ENDINGS:
            raise ValueError(f"{target.name}: the name must end in {' or '.join(ENDINGS)}")
        if not isinstance(size, Sequence) or isinstance(size, str) or len(size) != 2:
            raise TypeError(f"size is a width and a height in pixels, not {size!r}")
        for own in size:
            whole("a side of size", own, 1)
        if theme not in ("light", "dark"):
            raise ValueError(f"there is no theme {theme!r}; there are light and dark")
        picture.save(self._plot, self._profile, target, size, theme, self._profile.origin.paths)
