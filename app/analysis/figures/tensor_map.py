"""Main figures of tensor maps."""

from __future__ import annotations

import numpy as np

from app.analysis.figures.figure import Figure
from app.analysis.tensor_map.sizes import spread
from app.language import tr
from app.profile.arrays import distinct
from app.profile.profile import Profile
from app.profile.tensorflow import GENERATIONS


def figures(profile: Profile) -> list[Figure]:
    """The figures; empty for a profile without a map."""
    tensor_map = profile.tensor_map
    if tensor_map is None:
        return []
    sums = spread(tensor_map)
    used = tensor_map.tile[tensor_map.count > 0]
    made = [
        Figure("tensors.count", tr("Mapped tensors"), len(tensor_map)),
        Figure(
            "tensors.elements",
            tr("Elements"),
            int(sums.elements.sum()),
            help=tr("Distinct mapped elements of all tensors: a broadcast scalar counts once."),
        ),
        Figure("tensors.tiles", tr("Tiles"), len(distinct(used)), help=tr("Tiles with any element.")),
        Figure(
            "tensors.bytes",
            tr("Bytes"),
            int(sums.bytes[sums.bytes >= 0].sum()),
            "B",
            tr("Elements x bytes of their types; each tensor counts, even if it aliases another."),
        ),
        Figure("tensors.computations", tr("Computations"), len(distinct(tensor_map.tensors.computation))),
    ]
    forms = [GENERATIONS[number] for number in distinct(tensor_map.tensors.generation).tolist() if number]
    if forms:
        made.append(
            Figure(
                "tensors.generation",
                tr("Map format"),
                ", ".join(forms),
                help=tr("Determined from its tensors and tiles."),
            )
        )
    uneven = np.flatnonzero(~np.isnan(sums.imbalance) & (sums.tiles > 1))
    if len(uneven):
        worst = float(sums.imbalance[uneven].max())
        help_ = tr("Largest value of any tensor on several tiles: elements on its fullest tile / mean over its tiles.")
        made.append(Figure("tensors.worst_imbalance", tr("Worst imbalance"), worst, help=help_))
    return made
