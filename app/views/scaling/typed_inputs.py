"""What the user typed into the panel, in the form that is saved between runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from app.analysis.scaling.fields import BY_KEY
from app.analysis.scaling.points import MOST_CHARACTERS
from app.analysis.scaling.quantities import written
from app.analysis.scaling.what_if import WhatIf

LONGEST = 200
EXAMPLE = {
    "replicas": "16",
    "micro_batch": "16",
    "accumulation": "16",
    "micro_batch_seconds": "16 ms",
    "allreduce_seconds": "32 ms",
}
"""Example inputs for use without a profile."""


class TypedInputs(Struct, frozen=True):
    """``texts``: by field key, typed ones only; ``pasted``: measured throughputs; ``loop``: program of the micro-batch
    loop if the user chose one; ``what_if`` is not saved."""

    texts: Mapping[str, str] = field(default_factory=dict)
    pasted: str = ""
    loop: int | None = None
    what_if: WhatIf = field(default_factory=WhatIf)

    def with_text(self, key: str, text: str) -> TypedInputs:
        """A copy with the text of one field; an empty text, or a flag's default, resets the field."""
        texts = {name: old for name, old in self.texts.items() if name != key}
        field = BY_KEY[key]
        own = field.kind == "flag" and text == written(field.default or 0.0, "flag")
        if text.strip() and not own:
            texts[key] = text.strip()[:LONGEST]
        return replace(self, texts=texts)


def saved_state(inputs: TypedInputs) -> dict[str, Any]:
    """JSON values to save; empty if nothing was typed."""
    state: dict[str, Any] = {}
    if inputs.texts:
        state["texts"] = dict(inputs.texts)
    if inputs.pasted:
        state["pasted"] = inputs.pasted
    if inputs.loop is not None:
        state["loop"] = inputs.loop
    return state


def restored(state: Mapping[str, Any]) -> TypedInputs:
    """The saved inputs; invalid values are dropped, as the file may have been edited."""
    texts, pasted, loop = state.get("texts"), state.get("pasted"), state.get("loop")
    good = {
        key: text[:LONGEST]
        for key, text in (texts.items() if isinstance(texts, Mapping) else ())
        if key in BY_KEY and isinstance(text, str) and text.strip()
    }
    return TypedInputs(
        good,
        pasted[:MOST_CHARACTERS] if isinstance(pasted, str) else "",
        loop if isinstance(loop, int) and not isinstance(loop, bool) and 0 <= loop < 1 << 31 else None,
    )
