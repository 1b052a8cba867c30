"""Pictures that the export makes of it."""

from __future__ import annotations

from app.panels.liveness.picture import draw
from app.panels.spec import PlotSpec

PLOTS = (PlotSpec("liveness", "Live bytes by program", lambda profile: profile.liveness is not None, draw),)
