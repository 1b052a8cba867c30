"""What stands beside a graph and an execution in the folder of a report."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import cbor2
import numpy as np

from generators.poplar_memory import CATEGORIES

TEXT = """
Target:
  Number of IPUs:         1
  Tiles per IPU:          16
  Total Tiles:            16

Graph:
  Number of vertices:     1,219
"""
RUN = """Execution:

  Total cycles:                                  8,190,756 (approx 5,119.2 microseconds)
  Total compute cycles (including idle threads): 5,513,152
"""


def variables(count: int = 40, tiles: int = 16, seed: int = 5) -> dict[str, Any]:
    """The content of vars.json."""
    random = np.random.default_rng(seed)
    entries = [
        {
            "var": number,
            "info": {
                "allocated": number % 9 != 8,
                **({"tile": int(random.integers(tiles))} if number % 9 != 8 else {}),
                "name": f"conv{number % 7}/weights#{number}",
                "sizeBytes": 4 * int(random.integers(1, 4000)),
                "alignment": 8,
                "offset": 8 * int(random.integers(0, 60_000)),
                "category": CATEGORIES[number % len(CATEGORIES)],
                "isConstant": number % 11 == 0,
                "alwaysLive": number % 3 == 0,
                "executable": False,
                "vertexCode": number % 25 == 1,
                "lowest256KB": False,
                "equivalenceClass": number // 2,
                "inInterleavedMem": number % 4 == 0,
            },
        }
        for number in range(count)
    ]
    return {
        "allocationOrderByTile": [[1, 2], [0]],
        "equivalenceClassInterference": [[0, 1], [1]],
        "numTiles": tiles,
        "targetMemoryInfo": {"tileMemory": 638_976, "interleavedMemoryStart": 319_488},
        "vars": entries,
    }


def framework() -> dict[str, Any]:
    """The content of framework.json."""
    return {
        "TensorFlow": {"Version": "2.1.2", "Cluster": "cluster_1", "Options": {"xla": True, "layers": [1, 2, 3]}},
        "System Information": {"Hostname": "host", "Devices": [{"id": 0, "tiles": 1216}, {"id": 1, "tiles": 1216}]},
    }


def capnp(words: int = 4) -> bytes:
    """One segment in the framing of a Cap'n Proto stream."""
    return struct.pack("<II", 0, words) + bytes(8 * words)


def write_all(folder: Path, *, database: bool = True) -> list[Path]:
    """Every kind of file that may stand beside a report, with the vendor's names."""
    contents: dict[str, bytes] = {
        "framework.json": json.dumps(framework()).encode(),
        "app.json": json.dumps({"batch": 16, "notes": "a run"}).encode(),
        "vars.json": json.dumps(variables()).encode(),
        "graph.txt": TEXT.encode(),
        "execution.txt": RUN.encode(),
        "tensor_map.json": json.dumps(
            {"mappings": {"cluster_1": [["add.0", 0, [4], "float", 0, 0, 4, [[0, 4]]]]}}
        ).encode(),
        "serialized_graph.capnp": capnp(),
        "vars.capnp": capnp(2),
        "archive.a": b"!<arch>\n" + b"tile0/           0           0     0     644     4         `\n\x7fELF",
        "debug.cbor": cbor2.dumps({"contexts": [{"id": 1, "layer": "poplar"}], "stringTable": ["a"]}),
    }
    if database:
        contents["profile.pop"] = b"SQLite format 3\0" + bytes(4080)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in contents]
