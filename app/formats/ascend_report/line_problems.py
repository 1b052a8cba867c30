"""Problems of a text file, with the number of the line."""

from __future__ import annotations

from app.formats.json.problems import Problems
from app.language import tr


class LineProblems(Problems):
    """Reports issues with the place ``name: line N``: ``add`` takes the number of the line instead of an offset."""

    def _place(self, offset: int | None) -> str:
        return self._name if offset is None else tr("{name}: line {line:,}", name=self._name, line=offset)


def silent(name: str) -> LineProblems:
    """For the second time that a file is read."""
    return LineProblems(lambda _: None, name)
