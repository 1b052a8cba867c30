"""Which slices a canvas shows at the moment. No widgets."""

from __future__ import annotations

import numpy as np

from app.panels.timeline.figures import slices_in
from app.profile.arrays import I64
from app.profile.selection import TimeRange
from app.widgets.timeline.state import Shown


def slices_in_sight(shown: Shown) -> I64:
    """int64, rising: those in the stretch and on the rows that are in view, without what is filtered out."""
    found = slices_in(shown.model, TimeRange(shown.view.start, shown.view.end))
    bands = shown.layout.in_view(shown.view.top, int(shown.place.body.height))
    rows = [np.arange(band.first_row, band.first_row + band.rows) for band in bands if band.rows]
    row = np.searchsorted(shown.model.rows.first, found, "right") - 1
    found = found[np.isin(row, np.concatenate([np.empty(0, np.int64), *rows]))]
    origin = shown.contents.rows.origin
    return found if origin is None else found[np.isin(found, origin)]
