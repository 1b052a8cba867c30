"""The dock state of each open profile: sizes, floating docks, panels in front."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from msgspec import Struct
from PySide6.QtCore import QByteArray


class LeftDocks(Struct, frozen=True):
    """The docks of one profile when it was last shown. ``state``: QMainWindow.saveState, empty if nothing was laid out
    yet; ``offered``: ids of the panels that the profile had data for; ``front``: those that the user brought to the
    front; ``version``: number of rearrangements of the family by then."""

    family: str
    state: QByteArray
    offered: tuple[str, ...]
    front: tuple[str, ...]
    version: int


class DockMemory:
    """Dock states by entry id, for open profiles. An arrangement applies to the whole family: once the user changes it,
    the states of the family's other profiles are outdated, and only their panels in front are restored."""

    def __init__(self) -> None:
        self._left: dict[int, LeftDocks] = {}
        self._versions: Counter[str] = Counter()

    def rearranged(self, family: str) -> None:
        """Invalidates the states of a family: the user moved, closed or opened a panel."""
        self._versions[family] += 1

    def leave(
        self, entry: int, family: str, state: QByteArray, offered: tuple[str, ...], front: tuple[str, ...]
    ) -> None:
        self._left[entry] = LeftDocks(family, state, offered, front, self._versions[family])

    def of(self, entry: int, family: str) -> LeftDocks | None:
        """Returns the docks as the profile was left; None if it was never shown or its family changed."""
        left = self._left.get(entry)
        return left if left is not None and left.family == family else None

    def valid(self, left: LeftDocks, offered: tuple[str, ...]) -> bool:
        """Whether the state still applies: nothing was rearranged since, and the same panels are offered."""
        fits = left.version == self._versions[left.family] and left.offered == offered
        return fits and not left.state.isEmpty()

    def forget_closed(self, open_now: Collection[int]) -> None:
        self._left = {entry: left for entry, left in self._left.items() if entry in open_now}
