"""What this version brings, in three lines for the start page."""

from __future__ import annotations

NEWS = (
    "Poplar reports, Ascend operator files and traces, and PopEF models open in one window.",
    "Select anything, and every panel shows what belongs to it; a range limits the figures of all panels.",
    "Every table and picture can be exported, from the window and from the command line.",
)

OPENS = (
    ("Graphcore", "graph.json and execution.json of a Poplar report (or .cbor), alone or as a folder; .popef models"),
    ("TensorFlow for IPUs", "events.out.tfevents.* with IPU events; *.tensor_map.json"),
    (
        "Huawei Ascend",
        "visualize_data.bin of an operator; trace.json of a simulation or a run; memory_info.json",
    ),
)
"""Which files people have, by the names they know."""
