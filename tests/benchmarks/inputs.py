"""Large generated files, cached outside the repository.

They are in the user's cache folder, under a name that depends on the generating code and the size; files of earlier
versions of that code are deleted. Their content is deterministic.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.size import Size

POPLAR = ("poplar", "poplar_memory", "poplar_network", "poplar_numbers", "poplar_run", "trees")
TRACES = ("event_writing", "instruction_trace", "kineto_trace", "small_events", "task_trace", "trace_styles")
HOLES = 10
DIGITS = 12
"""Of the version in a folder's name."""
GENERATORS = Path(__file__).resolve().parents[1] / "generators"


def folder() -> Path:
    """The folder of the files, created on first use."""
    base = Path(os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    path = base / "tilesight-bench"
    path.mkdir(parents=True, exist_ok=True)
    return path


def version(modules: Sequence[str], words: str) -> str:
    """A hash that changes with every edit of these generators and with their parameters."""
    digest = hashlib.sha256(words.encode())
    for name in sorted(modules):
        digest.update((GENERATORS / f"{name}.py").read_bytes())
    return digest.hexdigest()[:DIGITS]


def kept(name: str, modules: Sequence[str], words: str, make: Callable[[Path], object]) -> Path:
    """The folder that ``make`` filled, now or earlier. It is created under a temporary name first, so that the output
    of an interrupted run is never used."""
    here = folder()
    place = here / f"{name}-{version(modules, words)}"
    if place.is_dir():
        return place
    for old in here.glob(f"{name}-{'?' * DIGITS}"):
        shutil.rmtree(old, ignore_errors=True)
    sys.stderr.write(f"making the input {name} ({words})\n")
    scratch = Path(tempfile.mkdtemp(dir=here, prefix=f"making-{name}-"))
    try:
        make(scratch)
        scratch.rename(place)
    except OSError:
        if not place.is_dir():  # else another run made it meanwhile
            raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return place


def trace(events: int) -> Path:
    """A trace of about ``events`` events (266 bytes each)."""
    from generators import ascend_trace

    def make(place: Path) -> None:
        ascend_trace.write(place / "trace.json", events, cores=14)

    return kept(f"trace-{events}", ["ascend_trace"], f"{events} events, 14 cores", make) / "trace.json"


def styled_trace(style: str, size: Size) -> Path:
    """A trace of that style (``generators.trace_styles``), of about the size of the others: 100 to 300 MB in full."""
    from generators.trace_styles import STYLES

    events = round(size.events * STYLES[style].per_million / 1e6)

    def make(place: Path) -> None:
        STYLES[style].write(place / "trace.json", events, seed=11)

    return kept(f"trace-{style}-{size.name}", TRACES, f"{style}, {events} events", make) / "trace.json"


def trace_of_today(events: int) -> Path:
    """A trace of ``events`` events whose timestamps need more digits than float64 has (140 bytes each)."""
    from generators import epoch_trace

    def make(place: Path) -> None:
        epoch_trace.write(place / "trace_view.json", events, lanes=40)

    return kept(f"epoch-{events}", ["epoch_trace"], f"{events} events, 40 lanes", make) / "trace_view.json"


def trace_of_pytorch(events: int) -> Path:
    """A trace of about ``events`` events of all phases in the style of the PyTorch profiler (107 bytes each)."""
    from generators import torch_trace

    def make(place: Path) -> None:
        torch_trace.write(place / "trace_view.json", events, style=torch_trace.Style(base=torch_trace.EPOCH))

    return kept(f"pytorch-{events}", ["torch_trace"], f"{events} events", make) / "trace_view.json"


def graph(size: Size, suffix: str = ".json") -> Path:
    """A graph profile of four IPUs: five matrices of bytes, by compute set and tile; about 290 MB in full."""
    from generators import poplar

    scale = poplar.Scale(
        seed=3,
        mode="COMPUTE_SETS",
        estimates=False,
        ipus=4,
        tiles_per_ipu=size.tiles // 4,
        compute_sets=size.compute_sets,
        exchanges=0,
        spread=0.25,
    )

    def make(place: Path) -> None:
        poplar.write(place / f"graph{suffix}", poplar.graph(scale))

    return kept(f"graph-{size.name}{suffix}", POPLAR, repr(scale), make) / f"graph{suffix}"


def pair(size: Size) -> tuple[Path, Path]:
    """Graph and execution of one IPU, as a user would open them: about 46 and 9 MB."""
    from generators import poplar

    scale = poplar.REFERENCE if size.full else poplar.Scale(compute_sets=size.compute_sets)

    def make(place: Path) -> None:
        poplar.write_pair(place, scale)

    place = kept(f"pair-{size.name}", POPLAR, repr(scale), make)
    return place / "graph.json", place / "execution.json"


def execution(size: Size) -> tuple[Path, Path]:
    """Graph and execution of a small device that runs long: about ``size.steps`` steps."""
    from generators import poplar

    sets = min(600, size.steps // 20)
    scale = poplar.Scale(seed=3, compute_sets=sets, loops=max(2, round(size.steps / (2.41 * sets))), spread=1.6)

    def make(place: Path) -> None:
        poplar.write_pair(place, scale)

    place = kept(f"execution-{size.name}", POPLAR, repr(scale), make)
    return place / "graph.json", place / "execution.json"


def popef(size: Size) -> Path:
    """A PopEF file whose payloads are holes: it takes no space where the file system supports sparse files."""
    from generators import popef

    def make(place: Path) -> None:
        path = popef.write(place / "sparse.popef", popef.many_anchor_blobs(50))
        with path.open("r+b") as file:
            end = file.seek(0, os.SEEK_END)
            for number in range(HOLES):
                empty = popef.executable(f"model_{number}", b"")
                head = len(popef.header(popef.EXECUTABLE, 0))
                room = len(empty) + size.popef_bytes // HOLES
                file.seek(end)
                file.write(popef.header(popef.EXECUTABLE, room) + empty[head:])
                end += room
                file.truncate(end)

    words = f"{size.popef_bytes} bytes in {HOLES} holes"
    return kept(f"popef-{size.name}", ["popef", "capnp_words"], words, make) / "sparse.popef"
