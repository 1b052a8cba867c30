"""The shares of the computing units of a block of two profiles."""

from __future__ import annotations

from msgspec import Struct

from app.analysis.ascend.workload import Share, block_shares
from app.analysis.compare.operators.named import pairs_by_name
from app.profile.profile import Profile


class ComparedShare(Struct, frozen=True):
    """A share of each side, None where that side has none of this name and sub-block."""

    before: Share | None
    after: Share | None

    @property
    def shown(self) -> Share:
        share = self.after if self.after is not None else self.before
        assert share is not None
        return share


def compared_shares(before: Profile, after: Profile, block: str) -> list[ComparedShare]:
    """The shares of a block of that id: those after in their order (the largest first), then those that are only in the
    baseline."""
    own, other = block_shares(before, block), block_shares(after, block)
    left, right = pairs_by_name(map(_name, own), map(_name, other))
    return [
        ComparedShare(own[first] if first >= 0 else None, other[second] if second >= 0 else None)
        for first, second in zip(left.tolist(), right.tolist(), strict=True)
    ]


def _name(share: Share) -> tuple[str, str]:
    return share.sub_block, share.name
