"""Writes the bundled samples, always the same bytes: ``PYTHONPATH=tests python -m generators.make_samples``."""

from __future__ import annotations

import sys
from pathlib import Path

import orjson

from generators import ascend_report, ascend_report_sample, ascend_sample, popef, popef_network, poplar

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "samples"

INDEX = (
    {
        "id": "poplar",
        "title": "ResNet on 1,472 tiles",
        "description": "A generated Poplar profile of one IPU: graph and execution, memory of every tile, liveness.",
        "files": ["resnet-1472-tiles"],
    },
    {
        "id": "ascend",
        "title": "Matmul with leaky ReLU",
        "description": "A generated Ascend operator: source, instructions, a trace of its pipes, details of its cores.",
        "files": ["matmul_leakyrelu.bin"],
    },
    {
        "id": "ascend-report",
        "title": "OPPROF folder of the same operator",
        "description": "A generated Ascend report: metric tables of a device, traces and tables of the simulator.",
        "files": [ascend_report_sample.FOLDER],
    },
    {
        "id": "popef",
        "title": "ResNet for inference",
        "description": "A generated PopEF model: executable, anchors, weights as tensors, and a feed of images.",
        "files": ["resnet_inference.popef"],
    },
)


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
    reported = ascend_report.write(folder / ascend_report_sample.FOLDER, report)
    return [index, *poplar.write_pair(graphs, poplar.SAMPLE), operator, model, *(reported / name for name in report)]


if __name__ == "__main__":
    written = make(FOLDER)
    sys.stdout.writelines(f"{path.stat().st_size:>10,} {path.relative_to(FOLDER)}\n" for path in written)
