"""What TensorFlow did on the host, and the reports that its events carry."""

from __future__ import annotations

from app.panels.host_events.panel import HostEventsPanel
from app.panels.panel import PanelSpec

SPEC = PanelSpec(
    "host_events",
    "Host events",
    HostEventsPanel,
    ("host_events",),
    "a TensorFlow event log with IPU events (events.out.tfevents.*)",
    "Compilations, engine loads, transfers and executions as TensorFlow logged them. Reports inside them open as "
    "profiles of their own; an event without one says why.",
)
