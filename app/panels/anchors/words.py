"""What the anchors panel says of one anchor. No Qt."""

from __future__ import annotations

import html
from collections.abc import Sequence

from app.analysis.popef.anchors import Dim, dims, explained
from app.analysis.popef.runs import InputElements, input_elements, loaded_once
from app.analysis.popef.sizes import tensor_bytes
from app.profile.model import ANCHOR_INPUT, Model, data_type
from app.widgets.display import Look
from app.widgets.theme import Theme
from app.widgets.units import format_value


def title(model: Model, anchor: int, look: Look) -> str:
    """Name, type, size and handle on one line, as HTML."""
    own, texts = model.anchors, model.strings
    name = html.escape(texts.get(int(own.name[anchor])) or "without a name")
    size = int(tensor_bytes(own.shape, own.data_type)[anchor])
    parts = [data_type(int(own.data_type[anchor]))]
    if size >= 0:
        parts.append(format_value(size, "B", look))
    if handle := texts.get(int(own.handle[anchor])):
        parts.append(f"handle {handle}")
    rest = html.escape(" · ".join(parts))
    return f"<b>{name}</b>&nbsp;&nbsp;<span style='color: {look.theme.muted}'>{rest}</span>"


def shape(model: Model, anchor: int, theme: Theme) -> str:
    """The dimensions side by side, what each is under it, as HTML."""
    own, factor = model.anchors, model.metadata.replication_factor
    fed = input_elements(model, anchor)
    found = dims(own, factor, anchor, batch=fed is not None and fed.batch is not None)
    if not found:
        return f"<span style='color: {theme.muted}'>no dimensions: a single element</span>"
    text = _boxes(found, theme, more=len(own.shape.row(anchor)) > len(found))
    wrong = explained(own, factor, anchor)
    if wrong.startswith("does not"):
        text += f"<span style='color: {theme.warning}'>The shape {html.escape(wrong)}.</span>"
    return text


def _boxes(found: Sequence[Dim], theme: Theme, *, more: bool) -> str:
    cell = "<td align='center' style='padding: 0 10px 0 0'>{}</td>"
    sizes = "".join(cell.format(f"<b>{dim.size:,}</b>") for dim in found)
    roles = "".join(cell.format(f"<span style='color: {theme.muted}'>{dim.role}</span>") for dim in found)
    dots = "<td>…</td>" if more else ""
    named = f"<tr>{roles}</tr>" if any(dim.role for dim in found) else ""
    return f"<table cellspacing='0'><tr>{sizes}{dots}</tr>{named}</table>"


def why_none(model: Model, anchor: int) -> str:
    """Why there is no number of elements per call; "" where there is one."""
    if model.anchors.type[anchor] != ANCHOR_INPUT:
        return ""
    if loaded_once(model, anchor):
        return "Only programs of load use it: it is loaded once, not fed with each call."
    found = input_elements(model, anchor)
    if found is None or found.batch is None:
        return "Its shape has no dimension that could be the micro-batch, so elements per call are not known."
    if found.iterations < 1:
        return "The metadata do not say the device iterations, so elements per call are not known."
    return ""


def inference(found: InputElements) -> str:
    """The formula for inference, worked out."""
    product = f"{found.iterations:,} device iterations × {found.replicas:,} replicas × {found.batch:,} micro-batch"
    return f"Elements a call, inference: {product} = {found.inference:,}{_said(found.is_inference)}"


def training(found: InputElements) -> tuple[str, str]:
    """The formula for training, before and behind the typed gradient accumulation."""
    behind = f"gradient accumulation = {found.training:,}{_said(not found.is_inference)}"
    return f"Training: {found.inference:,} ×", behind


def _said(meant: bool) -> str:
    return ", as the metadata say" if meant else ""
