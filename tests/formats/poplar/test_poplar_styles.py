"""Graphs and executions in every style that others write: what plain ``json`` or ``cbor2`` takes from the file is what
the generator meant, and the reader makes the same of it as of the plain file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cbor2
import msgspec
import pytest

from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.profile import Profile
from generators import poplar
from generators.poplar_styles import EXECUTIONS, GRAPHS, PAIRS, PoplarStyle
from generators.trees import SELF_DESCRIBED, plain, sorted_keys, write_json

SCALE = poplar.Scale(seed=4, tiles_per_ipu=24, compute_sets=18, loops=3, spread=0.4, mode="COMPUTE_SETS")
IN_FILE_ORDER = ("compute_set_bytes", "vertex_type_bytes", "programs", "tile_memory", "execution", "report_files")
"""Sections that list some things as the file has them."""


def one(paths: list[Path]) -> Profile:
    (profile,) = read(FORMAT, paths)
    assert profile.issues == ()
    return profile


def loaded(path: Path) -> Any:
    """By plain json or cbor2, which makes immutable values of what has a tag."""
    if path.suffix == ".cbor":
        return cbor2.loads(path.read_bytes().removeprefix(SELF_DESCRIBED))
    return json.loads(path.read_bytes())


def whole(value: Any) -> Any:
    """The value with floats that are whole as integers."""
    if isinstance(value, dict):
        return {key: whole(part) for key, part in value.items()}
    if isinstance(value, list):
        return [whole(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def sections(profile: Profile, left_out: tuple[str, ...]) -> dict[str, Any]:
    def array(column: Any) -> Any:
        return [column.dtype.str, column.tolist()]

    names = set(profile.filled()) - set(left_out)
    return {
        name: json.dumps(msgspec.to_builtins(profile.section(name), enc_hook=array), sort_keys=True) for name in names
    }


def check(tmp_path: Path, style: PoplarStyle, paths: list[Path]) -> None:
    """The files at ``paths`` are read like a plain copy of what they hold."""
    (tmp_path / "copy").mkdir()
    copies = []
    for path in paths:
        tree = sorted_keys(whole(loaded(path)))
        copies.append(write_json(tmp_path / "copy" / path.with_suffix(".json").name, tree))
    left_out = IN_FILE_ORDER if style.reordered else ("report_files",)
    assert sections(one(paths), left_out) == sections(one(copies), left_out)


@pytest.mark.parametrize("name", GRAPHS)
def test_a_graph_is_read_in_every_style(tmp_path: Path, name: str) -> None:
    style = GRAPHS[name]
    paths = style.write_graph(tmp_path, SCALE)
    assert whole(loaded(paths[0])) == whole(plain(style.change(poplar.graph(style.scaled(SCALE)))))
    assert len(paths) == 1 + style.beside
    check(tmp_path, style, paths)


@pytest.mark.parametrize("name", EXECUTIONS)
def test_an_execution_is_read_in_every_style(tmp_path: Path, name: str) -> None:
    style = EXECUTIONS[name]
    graph, run = style.write_pair(tmp_path, SCALE)
    assert whole(loaded(run)) == whole(plain(style.change(poplar.execution(style.scaled(SCALE)))))
    steps = one([graph, run]).steps
    assert steps is not None
    records = loaded(run)["simulation"]["steps"]
    assert steps.cycles.tolist() == [record.get("cycles", -1) for record in records]
    assert [steps.strings.get(name) for name in steps.name.tolist()] == [record.get("name", "") for record in records]
    check(tmp_path, style, [graph, run])


@pytest.mark.parametrize("name", PAIRS)
def test_a_pair_is_read_in_every_style(tmp_path: Path, name: str) -> None:
    check(tmp_path, PAIRS[name], PAIRS[name].write_both(tmp_path, SCALE))


def test_styles_vary_what_they_are_named_for(tmp_path: Path) -> None:
    def text(name: str) -> bytes:
        (tmp_path / name).mkdir()
        style = EXECUTIONS[name]
        return style.write_pair(tmp_path / name, SCALE)[1].read_bytes()

    compact, pretty, spaced = text("steps"), text("pretty"), text("spaced")
    assert pretty == json.dumps(json.loads(compact), indent=2).encode()
    assert spaced == json.dumps(json.loads(compact)).encode()
    assert len({step["name"] for step in json.loads(text("names"))["simulation"]["steps"]}) == pretty.count(b'"type"')
    assert len({tuple(step) for step in json.loads(text("order"))["simulation"]["steps"]}) > 20
    assert {type(value) for row in json.loads(text("floats"))["computeSetCyclesByTile"] for value in row} == {float}
    assert len(json.loads(text("tiles"))["computeSetCyclesByTile"][0]) == EXECUTIONS["tiles"].scale["tiles_per_ipu"]
