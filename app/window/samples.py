"""The bundled sample profiles."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from app.language import tr
from app.preferred_language import VARIABLE
from app.resources import resource

_TEXTS: Final = {
    "poplar": (
        tr("ResNet on 1,472 tiles"),
        tr("A generated Poplar profile of one IPU: graph and execution, memory of every tile, liveness."),
    ),
    "poplar-measured": (
        tr("ResNet measured on 32 tiles"),
        tr("A generated Poplar profile with measured cycles: each compute set on each tile, and what ran when."),
    ),
    "ascend": (
        tr("Matmul with leaky ReLU"),
        tr("A generated Ascend operator: source, instructions, a trace of its pipes, details of its cores."),
    ),
    "ascend-report": (
        tr("OPPROF folder of the same operator"),
        tr("A generated Ascend report: metric tables of a device, traces and tables of the simulator."),
    ),
    "capture": (
        tr("Four ranks that train together"),
        tr("A generated Ascend capture: kernels, collectives and memory of four ranks, one of which comes late."),
    ),
    "trace": (
        tr("Training steps of a small network"),
        tr("A generated PyTorch trace: Python, operators, launches, two streams, a counter of memory."),
    ),
    "popef": (
        tr("ResNet for inference"),
        tr("A generated PopEF model: executable, anchors, weights as tensors, and a feed of images."),
    ),
    "tensorflow": (
        tr("TensorFlow log of two modules"),
        tr("A generated event log: compilations, transfers, executions, a tensor map, and reports."),
    ),
    "pypto": (
        tr("Attention as tasks on cores"),
        tr("A generated PyPTO run: tasks on cube and vector cores, what they depend on, and counters."),
    ),
    "tenstorrent": (
        tr("A small network on Wormhole"),
        tr("A generated Tenstorrent capture: zones of 12 cores, operations, a NoC trace, L1 of a report."),
    ),
    "aie": (
        tr("Matrix product on AI Engine tiles"),
        tr("A generated trace of AMD AI Engine tiles: work and stalls of 8 cores, ports, transfers from memory."),
    ),
}
"""Title and description of each sample."""


class Sample(Struct, frozen=True):
    """A sample in resources/samples/index.json; ``files`` are files or folders relative to that folder."""

    id: str
    files: tuple[str, ...]

    @property
    def title(self) -> str:
        return _TEXTS[self.id][0] if self.id in _TEXTS else self.id

    @property
    def description(self) -> str:
        return _TEXTS[self.id][1] if self.id in _TEXTS else ""

    def paths(self) -> list[Path]:
        return [resource("samples", name) for name in self.files]

    def picture(self, *, dark: bool) -> Path:
        """Returns the path of a screenshot of the sample in the dark or the light theme, in the user's language
        if there is one; it may not exist."""
        name = f"{self.id}-{'dark' if dark else 'light'}"
        own = resource("samples", f"{name}-{os.environ.get(VARIABLE, '')}.png")
        return own if own.is_file() else resource("samples", f"{name}.png")


def samples() -> list[Sample]:
    """Returns the samples whose files all exist; none if no index is bundled."""
    try:
        listed_samples = msgspec.json.decode(resource("samples", "index.json").read_bytes(), type=list[Sample])
    except (OSError, msgspec.MsgspecError):
        return []
    return [sample for sample in listed_samples if sample.files and all(path.exists() for path in sample.paths())]


def is_bundled(path: Path) -> bool:
    """Whether ``path`` is in the samples folder; samples are not added to the recent files."""
    return path.absolute().is_relative_to(resource("samples"))
