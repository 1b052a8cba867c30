"""Writes the bundled samples, always the same bytes: ``PYTHONPATH=tests python -m generators.make_samples``."""

from __future__ import annotations

import sys
from pathlib import Path

import orjson

from generators import (
    aie_trace,
    ascend_capture,
    ascend_report,
    ascend_report_sample,
    ascend_sample,
    popef,
    popef_network,
    poplar,
    pypto,
    tensor_map,
    tensorflow_events,
    tenstorrent,
    trace_sample,
)
from generators.trees import plain

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "samples"

INDEX = (
    {
        "id": "poplar",
        "files": ["resnet-1472-tiles"],
    },
    {
        "id": "poplar-measured",
        "files": ["resnet-32-tiles-measured"],
    },
    {
        "id": "ascend",
        "files": ["matmul_leakyrelu.bin"],
    },
    {
        "id": "ascend-report",
        "files": [ascend_report_sample.FOLDER],
    },
    {
        "id": "capture",
        "files": ["data-parallel-4-ranks"],
    },
    {
        "id": "trace",
        "files": ["training.pt.trace.json"],
    },
    {
        "id": "popef",
        "files": ["resnet_inference.popef"],
    },
    {
        "id": "tensorflow",
        "files": ["events.out.tfevents.1559736000.host"],
    },
    {
        "id": "pypto",
        "files": [pypto.FOLDER],
    },
    {
        "id": "tenstorrent",
        "files": [tenstorrent.FOLDER],
    },
    {
        "id": "aie",
        "files": [aie_trace.FILE],
    },
)
MEASURED = poplar.Scale(
    seed=11, mode="COMPUTE_SETS", tiles_per_ipu=32, compute_sets=12, exchanges=8, loops=4, spread=0.5
)
"""Measured on hardware: cycles of each compute set on each tile, which the first sample lacks."""
RANKS = ascend_capture.Run(ranks=4, steps=3, kernels=24, seed=7, late=4_000_000, slow=(1, 2))
"""Four ranks that train together: the last comes late to every collective, and one link is slow."""
MODULE = poplar.Scale(seed=5, tiles_per_ipu=64, compute_sets=8, exchanges=5, loops=2)
"""What the first module of the log was compiled to."""


def make(folder: Path) -> list[Path]:
    """Writes all samples and their index into ``folder``; the files written."""
    graphs = folder / "resnet-1472-tiles"
    graphs.mkdir(parents=True, exist_ok=True)
    operator = folder / "matmul_leakyrelu.bin"
    operator.write_bytes(ascend_sample.operator())
    index = folder / "index.json"
    index.write_bytes(orjson.dumps(INDEX, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    model = popef.write(folder / "resnet_inference.popef", popef_network.blobs())
    report = ascend_report_sample.files()
    log = folder / "events.out.tfevents.1559736000.host"
    log.write_bytes(_log())
    trace = folder / "training.pt.trace.json"
    trace.write_bytes(trace_sample.content())
    tiles = folder / aie_trace.FILE
    tiles.write_bytes(orjson.dumps(aie_trace.sample()))
    reported = ascend_report.write(folder / ascend_report_sample.FOLDER, report)
    pair = poplar.write_pair(graphs, poplar.SAMPLE)
    measured = folder / "resnet-32-tiles-measured"
    measured.mkdir(exist_ok=True)
    return [
        index,
        *pair,
        *poplar.write_pair(measured, MEASURED),
        operator,
        model,
        log,
        trace,
        tiles,
        *ascend_capture.write(folder / "data-parallel-4-ranks", RANKS),
        *(reported / name for name in report),
        *pypto.write(folder / pypto.FOLDER),
        *tenstorrent.write(folder / tenstorrent.FOLDER, tenstorrent.Run(unended=0), flat=True),
    ]


def _log() -> bytes:
    """Two modules; the first is compiled twice, and its reports and tensor map are in the log."""
    graph, execution = (orjson.dumps(plain(tree)) for tree in (poplar.graph(MODULE), poplar.execution(MODULE)))
    placed = tensor_map.tensor_map(tensor_map.network(6, machine=MODULE.tiles))
    began = tensorflow_events.BEGAN
    first = tensorflow_events.run(
        "cluster_1",
        began,
        executions=6,
        graph=graph,
        execution=execution,
        every=3,
        tensor_map=placed,
        ml_types={"fusion.1": 2, "fusion.2": 3, "fusion.3": 4, "reduce.0": 1},
    )
    second = tensorflow_events.run("cluster_2", began + 5, executions=4)
    again = tensorflow_events.run("cluster_1", began + 10, executions=2)
    return tensorflow_events.log([first, second, again], "old")


if __name__ == "__main__":
    written = make(FOLDER)
    sys.stdout.writelines(f"{path.stat().st_size:>10,} {path.relative_to(FOLDER)}\n" for path in written)
