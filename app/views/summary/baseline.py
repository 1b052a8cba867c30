"""The main figures of the baseline, beside those of the profile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from app.language import tr
from app.views.differences import compared_with
from app.views.line import Line
from app.views.look import Look
from app.views.units import format_value

if TYPE_CHECKING:
    from app.analysis.compare.comparison import ComparedFigure

MOST_PARTS = 12


class Baseline(Struct, frozen=True):
    """``figures``: by name; parts of a figure have its name and their own, ``memory.by_category.stack``."""

    figures: Mapping[str, ComparedFigure]

    def beside(self, name: str, look: Look, clock_hz: float | None) -> str:
        """What to add to a figure: the value before and the difference; "" if both are the same. A name that ends in a
        full stop stands for all parts of a figure."""
        if name.endswith("."):
            return self._parts(name)
        figure = self.figures.get(name)
        if figure is None or not figure.changed:
            return ""
        if figure.before is None:
            return tr("not in the baseline")
        if figure.why:
            return tr("baseline not comparable: {why}", why=figure.why)
        if figure.difference is None:
            return tr("baseline {before}", before=format_value(figure.display[0], figure.unit, look, clock_hz))
        before, after = figure.before, figure.after
        assert isinstance(before, int | float)
        assert isinstance(after, int | float)
        return compared_with(before, after, figure.unit, look, clock_hz)

    def gone(self, look: Look) -> Iterator[Line]:
        """The figures that only the baseline has."""
        for figure in self.figures.values():
            if figure.after is None and figure.before is not None and figure.label:
                yield Line(figure.label, format_value(figure.display[0], figure.unit, look), figure.id)

    def _parts(self, name: str) -> str:
        parts = [(key.removeprefix(name), one) for key, one in self.figures.items() if key.startswith(name)]
        if not any(one.changed for _, one in parts):
            return ""
        listed = ", ".join(f"{one.before or 0:,}\u00a0×\u00a0{key}" for key, one in parts[:MOST_PARTS])
        return tr("baseline {before}", before=listed)
