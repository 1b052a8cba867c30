"""One line that says what matters most. No Qt."""

from __future__ import annotations

from app.panels.scaling.charts import WITHOUT
from app.panels.scaling.study import Study
from app.widgets.units import format_value, percent, plain


def summary(study: Study) -> str:
    """At the replicas of the inputs, with the sliders where they were moved."""
    model = study.model
    if model is None:
        return ""
    shown = study.what_if or model.curve
    point = shown.at(model.replicas)
    if point is None:
        return "The batch that is kept is too small for so many replicas."
    update = point.update
    rate = plain(float(f"{point.throughput:.5g}"))
    parts = [
        f"{model.replicas:,} replica{'' if model.replicas == 1 else 's'}: {rate} samples/s",
        f"weight update {format_value(update.seconds, 's')}",
    ]
    if model.complete:
        parts.insert(1, f"efficiency {percent(100 * point.efficiency)}")
        parts.append(f"allreduce {percent(100 * update.share(update.allreduce))}")
    else:
        parts.append(WITHOUT)
    return " · ".join(parts if study.what_if is None else ["What if", *parts])
