"""Folders of very many small profiles of all families, as a simulator's run leaves them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from generators import ascend_bin, ascend_trace, popef, poplar, tensor_map, tensorflow_events

EVENTS = 200
SMALL = poplar.Scale(compute_sets=6, host_exchanges=1, loops=1)


def write(folder: Path, count: int) -> None:
    """``count`` profiles in ``folder``, each in a folder of its own, most of them with the same few names."""
    for number in range(count):
        place = folder / f"core{number:04}"
        place.mkdir(parents=True)
        MAKERS[number % len(MAKERS)](place, number)


def _trace(folder: Path, number: int) -> None:
    ascend_trace.write(folder / "trace.json", EVENTS, cores=1, seed=number)


def _operator(folder: Path, number: int) -> None:
    (folder / "visualize_data.bin").write_bytes(ascend_bin.small(seed=number, blocks=1))


def _report(folder: Path, number: int) -> None:
    poplar.write_pair(folder, SMALL)


def _model(folder: Path, number: int) -> None:
    popef.write(folder / f"model{number}.popef", popef.guide_blobs())


def _map(folder: Path, number: int) -> None:
    text = tensor_map.tensor_map(tensor_map.network(layers=2, seed=number, machine=16))
    (folder / f"cluster_{number}.tensor_map.json").write_text(text, encoding="utf-8")


def _events(folder: Path, number: int) -> None:
    steps = [tensorflow_events.run(f"cluster_{number}")]
    (folder / f"events.out.tfevents.{number}.host").write_bytes(tensorflow_events.log(steps))


MAKERS: tuple[Callable[[Path, int], object], ...] = (_trace, _operator, _trace, _report, _model, _trace, _map, _events)
"""Half of them traces, as a simulator writes them."""
