"""Large generated files, cached outside the repository.

They are in the user's cache folder, under a name that depends on the generating code and the size; files of earlier
versions of that code are deleted. Their content is deterministic.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from benchmarks.size import Size
from generators.poplar_network import Scale

POPLAR = ("poplar", "poplar_memory", "poplar_network", "poplar_numbers", "poplar_run", "trees")
TRACES = ("event_writing", "instruction_trace", "kineto_trace", "small_events", "task_trace", "trace_styles")
STYLED = (*POPLAR, "event_writing", "poplar_styles", "poplar_variables")
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


PUBLISHED = ("control", "test")
"""Traces of a profiler that others have published: names of files in ``published_folder``."""


def published_folder() -> Path:
    """Where they are, if they are there."""
    return GENERATORS.parents[2] / "shared" / "samples" / "traces"


def published_trace(name: str) -> Path:
    """A published trace, unpacked."""

    def make(place: Path) -> None:
        with gzip.open(published_folder() / f"{name}.json.gz") as packed, (place / "trace.json").open("wb") as plain:
            shutil.copyfileobj(packed, plain)

    return kept(f"trace-published-{name}", [], name, make) / "trace.json"


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

    scale = _four_ipus(size)

    def make(place: Path) -> None:
        poplar.write(place / f"graph{suffix}", poplar.graph(scale))

    return kept(f"graph-{size.name}{suffix}", POPLAR, repr(scale), make) / f"graph{suffix}"


def pair(size: Size) -> tuple[Path, Path]:
    """Graph and execution of one IPU, as a user would open them: about 46 and 9 MB."""
    from generators import poplar

    scale = _one_ipu(size)

    def make(place: Path) -> None:
        poplar.write_pair(place, scale)

    place = kept(f"pair-{size.name}", POPLAR, repr(scale), make)
    return place / "graph.json", place / "execution.json"


def execution(size: Size) -> tuple[Path, Path]:
    """Graph and execution of a small device that runs long: about ``size.steps`` steps."""
    from generators import poplar

    scale = _long_run(size)

    def make(place: Path) -> None:
        poplar.write_pair(place, scale)

    place = kept(f"execution-{size.name}", POPLAR, repr(scale), make)
    return place / "graph.json", place / "execution.json"


def styled_graph(style: str, size: Size) -> list[Path]:
    """A graph profile of four IPUs in that style (``generators.poplar_styles``), 70 to 300 MB in full, and what the
    style writes beside it."""
    from generators.poplar_styles import GRAPHS

    sets = max(4, round(size.compute_sets * GRAPHS[style].share))
    scale = replace(_four_ipus(size), compute_sets=sets)
    return _styled(f"graph-{style}-{size.name}", scale, lambda place: GRAPHS[style].write_graph(place, scale))


def styled_execution(style: str, size: Size) -> list[Path]:
    """Graph and execution of a device that runs long, the execution in that style: about ``size.steps`` steps."""
    from generators.poplar_styles import EXECUTIONS

    scale = _long_run(size)
    return _styled(f"execution-{style}-{size.name}", scale, lambda place: EXECUTIONS[style].write_pair(place, scale))


def styled_pair(style: str, size: Size) -> list[Path]:
    """Graph and execution of one IPU, both in that style; 54 MB where they are compact."""
    from generators.poplar_styles import PAIRS

    scale = _one_ipu(size)
    return _styled(f"pair-{style}-{size.name}", scale, lambda place: PAIRS[style].write_both(place, scale))


def _four_ipus(size: Size) -> Scale:
    return Scale(
        seed=3,
        mode="COMPUTE_SETS",
        estimates=False,
        ipus=4,
        tiles_per_ipu=size.tiles // 4,
        compute_sets=size.compute_sets,
        exchanges=0,
        spread=0.25,
    )


def _one_ipu(size: Size) -> Scale:
    from generators import poplar

    return poplar.REFERENCE if size.full else Scale(compute_sets=size.compute_sets)


def _long_run(size: Size) -> Scale:
    sets = min(600, size.steps // 20)
    return Scale(seed=3, compute_sets=sets, loops=max(2, round(size.steps / (2.41 * sets))), spread=1.6)


def _styled(name: str, scale: Scale, write: Callable[[Path], list[Path]]) -> list[Path]:
    return sorted(kept(name, STYLED, repr(scale), write).iterdir())


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


def packed_trace(size: Size) -> Path:
    """``trace`` compressed by gzip."""
    plain = trace(size.events)

    def make(place: Path) -> None:
        with plain.open("rb") as file, gzip.open(place / "trace.json.gz", "wb", compresslevel=1) as out:
            shutil.copyfileobj(file, out)

    return kept(f"packed-{size.events}", ["ascend_trace"], f"{size.events} events", make) / "trace.json.gz"


def log(size: Size) -> Path:
    """A log of TensorFlow with an event for each ten of a trace."""
    from generators import tensorflow_events

    executions = size.events // 30

    def make(place: Path) -> None:
        content = tensorflow_events.log([tensorflow_events.run(executions=100) for _ in range(executions // 100)])
        (place / "events.out.tfevents.1").write_bytes(content)

    modules = ("tensorflow_events", "tfrecord", "protobuf_wire")
    return kept(f"log-{size.events}", modules, f"{executions} executions", make) / "events.out.tfevents.1"


def operator(size: Size) -> Path:
    """An operator file with a trace."""
    from generators import ascend_bin

    def make(place: Path) -> None:
        ascend_bin.write(place / "operator.bin", size.instructions // 10, cores=4, events=size.events)

    modules = ("ascend_bin", "ascend_details", "ascend_kernel", "ascend_trace")
    words = f"{size.instructions // 10} instructions, {size.events} events"
    return kept(f"operator-{size.events}", modules, words, make) / "operator.bin"
