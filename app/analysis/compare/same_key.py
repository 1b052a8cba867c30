"""Rule 1: the same key, such as tile 17, block 3 or address 0x1200 of the same binary."""

from __future__ import annotations

from typing import Final

from app.analysis.compare import in_order
from app.analysis.compare.codes import Codes
from app.analysis.compare.partners import Partners
from app.analysis.compare.rule import Rule
from app.language import tr

RULE: Final = Rule(
    "key",
    tr("same key"),
    tr(
        "Both rows have the same identifying number or name: the same tile, block, core or line, or the same position "
        "in a lane or program that is the same on both sides."
    ),
)


def match(codes: Codes, partners: Partners, rule: int) -> None:
    """Match rows of equal codes; several rows of one code in their order."""
    before, after = partners.open
    own = codes.taken(before, after)
    first, second = in_order.pairs(own.before, own.after)
    partners.pair(before[first], after[second], rule)
