"""How the docks of each open profile were left: sizes, what floats, which panels are in front."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from PySide6.QtCore import QByteArray


@dataclass(frozen=True, slots=True)
class LeftDocks:
    """``state``: QMainWindow.saveState, empty where nothing was laid out yet; ``offered``: the panels that the profile
    filled; ``front``: those that the person brought to the front."""

    family: str
    state: QByteArray
    offered: tuple[str, ...]
    front: tuple[str, ...]
    version: int


class DockMemory:
    """By entry id, while the profiles are open. What a person arranges holds for the whole family: from then on the
    states of its other profiles are out of date, and of these only the panels in front come back."""

    def __init__(self) -> None:
        self._left: dict[int, LeftDocks] = {}
        self._versions: Counter[str] = Counter()

    def rearranged(self, family: str) -> None:
        """The person moved, closed or opened a panel."""
        self._versions[family] += 1

    def leave(
        self, entry: int, family: str, state: QByteArray, offered: tuple[str, ...], front: tuple[str, ...]
    ) -> None:
        self._left[entry] = LeftDocks(family, state, offered, front, self._versions[family])

    def of(self, entry: int, family: str) -> LeftDocks | None:
        """As it was left; None where it was never shown, or is of another family by now."""
        left = self._left.get(entry)
        return left if left is not None and left.family == family else None

    def valid(self, left: LeftDocks, offered: tuple[str, ...]) -> bool:
        """Whether its state still fits: nothing was arranged, and the profile fills the same panels."""
        fits = left.version == self._versions[left.family] and left.offered == offered
        return fits and not left.state.isEmpty()

    def forget_closed(self, open_now: Collection[int]) -> None:
        self._left = {entry: left for entry, left in self._left.items() if entry in open_now}
