"""Liveness of variables, by a walk over the raw JSON of ``memory.liveness``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Variable = tuple[str | None, int | None, int | None]
"""(name, number, size)."""


@dataclass
class Live:
    """``at``: the variables of each node in preorder, None where the file does not list them; ``steps``: the node of
    each program step."""

    always: list[Variable] = field(default_factory=list)
    at: list[list[Variable] | None] = field(default_factory=list)
    bytes: list[int] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)

    @property
    def peak(self) -> int:
        return max(self.steps, key=lambda node: self.bytes[node])

    def life(self, variable: Variable) -> tuple[int | None, int | None, int]:
        """(first step, last step, number of steps) in which the variable is live; None, None, 0 without any."""
        live_steps = [step for step, node in enumerate(self.steps) if variable in (self.at[node] or [])]
        return (live_steps[0], live_steps[-1], len(live_steps)) if live_steps else (None, None, 0)


def live(liveness: dict[str, Any]) -> Live:
    out = Live()
    table = liveness.get("variables")
    out.always = _variables(liveness["alwaysLive"].get("variables"), table) or []

    def walk(node: dict[str, Any]) -> int:
        here = len(out.at)
        out.at.append(_variables(node.get("variables"), table))
        out.bytes.append(node["bytes"])
        below = max((walk(child) for child in node["children"]), default=-1)
        if not node["children"] or node["bytes"] > below:
            out.steps.append(here)
        return max(int(node["bytes"]), below)

    for root in liveness["notAlwaysLive"]["byProgram"]:
        walk(root)
    out.steps.sort()
    return out


def _variables(value: Any, table: Any) -> list[Variable] | None:
    if value is None:
        return None
    if isinstance(value, dict) and "names" in value:
        return list(zip(value["names"], [None] * len(value["names"]), value["sizes"], strict=True))
    if isinstance(value, dict):
        return [(name, None, size) for name, size in value.items()]
    out: list[Variable] = []
    for item in value:
        if isinstance(item, int):
            out.append((table["names"][item], item, table["sizes"][item]) if table else (None, item, None))
        else:
            out.append((item["name"], None, item["size"]) if isinstance(item, dict) else (item, None, None))
    return out
