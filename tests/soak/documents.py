"""The JSON and CBOR in files of every format, also inside blocks, records and events, and how to rebuild the files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, TypeAlias

import orjson
from msgspec.structs import replace

from generators import poplar, tensor_map, tensorflow_events
from generators.trees import plain
from soak import corpus
from soak.corpus import Case, Cbor, Json, Parts
from soak.growth import Growth
from soak.languages import CBOR, JSON, Language

HERE = "@@ here something else is put @@"

Way: TypeAlias = tuple[Any, ...]
"""Keys and indices from the root of a tree."""
Build: TypeAlias = Callable[[bytes], dict[str, bytes]]
"""Builds the files by name from the encoded tree."""


@dataclass(frozen=True, slots=True)
class Document:
    tree: Any
    language: Language
    build: Build

    def grown(self, way: Way, growth: Growth, size: int, random: Random) -> dict[str, bytes]:
        """The files with the value at ``way`` grown to about ``size`` bytes."""
        value, tree = at(self.tree, way), _with(self.tree, way, HERE)
        made = growth(value, size, random, self.language)
        return self.build(self.language.value(tree).replace(self.language.value(HERE), made, 1))


def places(tree: Any) -> list[Way]:
    """Paths to all kinds of values: of equal records in a list only the first."""
    kinds: dict[Way, Way] = {}
    for way in _ways(tree, ()):
        kinds.setdefault(tuple("*" if isinstance(step, int) else step for step in way), way)
    return list(kinds.values())


def _ways(tree: Any, way: Way) -> Iterator[Way]:
    yield way
    if isinstance(tree, dict):
        for key, part in tree.items():
            yield from _ways(part, (*way, key))
    elif isinstance(tree, list):
        for index, part in enumerate(tree[:40]):
            yield from _ways(part, (*way, index))


def at(tree: Any, way: Way) -> Any:
    """The value at that path."""
    for step in way:
        tree = tree[step]
    return tree


def _with(tree: Any, way: Way, value: Any) -> Any:
    if not way:
        return value
    made = dict(tree) if isinstance(tree, dict) else list(tree)
    made[way[0]] = _with(tree[way[0]], way[1:], value)
    return made


def documents(format_id: str) -> list[Document]:
    """All documents in the valid files of a format (its name in the corpus)."""
    if format_id == "tensorflow-events":
        return _events()
    return [made for case in corpus.cases(format_id) for made in _of_case(case)]


def _of_case(case: Case) -> Iterator[Document]:
    whole = {name: content.whole() for name, content in case.files.items()}
    for name, content in case.files.items():
        if isinstance(content, Json):
            yield Document(orjson.loads(content.content), JSON, partial(_one_file, whole, name))
        elif isinstance(content, Cbor):
            yield Document(content.tree(), CBOR, partial(_one_file, whole, name))
        elif isinstance(content, Parts):
            for number, part in enumerate(content.parts):
                if part[content.head : content.head + 1] in (b"{", b"["):
                    tree = orjson.loads(part[content.head :])
                    yield Document(tree, JSON, partial(_one_part, whole, name, content, number))


def _one_file(whole: Mapping[str, bytes], name: str, text: bytes) -> dict[str, bytes]:
    return {**whole, name: text}


def _one_part(whole: Mapping[str, bytes], name: str, content: Parts, number: int, text: bytes) -> dict[str, bytes]:
    parts = list(content.parts)
    parts[number] = parts[number][: content.head] + text
    return {**whole, name: replace(content, parts=tuple(parts)).whole()}


LAYOUTS: tuple[tensorflow_events.Layout, ...] = ("old", "new", "flat", "early")


def _events() -> list[Document]:
    """Reports, tensor maps and transfers inside events of all layouts, and reports in text logs."""
    scale = poplar.Scale(tiles_per_ipu=2, compute_sets=2, exchanges=1)
    trees = {
        "graph": plain(poplar.graph(scale)),
        "execution": plain(poplar.execution(scale)),
        "tensor_map": orjson.loads(tensor_map.tensor_map(tensor_map.network(2, machine=8))),
        "moved": orjson.loads(tensorflow_events.moved(("input", 4096), ("labels", 64))),
    }
    texts = {name: orjson.dumps(tree).decode() for name, tree in trees.items() if name != "moved"}
    made = []
    for name, tree in trees.items():
        made += [Document(tree, JSON, partial(_log, layout, texts, name)) for layout in LAYOUTS]
        if name != "tensor_map":
            made.append(Document(tree, JSON, partial(_text, texts, name)))
    return [*made, Document(trees["graph"], JSON, _sequence)]


def _run(texts: Mapping[str, str], name: str, text: bytes) -> list[tensorflow_events.Event]:
    made = text.decode("utf-8", "replace")
    contents = {**texts, name: made} if name != "moved" else texts
    events = tensorflow_events.run(
        graph=contents["graph"],
        execution=contents["execution"],
        tensor_map=contents["tensor_map"],
        ml_types={"Conv": 3},
    )
    if name == "moved":
        return [replace(event, moved=made) if event.moved else event for event in events[:5]]
    return events


def _log(layout: tensorflow_events.Layout, texts: Mapping[str, str], name: str, text: bytes) -> dict[str, bytes]:
    kinds = [tensorflow_events.COMPILE_BEGIN] if layout in ("flat", "early") else []
    events = [event for event in _run(texts, name, text) if event.type not in kinds]
    return {"events.out.tfevents.1559736000.host": tensorflow_events.log([events], layout)}


def _text(texts: Mapping[str, str], name: str, text: bytes) -> dict[str, bytes]:
    return {"events.txt": tensorflow_events.text(_run(texts, name, text)).encode()}


def _sequence(text: bytes) -> dict[str, bytes]:
    made = text.decode("utf-8", "replace")
    return {"compile.json": tensorflow_events.sequence([("cluster_1", made), ("cluster_2", made)]).encode()}
