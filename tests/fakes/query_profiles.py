"""A profile of each family, for queries."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from app.formats.ascend_bin import FORMAT as ASCEND
from app.formats.ascend_trace import FORMAT as TRACE
from app.formats.collect import read
from app.formats.popef import FORMAT as POPEF
from app.formats.poplar import FORMAT as POPLAR
from app.formats.tensorflow_events import FORMAT as TENSORFLOW
from app.profile.profile import Profile
from generators import ascend_trace, reading, tensorflow_events

SAMPLES: Final = Path(__file__).parents[2] / "resources" / "samples"
FILES: Final = {
    "poplar": (POPLAR, [SAMPLES / "resnet-1472-tiles" / name for name in ("graph.json", "execution.json")]),
    "ascend": (ASCEND, [SAMPLES / "matmul_leakyrelu.bin"]),
    "popef": (POPEF, [SAMPLES / "resnet_inference.popef"]),
}
FAMILIES: Final = (*FILES, "tensorflow", "trace")


def profile_of_family(name: str) -> Profile:
    """A sample, or a generated profile."""
    if name == "tensorflow":
        log = tensorflow_events.log([tensorflow_events.run()])
        return reading.profile_of(TENSORFLOW, log, "events.out.tfevents")
    if name == "trace":
        return reading.profile_of(TRACE, b"".join(ascend_trace.chunks(600)), "trace.json")
    (profile,) = read(*FILES[name])
    return profile
