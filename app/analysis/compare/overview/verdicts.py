"""The words for verdicts on differences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from app.analysis.compare import noise
from app.analysis.compare.overview.texts import coded
from app.analysis.table import Column
from app.language import tr

TITLES: Final = {
    noise.UNKNOWN: tr("no verdict"),
    noise.INSIDE: tr("inside the spread"),
    noise.OUTSIDE: tr("outside the spread"),
}


def verdict_column(verdicts: Iterable[int], help_: str = noise.HELP) -> Column:
    """What the difference is, measured by the spread of single measurements."""
    return Column("spread", tr("Spread"), coded(TITLES[verdict] for verdict in verdicts), help=help_, role="kind")
