"""Everything that the panel shows, computed from open profiles and typed inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from app.analysis.scaling.advice import Advice, Facts, checklist
from app.analysis.scaling.amdahl import Fit
from app.analysis.scaling.curve import Curve, curve
from app.analysis.scaling.host import Diagnosis
from app.analysis.scaling.inputs import BY_KEY, Input, settle
from app.analysis.scaling.measure import Measurement
from app.analysis.scaling.model import Model, model
from app.analysis.scaling.points import MOST_CHARACTERS, Points, parse
from app.analysis.scaling.quantities import parse as quantity
from app.analysis.scaling.quantities import written
from app.analysis.scaling.scenario import WhatIf, changed
from app.analysis.table import Table
from app.language import tr
from app.profile.profile import Profile


class Study(Struct, frozen=True, eq=False):
    """``problems``: why a typed text is invalid, by key; ``model``: None if an input is missing, which ``error`` names;
    ``fit`` and ``diagnosis`` need measured values only; ``what_if``: the curve with the sliders moved, None while they
    are not."""

    inputs: Mapping[str, Input]
    problems: Mapping[str, str]
    points: Points
    fit: Fit | None
    diagnosis: Diagnosis | None
    model: Model | None
    error: str
    what_if: Curve | None
    advice: Sequence[Advice]


NEEDED = tr("The time of a micro-batch is needed: type it, or open a profile of a run.")


def study(
    profile: Profile | None, measured: Measurement | None, typed: TypedInputs, memory: Table | None = None
) -> Study:
    """Computes the study; ``memory``: memory categories of two profiles compared, for the checklist."""
    values, problems = _typed(typed.texts)
    inputs = settle(values, measured)
    points = parse(typed.pasted)
    scaling_model, after, error = None, None, ""
    try:
        scaling_model = model(inputs, points)
        if scaling_model is not None and typed.what_if.changes:
            after = curve(
                changed(scaling_model.scenario, typed.what_if), (point.replicas for point in scaling_model.curve.points)
            )
    except ValueError as wrong:
        error = f"{str(wrong)[:1].upper()}{str(wrong)[1:]}."
    if scaling_model is None and not error:
        why = getattr(inputs["micro_batch_seconds"].finding, "why", "")
        error = f"{NEEDED} {why}".strip()
    facts = Facts(scaling_model, measured, profile, memory, points)
    return Study(inputs, problems, points, facts.fit, facts.diagnosis, scaling_model, error, after, checklist(facts))


def _typed(texts: Mapping[str, str]) -> tuple[dict[str, float], dict[str, str]]:
    """(values, why the others are invalid), both by key."""
    values: dict[str, float] = {}
    problems: dict[str, str] = {}
    for key, text in texts.items():
        try:
            values[key] = quantity(text, BY_KEY[key].kind)
        except ValueError as error:
            problems[key] = str(error)
    return values, problems


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
