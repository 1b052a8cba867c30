"""Which diagram suits a block (Ascend operator files, section 3.2)."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from app.analysis.ascend.diagram import chip_310p, chip_910b, chip_a5
from app.analysis.ascend.diagram.parts import Diagram

Chip: TypeAlias = Literal["910B", "310P", "A5"]
Core: TypeAlias = Literal["vector", "cube", "mix"]

CUBE_PATHS = frozenset({*range(2, 12), *range(35, 42)})
VECTOR_PATHS = frozenset({*range(12, 20), *range(42, 56)})
ONLY_310P = frozenset(range(20, 26))
ONLY_A5 = frozenset(range(39, 56))
TOLD_APART = frozenset({35, 37})
"""The paths from main memory and from L1 into L0A: if one is present, cube diagrams of the 910B are those of newer
tools."""
CACHE_TO_L2 = 50
"""If present, diagrams of the A5 with vector cores are those of newer tools."""


class Choice(NamedTuple):
    """``guessed``: the file does not name a known chip or core, so its paths decided."""

    diagram: Diagram
    guessed: bool


def choose(soc: str, operator_type: str, paths: Set[int]) -> Choice:
    """The diagram for the chip's family and the operator's type as the block gives them, else inferred from its
    paths."""
    chip = _chip(soc)
    core = _core(operator_type)
    chosen_chip = chip or _chip_of(paths)
    chosen_core = core or _core_of(paths)
    guessed = chip is None or (core is None and chosen_chip != "310P")
    newer = CACHE_TO_L2 in paths if chosen_chip == "A5" else bool(TOLD_APART & paths)
    return Choice(_made(chosen_chip, chosen_core, newer), guessed)


@lru_cache(maxsize=32)
def _made(chip: Chip, core: Core, newer: bool) -> Diagram:
    if chip == "310P":
        return chip_310p.diagram()
    if chip == "A5":
        return chip_a5.cube() if core == "cube" else (chip_a5.mix if core == "mix" else chip_a5.vector)(newer)
    return chip_910b.vector() if core == "vector" else (chip_910b.mix if core == "mix" else chip_910b.cube)(newer)


def _chip(soc: str) -> Chip | None:
    name = soc.upper()
    if "910A5" in name or name.startswith(("950", "ASCEND950")):
        return "A5"
    if "910" in name:
        return "910B"
    return "310P" if "310" in name else None


def _core(operator_type: str) -> Core | None:
    known: dict[str, Core] = {"vector": "vector", "cube": "cube", "mix": "mix"}
    return known.get(operator_type.lower())


def _chip_of(paths: Set[int]) -> Chip:
    if paths & ONLY_A5:
        return "A5"
    return "310P" if paths & ONLY_310P else "910B"


def _core_of(paths: Set[int]) -> Core:
    if paths & CUBE_PATHS:
        return "mix" if paths & VECTOR_PATHS else "cube"
    return "vector"
