"""Graph and execution profiles in ways in which others write or fill them: ``GRAPHS`` and ``EXECUTIONS`` by name.

``python -m generators.poplar_styles STYLE FOLDER SHARE`` writes one. Left out: numbers as strings (the vendor's writer
has none, and the reader reports them), floats in the records of steps (reported as well), duplicate keys, and CBOR with
bignums, decimals or tags inside.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from msgspec.structs import replace

from generators import poplar
from generators.event_writing import Layout
from generators.poplar_network import Scale
from generators.poplar_variables import variables_of
from generators.trees import Lazy, plain, write_cbor, write_json

Tree: TypeAlias = Any
Change: TypeAlias = Callable[[Tree], Tree]


@dataclass(frozen=True, slots=True)
class PoplarStyle:
    """``what``: in words; ``scale``: changes of the usual scale; ``change``: of the tree before it is written;
    ``suffix`` .cbor is written as CBOR, with lengths or (``indefinite``) ended by breaks; ``share``: of the compute
    sets of a benchmark's graph, so that all files have about the same size; ``beside``: with vars.json."""

    what: str
    scale: dict[str, Any] = field(default_factory=dict)
    change: Change = lambda tree: tree
    layout: Layout = "compact"
    suffix: str = ".json"
    indefinite: bool = False
    share: float = 0.4
    beside: bool = False

    @property
    def reordered(self) -> bool:
        return self.change is mixed_keys

    def scaled(self, scale: Scale) -> Scale:
        return replace(scale, **self.scale)

    def write(self, path: Path, tree: Tree) -> Path:
        """The tree in this style at ``path`` with this style's suffix."""
        path, tree = path.with_suffix(self.suffix), self.change(tree)
        if self.suffix == ".cbor":
            return write_cbor(path, tree, indefinite=self.indefinite, short_floats=self.indefinite)
        return write_json(path, tree, layout=self.layout)

    def write_graph(self, folder: Path, scale: Scale) -> list[Path]:
        """The graph, with vars.json where the style says so."""
        tree = poplar.graph(self.scaled(scale))
        paths = [self.write(folder / "graph", tree)]
        if self.beside:
            entries = variables_of(plain(tree))
            paths.append(write_json(folder / "vars.json", entries))
        return paths

    def write_both(self, folder: Path, scale: Scale) -> list[Path]:
        """Graph and execution in this style."""
        mine = self.scaled(scale)
        graph = self.write(folder / "graph", poplar.graph(mine))
        return [graph, self.write(folder / "execution", poplar.execution(mine))]

    def write_pair(self, folder: Path, scale: Scale) -> list[Path]:
        """A plain graph, and the execution in this style."""
        mine = self.scaled(scale)
        graph = poplar.write(folder / "graph.json", poplar.graph(mine))
        return [graph, self.write(folder / "execution", poplar.execution(mine))]


def mixed_keys(tree: Tree, seed: int = 4) -> Tree:
    """The keys of every object in an order of its own."""
    dice = random.Random(seed)

    def mixed(value: Tree) -> Tree:
        if isinstance(value, dict):
            return {key: mixed(value[key]) for key in dice.sample(list(value), len(value))}
        if isinstance(value, list):
            return [mixed(item) for item in value]
        return _each(value, mixed)

    return mixed(tree)


def floats(tree: Tree) -> Tree:
    """The numbers of arrays as floats (12.0)."""
    if isinstance(tree, dict):
        return {key: floats(value) for key, value in tree.items()}
    if isinstance(tree, np.ndarray):
        return tree.astype(np.float64)
    return _each(tree, floats)


def named_apart(tree: Tree) -> Tree:
    """Every step has a name of its own."""
    simulation = tree["simulation"]
    steps = simulation["steps"]
    apart = Lazy(steps.count, partial(_named_apart, steps))
    return {**tree, "simulation": {**simulation, "steps": apart}}


