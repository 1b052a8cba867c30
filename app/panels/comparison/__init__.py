"""What differs between the shown profile and its baseline, and what explains it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.comparison.panel import ComparisonPanel


def _load() -> type[ComparisonPanel]:
    from app.panels.comparison.panel import ComparisonPanel

    return ComparisonPanel


SPEC = PanelSpec(
    "comparison",
    tr("Comparison"),
    _load,
    (),
    "",
    tr(
        "How the shown profile differs from its baseline: totals, then what explains them, by share. A click selects "
        "the thing, a double click shows its row in Tables. "
        "Rows of both profiles are matched by the first rule that applies: "
        "by hand, if you paired them; "
        "same path in a tree (programs, steps); "
        "same key (tile, block, core, address); "
        "same name and arguments, in order of appearance; "
        "aligned sequences (slices of a lane, steps, instructions, source lines), with the fewest rows inserted and "
        "deleted; "
        "similar name, apart from hashes or numbers, as the setting of names says; "
        "same ancestor in the tree, where a name was changed. "
        "The page Matched rows says how much each rule matched, and what has no partner."
    ),
    words=("baseline", "difference", "diff", "before", "after", "regression", "compare"),
)
