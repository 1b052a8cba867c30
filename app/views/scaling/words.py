"""The line with the most important result."""

from __future__ import annotations

from app.language import plural, tr
from app.views.scaling.charts import WITHOUT
from app.views.scaling.study import Study
from app.views.units import format_value, percent, plain


def summary(study: Study) -> str:
    """The result at the replicas of the inputs, with the sliders' changes."""
    model = study.model
    if model is None:
        return ""
    shown = study.what_if or model.curve
    point = shown.at(model.replicas)
    if point is None:
        return tr("The fixed batch is too small for this many replicas.")
    update = point.update
    rate = plain(float(f"{point.throughput:.5g}"))
    parts = [
        plural(
            "{count:,} replica: {rate} samples/s",
            "{count:,} replicas: {rate} samples/s",
            count=model.replicas,
            rate=rate,
        ),
        tr("weight update {seconds}", seconds=format_value(update.seconds, "s")),
    ]
    if model.complete:
        parts.insert(1, tr("efficiency {efficiency}", efficiency=percent(100 * point.efficiency)))
        parts.append(tr("allreduce {share}", share=percent(100 * update.share(update.allreduce))))
    else:
        parts.append(WITHOUT)
    return " · ".join(parts if study.what_if is None else [tr("What if"), *parts])
