"""All matching rules, in the order in which they are applied."""

from __future__ import annotations

from typing import Final

from app.analysis.compare import ancestors, by_hand, same_content, same_key, same_name, sequences
from app.analysis.compare.rule import Rule

RULES: Final[tuple[Rule, ...]] = (
    by_hand.RULE,
    ancestors.PATH,
    same_key.RULE,
    same_name.RULE,
    sequences.RULE,
    same_name.NORMALISED,
    ancestors.RULE,
    same_content.RULE,
)
HAND, PATH, KEY, NAME, SEQUENCE, SIMILAR, ANCESTOR, CONTENT = range(len(RULES))
