"""What this version brings, in three lines for the start page."""

from __future__ import annotations

from app.language import tr

NEWS = (
    tr("Poplar reports, Ascend operator files and traces, and PopEF models open in one window."),
    tr("Select anything, and every panel shows what belongs to it; a range limits the figures of all panels."),
    tr("Every table and picture can be exported, from the window and from the command line."),
)

OPENS = (
    (
        tr("Graphcore"),
        tr("graph.json and execution.json of a Poplar report (or .cbor), alone or as a folder; .popef models"),
    ),
    (tr("TensorFlow for IPUs"), tr("events.out.tfevents.* with IPU events; *.tensor_map.json")),
    (
        tr("Huawei Ascend"),
        tr("visualize_data.bin of an operator; trace.json of a simulation or a run; memory_info.json"),
    ),
)
"""Which files people have, by the names they know."""
