"""What to say of stored data that differs. The command line says it, too."""

from __future__ import annotations

from app.analysis.compare.contents import ContentDifference
from app.language import plural, tr
from app.views.units import NO_DATA, format_value


def content_words(content: ContentDifference) -> str:
    """How the data differs, or why that cannot be said."""
    values = content.values
    if values is None:
        return content.why or tr("other bytes")
    largest, mean = (
        NO_DATA if figure is None else format_value(figure, "") for figure in (values.largest, values.mean)
    )
    return plural(
        "{different:,} of {count:,} element differs; largest difference {largest}, mean {mean}",
        "{different:,} of {count:,} elements differ; largest difference {largest}, mean {mean}",
        count=values.elements,
        different=values.different,
        largest=largest,
        mean=mean,
    )
