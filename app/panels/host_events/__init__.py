"""TensorFlow's events on the host, and the reports attached to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.host_events.panel import HostEventsPanel


def _load() -> type[HostEventsPanel]:
    from app.panels.host_events.panel import HostEventsPanel

    return HostEventsPanel


SPEC = PanelSpec(
    "host_events",
    tr("Host events"),
    _load,
    ("host_events",),
    tr("a TensorFlow event log with IPU events (events.out.tfevents.*)"),
    tr(
        "Compilations, engine loads, transfers and executions as TensorFlow logged them. "
        "Embedded reports open as separate profiles; an event without a report states why."
    ),
    shows=("host_event", "report"),
    words=("TensorFlow", "compile", "engine load"),
)
