"""Exchanges: the data they move and the time they take, on each tile."""

from __future__ import annotations

from app.language import tr
from app.panels.spec import MakePanel, PanelSpec


def _load() -> MakePanel:
    from app.panels.exchanges.panel import ExchangesPanel

    return ExchangesPanel


SPEC = PanelSpec(
    "exchanges",
    tr("Exchanges"),
    _load,
    ("exchanges",),
    tr("a Poplar graph profile (graph.json or graph.cbor)"),
    tr(
        "Transfers between tiles, between IPUs and with the host: bytes, cycles and balance of "
        "each, and on which tiles. Select some in the list to see only these."
    ),
    also=("programs", "steps", "measured_cycles", "target"),
    shows=("exchange",),
    words=("communication", "transfers", "bandwidth"),
)