def many_digits(tree: Tree) -> Tree:
    """Numbers of eight and more digits instead of zeros and small ones in all matrices."""
    if isinstance(tree, dict):
        return {key: many_digits(value) for key, value in tree.items()}
    if isinstance(tree, np.ndarray):
        return tree
    if isinstance(tree, Lazy):
        return Lazy(tree.count, partial(_long_rows, tree))
    return tree


def _named_apart(steps: Lazy) -> Iterator[Tree]:
    for number, step in enumerate(steps.items()):
        yield {**step, "name": f"{step.get('name', 'sync')}/call {number}"}


def _long_rows(rows: Lazy) -> Iterator[Tree]:
    for number, row in enumerate(rows.items()):
        yield row * 100_003 + np.arange(len(row)) * 7919 + number if isinstance(row, np.ndarray) else row


def _each(tree: Tree, change: Change) -> Tree:
    return Lazy(tree.count, lambda: map(change, tree.items())) if isinstance(tree, Lazy) else tree


GRAPHS: dict[str, PoplarStyle] = {
    "full_rows": PoplarStyle("no zeros", {"spread": 1.6}),
    "digits": PoplarStyle("numbers of eight and more digits", change=many_digits, share=0.15),
    "order": PoplarStyle("keys in another order", change=mixed_keys),
    "pretty": PoplarStyle("indented: one number on a line", layout="pretty", share=0.1),
    "spaced": PoplarStyle("as json.dump writes it", layout="spaced"),
    "floats": PoplarStyle("numbers as floats", change=floats, share=0.3),
    "exchanges": PoplarStyle("as many exchanges, with programs", {"exchanges": None, "spread": 1.0}, share=0.25),
    "liveness": PoplarStyle("many variables at each program", {"live_variables": "records"}, share=0.3),
    "variables": PoplarStyle("vars.json beside it", beside=True, share=0.1),
    "cbor": PoplarStyle("CBOR", suffix=".cbor"),
    "cbor_digits": PoplarStyle("CBOR, large numbers", change=many_digits, suffix=".cbor", share=0.15),
    "cbor_floats": PoplarStyle("CBOR, floats", change=floats, suffix=".cbor", share=0.15),
    "cbor_indefinite": PoplarStyle(
        "CBOR ended by breaks, keys mixed", change=mixed_keys, suffix=".cbor", indefinite=True
    ),
}
TILES = {"mode": "COMPUTE_SETS", "tiles_per_ipu": 1472}
EXECUTIONS: dict[str, PoplarStyle] = {
    "steps": PoplarStyle("steps alone"),
    "tiles": PoplarStyle("with cycles of each tile", TILES),
    "vertices": PoplarStyle("with cycles of each vertex", {"mode": "VERTICES", "tiles_per_ipu": 368}),
    "order": PoplarStyle("keys in another order in each step", change=mixed_keys),
    "pretty": PoplarStyle("indented", layout="pretty"),
    "spaced": PoplarStyle("as json.dump writes it", layout="spaced"),
    "names": PoplarStyle("all names differ", change=named_apart),
    "floats": PoplarStyle("with cycles of each tile, as floats", TILES, floats),
    "cbor": PoplarStyle("CBOR", suffix=".cbor"),
    "cbor_order": PoplarStyle("CBOR, keys in another order in each step", change=mixed_keys, suffix=".cbor"),
}
PAIRS: dict[str, PoplarStyle] = {
    "plain": PoplarStyle("as the vendor writes them"),
    "order": PoplarStyle("keys in another order", change=mixed_keys),
    "pretty": PoplarStyle("indented", layout="pretty"),
    "floats": PoplarStyle("numbers as floats", change=floats),
    "cbor": PoplarStyle("CBOR", suffix=".cbor"),
}


if __name__ == "__main__":
    (EXECUTIONS[sys.argv[1]].write_pair if sys.argv[1] in EXECUTIONS else GRAPHS[sys.argv[1]].write_graph)(
        Path(sys.argv[2]), replace(poplar.REFERENCE, compute_sets=int(600 * float(sys.argv[3])))
    )
