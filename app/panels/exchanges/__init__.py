"""Exchanges: what they move and how long they take, on each tile."""

from __future__ import annotations

from app.panels.exchanges.panel import ExchangesPanel
from app.panels.exchanges.picture import draw, offered
from app.panels.panel import PanelSpec, PlotSpec

SPEC = PanelSpec(
    "exchanges",
    "Exchanges",
    ExchangesPanel,
    ("exchanges",),
    "a Poplar graph profile (graph.json or graph.cbor)",
    "Transfers between tiles, between IPUs and with the host: bytes, cycles and balance of each, and on which tiles. "
    "Choose some in the list to see theirs.",
)

PLOT = PlotSpec("exchanges", "Exchanges per tile", lambda profile: bool(offered(profile)), draw)
