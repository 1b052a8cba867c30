"""Rule 2: the same name and arguments, in order of appearance."""

from __future__ import annotations

from typing import Final

from app.analysis.compare.rule import Rule
from app.language import tr

RULE: Final = Rule(
    "name",
    tr("same name"),
    tr(
        "Both rows have the same name and arguments. Several rows of the same name are matched in order: the first "
        "with the first, the second with the second, and so on."
    ),
)
NORMALISED: Final = Rule(
    "similar-name",
    tr("similar name"),
    tr(
        "Both rows have the same name apart from hashes (and numbers, if the setting says so), in order of "
        "appearance. Only rows without an exact match are considered."
    ),
)
