"""The inputs of the loading benchmarks: every family of files in the styles in which others write it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

from benchmarks import inputs
from benchmarks.size import Size
from generators.poplar_styles import EXECUTIONS, GRAPHS, PAIRS, PoplarStyle
from generators.trace_styles import STYLES

Family: TypeAlias = Literal["trace", "graph", "execution", "pair"]
FAMILIES: tuple[Family, ...] = ("trace", "graph", "execution", "pair")


@dataclass(frozen=True, slots=True)
class Input:
    """``name``: family/style; ``make``: the files, generated when they are first needed; ``cbor``: not JSON."""

    name: str
    what: str
    make: Callable[[Size], Sequence[Path]]
    cbor: bool = False


def _plain_traces() -> list[Input]:
    """Those of the generators that hold most things constant."""
    return [
        Input("trace/repeated", "a small loop: args repeat", lambda size: [inputs.trace(size.events)]),
        Input("trace/today", "times since 1970, smallest args", lambda size: [inputs.trace_of_today(size.events)]),
        Input("trace/phases", "all phases of PyTorch", lambda size: [inputs.trace_of_pytorch(size.events)]),
    ]


def _published_traces() -> list[Input]:
    """Those that are there."""
    there = (name for name in inputs.PUBLISHED if (inputs.published_folder() / f"{name}.json.gz").is_file())
    return [Input(f"trace/published-{name}", "a GPU, published", partial(_published_trace, name)) for name in there]


def _published_trace(name: str, _: Size) -> list[Path]:
    return [inputs.published_trace(name)]


def _styled_trace(style: str, size: Size) -> list[Path]:
    return [inputs.styled_trace(style, size)]


def _poplar(family: Family, styles: dict[str, PoplarStyle], make: Callable[[str, Size], Sequence[Path]]) -> list[Input]:
    return [
        Input(f"{family}/{name}", style.what, partial(make, name), style.suffix == ".cbor")
        for name, style in styles.items()
    ]


def _graphs() -> list[Input]:
    largest = Input("graph/plain", "290 MB as the vendor writes it", lambda size: [inputs.graph(size)])
    return [largest, *_poplar("graph", GRAPHS, inputs.styled_graph)]


INPUTS: dict[Family, list[Input]] = {
    "trace": [
        *_plain_traces(),
        *_published_traces(),
        *(Input(f"trace/{name}", style.what, partial(_styled_trace, name)) for name, style in STYLES.items()),
    ],
    "graph": _graphs(),
    "execution": _poplar("execution", EXECUTIONS, inputs.styled_execution),
    "pair": _poplar("pair", PAIRS, inputs.styled_pair),
}


CLICKED = ("clicks/steps", "clicks/tiles", "clicks/slices")
"""Large profiles that are clicked in (``clicks``)."""


def names() -> list[str]:
    """The names of all inputs."""
    return [*(one.name for family in FAMILIES for one in INPUTS[family]), *CLICKED]


def chosen(family: Family, size: Size, names: Sequence[str] = ()) -> list[Input]:
    """The inputs of that family (those of ``names``, if any) whose name contains one of the words of ``size.only``."""
    every = [one for one in INPUTS[family] if not names or one.name.partition("/")[2] in names]
    return [one for one in every if not size.only or any(word in one.name for word in size.only)]
