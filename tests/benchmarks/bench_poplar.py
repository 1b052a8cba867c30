"""Opening a Poplar pair against decoding it whole: ``PYTHONPATH=.:tests python tests/benchmarks/bench_poplar.py``.

Writes a generated pair (1,472 tiles, 600 compute sets: 46 MB of graph, 9 MB of execution) to a temporary folder, then
compares, in one process with the cyclic collector off: our reader to finished columns, and ``orjson.loads`` with
``np.array`` for each two-dimensional list. Prints the best of five, their ratio, and the peak memory of one open.
"""

from __future__ import annotations

import gc
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.profile import Profile
from generators import poplar

REPEATS = 5


def best(run: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return min(times)


def arrays(value: Any) -> int:
    """Makes an array of each two-dimensional list, and returns their bytes."""
    if isinstance(value, dict):
        return sum(arrays(part) for part in value.values())
    if isinstance(value, list) and value and isinstance(value[0], list):
        lengths = {len(row) for row in value}
        return np.array(value).nbytes if len(lengths) == 1 else 0
    return 0


def columns(profile: Profile) -> int:
    """Bytes of all columns of the profile."""

    def of(value: Any) -> int:
        if isinstance(value, np.ndarray):
            return value.nbytes
        if isinstance(value, dict):
            return sum(of(part) for part in value.values())
        return sum(of(getattr(value, name)) for name in getattr(value, "__slots__", ()))

    return sum(of(profile.section(name)) for name in profile.filled())


def main() -> None:
    gc.disable()
    with tempfile.TemporaryDirectory() as folder:
        paths = poplar.write_pair(Path(folder), poplar.REFERENCE)
        print("files", *(f"{path.stat().st_size / 1e6:.1f} MB" for path in paths))
        whole = best(lambda: [arrays(orjson.loads(path.read_bytes())) for path in paths])
        ours = best(lambda: read(FORMAT, paths))
        print(f"orjson.loads + np.array {whole:.3f} s, reader {ours:.3f} s, ratio {ours / whole:.2f} (bound 0.6)")
        tracemalloc.start()
        (profile,) = read(FORMAT, paths)
        peak = tracemalloc.get_traced_memory()[1]
        size = columns(profile)
        bound = 1.5 * size + 200e6
        print(f"columns {size / 1e6:.1f} MB, peak {peak / 1e6:.1f} MB (bound {bound / 1e6:.0f} MB)")


if __name__ == "__main__":
    main()
