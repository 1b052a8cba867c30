"""Writes the small files from which the help describes the columns of tables that no bundled sample has, always the
same bytes: ``PYTHONPATH=tests python -m generators.make_help_examples``."""

from __future__ import annotations

import sys
from pathlib import Path

import orjson

from generators import aie_trace, ascend_capture, memory_plan, pipe_words, poplar, poplar_beside

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "help" / "examples"
VERTICES = poplar.Scale(
    mode="VERTICES", ipus=2, tiles_per_ipu=4, compute_sets=6, exchanges=3, loops=2, live_variables="records"
)
RANKS = ascend_capture.Run(ranks=2, steps=1, kernels=3)
BESIDE = ("framework.json", "vars.json", "graph.txt")


def make(folder: Path) -> list[Path]:
    """Writes all examples into ``folder``; the files written."""
    graphs, plans, traces, tiles = (folder / name for name in ("poplar", "plan", "pipes", "tiles"))
    for path in (graphs, plans, traces, tiles):
        path.mkdir(parents=True, exist_ok=True)
    pair = poplar.write_pair(graphs, VERTICES)
    beside = [path for path in poplar_beside.write_all(graphs, database=False) if _is_wanted(path)]
    plan = plans / "memory_info.json"
    plan.write_bytes(orjson.dumps(memory_plan.plan(4)))
    trace = traces / "trace.json"
    trace.write_bytes(pipe_words.trace(6))
    few = aie_trace.write(tiles / "trace.json", aie_trace.Traced(columns=1, cores=1, rounds=1))
    return [*pair, *beside, plan, trace, few, *_capture(folder / "capture")]


def _capture(folder: Path) -> list[Path]:
    """Two ranks of one run, and the output for their cluster."""
    made = []
    for name, content in ascend_capture.files(RANKS).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        made.append(path)
    return made


def _is_wanted(path: Path) -> bool:
    if path.name not in BESIDE:
        path.unlink()
    return path.exists()


if __name__ == "__main__":
    written = make(FOLDER)
    sys.stdout.writelines(f"{path.stat().st_size:>10,} {path.relative_to(FOLDER)}\n" for path in written)
