"""A profile of every family that the program opens: the bundled samples, and small generated files for the rest."""

from __future__ import annotations

from pathlib import Path

import orjson

from generators import ascend_trace, memory_plan, poplar, poplar_beside, pypto, tensor_map, tensorflow_events


def write_all(folder: Path, samples: Path) -> dict[str, Path]:
    """Family to the file or folder to open; what is generated lies below ``folder``."""
    return {
        "poplar": samples / "resnet-1472-tiles",
        "ascend": samples / "matmul_leakyrelu.bin",
        "popef": samples / "resnet_inference.popef",
        "trace": _trace(folder / "simulation"),
        "plan": _plan(folder / "plan"),
        "tensorflow": _log(folder / "log"),
        "map": _map(folder / "map"),
        "report": _report(folder / "report"),
        "pypto": samples / pypto.FOLDER,
    }


def _trace(folder: Path) -> Path:
    folder.mkdir(parents=True)
    ascend_trace.write(folder / "trace.json", events=2_000, cores=2, seed=3)
    return folder / "trace.json"


def _plan(folder: Path) -> Path:
    folder.mkdir(parents=True)
    path = folder / "memory_info.json"
    path.write_bytes(orjson.dumps(memory_plan.plan(12)))
    return path


def _log(folder: Path) -> Path:
    folder.mkdir(parents=True)
    steps = [tensorflow_events.run(), tensorflow_events.run("cluster_2", tensorflow_events.BEGAN + 9, ordinal=1)]
    path = folder / "events.out.tfevents.1559736000.host"
    path.write_bytes(tensorflow_events.log(steps, "new"))
    return path


def _map(folder: Path) -> Path:
    folder.mkdir(parents=True)
    path = folder / "network.tensor_map.json"
    path.write_text(tensor_map.tensor_map(tensor_map.network(16, machine=8)), encoding="utf-8")
    return path


def _report(folder: Path) -> Path:
    """Poplar's files with everything that may lie beside them."""
    folder.mkdir(parents=True)
    poplar.write_pair(folder, poplar.Scale(tiles_per_ipu=16, compute_sets=8, exchanges=4, loops=2, estimates=True))
    poplar_beside.write_all(folder)
    return folder
