"""On which tiles tensors lie: a map of tensors by tiles, bars of one tensor, what lies on a tile."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.panels.panel import PanelSpec, PlotSpec
from app.panels.tensor_map.panel import TensorMapPanel
from app.panels.tensor_map.picture import heat_of
from app.profile.profile import Profile
from app.widgets.display import Look
from app.widgets.heat.draw import draw_heat
from app.widgets.theme import Theme

SPEC = PanelSpec(
    "tensor_map",
    "Tensor map",
    TensorMapPanel,
    ("tensor_map",),
    "a tensor map of TensorFlow (*.tensor_map.json), or an event log that holds one",
    "Each row is a tensor, each column a tile, each colour bytes. Select a tensor for its tiles, or tiles for their "
    "tensors; an even tensor has imbalance 1.",
)


def _offered(profile: Profile) -> bool:
    return profile.tensor_map is not None and len(profile.tensor_map.tile) > 0


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    shown = heat_of(profile, None, largest_first=True, log=True)
    if shown is not None:
        draw_heat(painter, place, shown[1], Look(theme=theme))


PLOT = PlotSpec("tensor-map", "Tensors by tiles", _offered, _draw)
