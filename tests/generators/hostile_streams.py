"""Files whose bytes ask for far more memory or time than they are worth: JSON, CBOR, Poplar, tensor maps, event logs
and PopEF. Each is made for a size ``n`` and grows in proportion to it, so that n and 4n can be compared."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from app.formats.cbor.decode import head
from generators import popef
from generators.protobuf_wire import field
from generators.tensor_map import Tensor, tensor_map
from generators.tfrecord import record


@dataclass(frozen=True)
class Hostile:
    """``make(n)`` are the bytes of a file called ``name``; ``n`` is enough to tell a fault from good behaviour."""

    id: str
    name: str
    n: int
    make: Callable[[int], bytes]


ARRAY, MAP, TEXT = 4, 5, 3
OPEN_ARRAY, OPEN_MAP, BREAK = b"\x9f", b"\xbf", b"\xff"


def text(value: str) -> bytes:
    """A CBOR text."""
    raw = value.encode()
    return head(TEXT, len(raw)) + raw


def item(value: object) -> bytes:
    """Whole numbers, texts, lists and maps as CBOR of definite length."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return text(value)
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, dict):
        return head(MAP, len(value)) + b"".join(item(key) + item(part) for key, part in value.items())
    assert isinstance(value, Sequence)
    return head(ARRAY, len(value)) + b"".join(map(item, value))


def endless(items: bytes) -> bytes:
    """A CBOR array of indefinite length."""
    return OPEN_ARRAY + items + BREAK


def nested(path: str, value: str) -> bytes:
    """``value`` (JSON) below the keys of ``path``."""
    for key in reversed(path.split(".")):
        value = f"{{{json.dumps(key)}:{value}}}"
    return value.encode()


def nested_cbor(path: str, value: bytes) -> bytes:
    """``value`` (CBOR) below the keys of ``path``."""
    for key in reversed(path.split(".")):
        value = head(MAP, 1) + text(key) + value
    return value


def listed(value: str, n: int) -> str:
    """A JSON list of ``n`` times the same."""
    return f"[{','.join([value] * n)}]"


def _poplar(id_: str, path: str, n: int, value: Callable[[int], str], name: str = "graph.json") -> Hostile:
    return Hostile(id_, name, n, lambda size: nested(path, value(size)))


def _cbor(id_: str, path: str, n: int, value: Callable[[int], bytes], name: str = "graph.cbor") -> Hostile:
    return Hostile(id_, name, n, lambda size: nested_cbor(path, value(size)))


def _mixed(n: int) -> str:
    """A text as long as half of the file among as many numbers."""
    return f'["{"x" * n}",{",".join(["1"] * n)}]'


def _map_of(n: int, tensors: str) -> bytes:
    return f'{{"mappings":{_members(n, tensors, "c{}")}}}'.encode()


_LIVE = "memory.liveness.notAlwaysLive.byProgram"
_KIND = '{"memoryByInstruction":{"k0":1}}'
_LEAF = '{"bytes":1,"children":[]}'
_BARE = '["a",0,[],"f",0,0,0,[]]'
_BLOCK = b"-" * 70 + b"\n=> @ 2020-01-01 00:00:00: Execute: m\n{}\n"
_TENSOR = '["a",0,[4],"float",0,0,4,[[0,4]],""]'

_ONE_MAP = f'{{"c":[{_TENSOR}]}}'


def _map(tensors: str) -> bytes:
    return f'{{"mappings":{{"c":{tensors}}}}}'.encode()


def _shaped(n: int) -> str:
    return f'[["a",0,{listed("1", n)},"f",0,0,1,[],""]]'


def _mixed_tiles(n: int) -> str:
    return f'[["{"x" * n}",1],{listed("[1,1]", n)[1:]}'


def _tiles(inner: str) -> bytes:
    return f'{{"mappings":{{"c":[["a",0,[4],"float",0,0,4,{inner},""]]}}}}'.encode()


def _events(texts: Sequence[bytes]) -> bytes:
    """An event file whose one summary holds a tensor with these serialised events."""
    tensor = field(1, 7) + b"".join(field(8, one) for one in texts)
    value = field(1, b"ipu_trace") + field(8, tensor) + field(9, field(1, field(1, b"ipu")))
    return record(field(1, 1.6e9) + field(5, field(1, value)))


_TINY = '{"profilerMode":"x"}'

CASES: tuple[Hostile, ...] = (
    # texts among numbers
    _poplar("json-long-text-in-numbers", "target.relativeSyncDelayByTile", 60_000, _mixed),
    _poplar("json-long-text-in-tiles", "memory.byTile.total", 60_000, _mixed),
    _poplar("json-rows-of-texts", "computeSets.cycleEstimates.cyclesByTile", 60_000, lambda n: f"[{_mixed(n)}]"),
    _poplar("json-trace-of-texts", "programTrace", 60_000, _mixed, "execution.json"),
    _cbor(
        "cbor-long-text-in-numbers",
        "target.relativeSyncDelayByTile",
        60_000,
        lambda n: item(["x" * n, *[1] * n]),
    ),
    _cbor("cbor-long-text-in-tiles", "memory.byTile.total", 60_000, lambda n: item([*[70] * n, "x" * n])),
    Hostile(
        "map-long-text-in-tiles",
        "m.tensor_map.json",
        30_000,
        lambda n: _tiles(_mixed_tiles(n)),
    ),
    Hostile("map-named-long-text", "m.tensor_map.json", 10_000, lambda n: _named_tiles(n)),
    # empty things
    _poplar("json-empty-rows", "computeSets.vertexCounts", 300_000, lambda n: listed("[]", n)),
    _cbor("cbor-empty-rows", "computeSets.vertexCounts", 300_000, lambda n: item([[]] * n)),
    _cbor("cbor-empty-rows-endless", "computeSets.vertexCounts", 300_000, lambda n: endless(b"\x80" * n)),
    _cbor("cbor-endless-rows-endless", "computeSets.vertexCounts", 150_000, lambda n: endless(b"\x9f\xff" * n)),
    _poplar("json-empty-matrix", "computeSets.cycleEstimates.cyclesByTile", 300_000, lambda n: listed("[]", n)),
    _poplar("json-empty-programs", "programs", 300_000, lambda n: listed("{}", n)),
    _cbor("cbor-empty-programs", "programs", 300_000, lambda n: endless(b"\xa0" * n)),
    _poplar("json-empty-steps", "simulation.steps", 300_000, lambda n: listed("{}", n), "execution.json"),
    _cbor("cbor-empty-steps", "simulation.steps", 300_000, lambda n: item([{}] * n), "execution.cbor"),
    _cbor("cbor-endless-steps", "simulation.steps", 300_000, lambda n: endless(b"\xa0" * n), "execution.cbor"),
    _poplar("json-empty-lists-as-steps", "simulation.steps", 300_000, lambda n: listed("[]", n), "execution.json"),
    _poplar("json-numbers-as-steps", "simulation.steps", 300_000, lambda n: listed("1", n), "execution.json"),
    _poplar("json-empty-variables", "vars", 300_000, lambda n: listed("{}", n), "vars.json"),
    _poplar("json-empty-nodes", _LIVE, 300_000, lambda n: listed("{}", n)),
    _cbor("cbor-empty-nodes", _LIVE, 300_000, lambda n: endless(b"\xa0" * n)),
    _cbor("cbor-empty-lists-as-nodes", _LIVE, 300_000, lambda n: endless(b"\x80" * n)),
    _cbor(
        "cbor-empty-nodes-in-a-node", _LIVE, 300_000, lambda n: item([{"bytes": 1, "children": endless(b"\xa0" * n)}])
    ),
    _cbor("cbor-empty-lists-as-programs", "programs", 300_000, lambda n: endless(b"\x80" * n)),
    _cbor("cbor-empty-lists-as-steps", "simulation.steps", 300_000, lambda n: item([[]] * n), "execution.cbor"),
    _poplar("json-empty-names", "computeSets.names", 300_000, lambda n: listed('""', n)),
    _poplar("json-lists-as-names", "computeSets.names", 300_000, lambda n: listed("[]", n)),
    _cbor("cbor-empty-names", "computeSets.names", 1_000_000, lambda n: endless(b"\x60" * n)),
    _cbor("cbor-simple-names", "computeSets.names", 1_000_000, lambda n: item([item("")] * n)),
    _poplar("json-empty-tiles-of-target", "target.relativeSyncDelayByTile", 300_000, lambda n: listed("[]", n)),
    # indefinite lengths
    _cbor("cbor-endless-numbers", "programTrace", 1_000_000, lambda n: endless(b"\x01" * n), "execution.cbor"),
    _cbor("cbor-endless-large", "programTrace", 300_000, lambda n: endless(b"\x19\x01\x01" * n), "execution.cbor"),
    _cbor("cbor-endless-pieces", "profilerMode", 300_000, lambda n: b"\x7f" + b"\x61x" * n + BREAK, "execution.cbor"),
    _cbor("cbor-unknown-endless", "unknown", 300_000, lambda n: endless(b"\x9f\xff" * n), "execution.cbor"),
    # many keys
    Hostile("json-many-keys", "graph.json", 60_000, lambda n: _keys(n, "k{}", _TINY)),
    Hostile("json-same-key", "execution.json", 100_000, lambda n: _keys(n, "programTrace", _TINY, "[]")),
    Hostile("json-same-other-key", "graph.json", 100_000, lambda n: _keys(n, "target", "{}", '{"bytesPerTile":1}')),
    _poplar("json-many-optimisations", "optimizationInfo", 100_000, lambda n: _members(n, "1")),
    _poplar("json-many-tile-cycles", "simulation.tileCycles", 100_000, lambda n: _members(n, "1"), "execution.json"),
    _poplar(
        "json-many-wrong-tile-cycles", "simulation.tileCycles", 100_000, lambda n: _members(n, '""'), "execution.json"
    ),
    _poplar("json-many-categories", "memory.byCategory", 60_000, lambda n: _members(n, '{"total":[1]}')),
    _poplar("json-many-unknown-in-category", "memory.byCategory.c", 100_000, lambda n: _members(n, "1")),
    _poplar("json-many-instruction-kinds", "programs", 30_000, lambda n: f"[{_with_memory(n)}]"),
    _poplar(
        "json-instruction-tables",
        "programs",
        60_000,
        lambda n: f"[{_with_memory(60)},{listed(_KIND, n)[1:]}",
    ),
    _poplar("json-many-step-keys", "simulation.steps", 60_000, lambda n: f"[{_members(n, '1')}]", "execution.json"),
    Hostile("app-many-keys", "framework.json", 60_000, lambda n: _framework(_members(n, "1"))),
    Hostile("app-many-lists", "framework.json", 60_000, lambda n: _framework(listed("[{}]", n))),
    # big graphs of programs
    _poplar("programs-chain", "programs", 40_000, lambda n: _programs([*([k + 1] for k in range(n - 1)), []])),
    _poplar("programs-star", "programs", 60_000, lambda n: _programs([list(range(1, n)), *[[]] * (n - 1)])),
    _poplar("programs-same-child", "programs", 100_000, lambda n: _programs([[1] * n, []])),
    _poplar("programs-ladder", "programs", 20_000, lambda n: _programs([[i + 1, i + 1] for i in range(n - 1)] + [[]])),
    _poplar("programs-self", "programs", 40_000, lambda n: _programs([[number] for number in range(n)])),
    _poplar("programs-ring", "programs", 40_000, lambda n: _programs([[(number + 1) % n] for number in range(n)])),
    Hostile("programs-calls", "graph.json", 20_000, lambda n: _calls(n)),
    _poplar("programs-names", "programs", 20_000, lambda n: _programs([[]] * n, "a/" * 20)),
    Hostile(
        "programs-deep-name",
        "graph.json",
        30_000,
        lambda n: nested("programs", _deep_name(n)),
    ),
    # liveness
    _poplar(
        "nodes-chain",
        _LIVE,
        900,
        lambda n: _chain_of_nodes(n),
    ),
    _poplar(
        "nodes-flat",
        _LIVE,
        60_000,
        lambda n: listed(_LEAF, n),
    ),
    _poplar(
        "nodes-wide",
        _LIVE,
        60_000,
        lambda n: f"[{_parent(n)}]",
    ),
    # steps
    _poplar("steps-overlapping", "simulation.steps", 20_000, lambda n: _overlapping(n), "execution.json"),
    _poplar("steps-nested", "simulation.steps", 20_000, lambda n: _nested_steps(n), "execution.json"),
    _poplar("steps-types", "simulation.steps", 30_000, lambda n: _typed_steps(n), "execution.json"),
    _poplar("steps-names", "simulation.steps", 30_000, lambda n: _named_steps(n), "execution.json"),
    # tensor maps
    Hostile("map-computations", "m.tensor_map.json", 5_000, lambda n: _map_of(n, f"[{_TENSOR}]")),
    Hostile("map-empty-computations", "m.tensor_map.json", 20_000, lambda n: _map_of(n, "[]")),
    Hostile("map-wrong-computations", "m.tensor_map.json", 20_000, lambda n: _map_of(n, "1")),
    Hostile(
        "map-empty-tensors",
        "m.tensor_map.json",
        100_000,
        lambda n: _map(listed("[]", n)),
    ),
    Hostile("map-tensors", "m.tensor_map.json", 10_000, lambda n: _map(listed(_TENSOR, n))),
    Hostile("map-no-tiles", "m.tensor_map.json", 20_000, lambda n: _map(listed(_BARE, n))),
    Hostile(
        "map-shapes",
        "m.tensor_map.json",
        300_000,
        lambda n: _map(_shaped(n)),
    ),
    Hostile("map-empty-tiles", "m.tensor_map.json", 300_000, lambda n: _tiles(listed("[]", n))),
    Hostile("map-tiles", "m.tensor_map.json", 100_000, lambda n: _tiles(listed("[1,1]", n))),
    Hostile("map-far-tiles", "m.tensor_map.json", 1_000, lambda n: _far(n)),
    Hostile("map-names", "m.tensor_map.json", 10_000, lambda n: _map_names(n)),
    Hostile("map-same-mappings", "m.tensor_map.json", 10_000, lambda n: _keys(n, "mappings", "{}", _ONE_MAP)),
    # logs
    Hostile("log-reports", "compile.json", 20_000, lambda n: b"".join(f"m{k}\n{_TINY}\n".encode() for k in range(n))),
    Hostile("log-same-module", "compile.json", 20_000, lambda n: f"m\n{_TINY}\n".encode() * n),
    Hostile("log-empty-reports", "compile.json", 40_000, lambda n: b'm\n{"a":1}\n' + b"m\n{}\n" * n),
    Hostile("log-other-reports", "compile.json", 40_000, lambda n: b'm\n{"a":1}\n' * n),
    Hostile("log-different-reports", "compile.json", 20_000, lambda n: _small_reports(n)),
    Hostile(
        "log-text-blocks",
        "trace.txt",
        20_000,
        lambda n: _BLOCK * n,
    ),
    Hostile("log-tiny-events", "events.out.tfevents.1", 20_000, lambda n: _events([field(1, 1.6e9)] * n)),
    Hostile("log-bad-events", "events.out.tfevents.1", 20_000, lambda n: _events([b"\x08\x01"] * n)),
    Hostile(
        "log-one-place", "events.out.tfevents.1", 20_000, lambda n: _events([_execute(b"m%d" % k) for k in range(n)])
    ),
    Hostile("log-devices", "events.out.tfevents.1", 20_000, lambda n: _events([_transfer(k) for k in range(n)])),
    Hostile("log-begins", "events.out.tfevents.1", 20_000, lambda n: _events([_begin(b"m%d" % k) for k in range(n)])),
    Hostile("log-overlaps", "events.out.tfevents.1", 10_000, lambda n: _events([_compiled(k) for k in range(n)])),
    Hostile("log-tensors", "events.out.tfevents.1", 100_000, lambda n: _events([_moved(listed("{}", n))])),
    Hostile("log-named-tensors", "events.out.tfevents.1", 20_000, lambda n: _events([_moved(_tensors(n))])),
    Hostile("log-records", "events.out.tfevents.1", 20_000, lambda n: record(field(1, 1.6e9)) * n),
    # PopEF
    Hostile("popef-blobs", "m.popef", 5_000, lambda n: popef.opaque("a", "1", b"") * n),
    Hostile("popef-unknown", "m.popef", 5_000, lambda n: popef.header(77, len(popef.header(77, 0))) * n),
    Hostile("popef-broken", "m.popef", 5_000, lambda n: _broken_blob() * n),
    Hostile("popef-same-anchors", "m.popef", 5_000, lambda n: _anchors([popef.Anchor("a")] * n, 1)),
    Hostile("popef-anchors-and-data", "m.popef", 3_000, lambda n: _anchors(_named_anchors(n), n)),
    Hostile("popef-many-programs", "m.popef", 100_000, lambda n: _anchors([popef.Anchor("a", programs=range(n))], 1)),
    Hostile("popef-long-shape", "m.popef", 100_000, lambda n: _anchors([popef.Anchor("a", shape=[1] * n)], 1)),
    Hostile("popef-flow", "m.popef", 100_000, lambda n: _model(flow=(range(n), range(n), range(n)))),
    Hostile("popef-options", "m.popef", 20_000, lambda n: _model(engine=[("a", "b")] * n)),
    Hostile(
        "popef-program-names",
        "m.popef",
        20_000,
        lambda n: _model(programs=[(k, "p") for k in range(n)]),
    ),
    Hostile("popef-models", "m.popef", 2_000, lambda n: _model(anchors=[popef.Anchor("a")]) * n),
    Hostile("log-maps", "events.out.tfevents.1", 5_000, lambda n: _events([_mapped(k) for k in range(n)])),
)


def _small_reports(n: int) -> bytes:
    """Reports that differ, each with a key that reveals its kind."""
    return b"".join(b'm%d\n{"memory":{"byTile":%d}}\n' % (number, number) for number in range(n))


def _anchors(anchors: Sequence[popef.Anchor], data: int) -> bytes:
    blobs = [popef.metadata(popef.Model(anchors=anchors)), popef.executable("1", b"")]
    return b"".join([*blobs, *(popef.tensor(f"a{k}", (2,), 3) for k in range(data))])


def _named_tiles(n: int) -> bytes:
    tile = '{"tile_id":1,"num_elements":1,"num_intervals":1}'
    first = f'{{"tile_id":"{"x" * n}","num_elements":1}}'
    return f'{{"mappings":{{"c":[{{"inst_name":"a","tiles":[{first},{listed(tile, n)[1:]}}}]}}}}'.encode()


def _with_memory(kinds: int) -> str:
    return f'{{"memoryByInstruction":{_members(kinds, "1")}}}'


def _deep_name(n: int) -> str:
    return f'[{{"type":"Sequence","name":"{"a/" * n}"}}]'


def _chain_of_nodes(n: int) -> str:
    return '[{"bytes":1,"children":' * n + "[]" + "}]" * n


def _parent(n: int) -> str:
    return f'{{"bytes":1,"children":{listed(_LEAF, n)}}}'


def _broken_blob() -> bytes:
    return popef.header(4, len(popef.header(4, 0)) + 8) + bytes(8)


def _named_anchors(n: int) -> list[popef.Anchor]:
    return [popef.Anchor(f"a{number}") for number in range(n)]


def _model(**parts: Any) -> bytes:
    return popef.metadata(popef.Model(**parts))


def _members(n: int, value: str, key: str = "k{}") -> str:
    return "{" + ",".join(f"{json.dumps(key.format(number))}:{value}" for number in range(n)) + "}"


def _keys(n: int, key: str, last: str, value: str = "1") -> bytes:
    """An object with ``n`` members beside one that says what it is."""
    return (_members(n, value, key)[:-1] + f',"profilerMode":{last}}}').encode()


def _framework(value: str) -> bytes:
    return f'{{"TensorFlow":{{"a":{value}}},"System Information":{{}}}}'.encode()


def _programs(children: Sequence[Sequence[int]], name: str = "") -> str:
    return json.dumps([{"type": "Sequence", "name": f"{name}{k}", "children": row} for k, row in enumerate(children)])


def _calls(n: int) -> bytes:
    programs = [{"type": "Call", "target": number + 1, "children": []} for number in range(n - 1)]
    tree = {"programs": [*programs, {"type": "Sync"}], "functionPrograms": list(range(n)), "controlPrograms": [0]}
    return json.dumps(tree).encode()


def _overlapping(n: int) -> str:
    return json.dumps([{"type": "DoExchange", "cyclesFrom": k, "cyclesTo": 2 * n + k} for k in range(n)])


def _nested_steps(n: int) -> str:
    return json.dumps([{"type": "DoExchange", "cyclesFrom": k, "cyclesTo": 4 * n - k} for k in range(n)])


def _typed_steps(n: int) -> str:
    return json.dumps([{"type": f"t{k}", "cyclesFrom": k, "cyclesTo": k + 1} for k in range(n)])


def _named_steps(n: int) -> str:
    return json.dumps([{"type": "DoExchange", "name": f"a/b{k}", "cyclesFrom": k, "cyclesTo": k + 1} for k in range(n)])


def _far(n: int) -> bytes:
    return tensor_map({f"c{k}": [Tensor(f"a{k}", [((1 << 21) - 1, 1)])] for k in range(n)}).encode()


def _map_names(n: int) -> bytes:
    return tensor_map({"c": [Tensor(f"a{k}", [(k % 1000, 1)], name=f"layer/{k}") for k in range(n)]}).encode()


def _execute(module: bytes) -> bytes:
    return field(1, 1.6e9) + field(3, 5) + field(9, field(2, module))


def _begin(module: bytes) -> bytes:
    return field(1, 1.6e9) + field(5, field(2, module))


def _compiled(number: int) -> bytes:
    """Compilations of one module that overlap more and more."""
    inner = field(1, 10_000_000 + number) + field(2, b"m")
    return field(1, 1.6e9 + number / 1e4) + field(3, 1) + field(6, inner)


def _transfer(device: int) -> bytes:
    moved = field(7, field(1, b'{"total_size":4}'))
    return field(1, 1.6e9) + field(2, device) + field(3, 2) + moved


def _moved(tensors: str) -> bytes:
    return field(1, 1.6e9) + field(3, 2) + field(7, field(1, f'{{"tensors":{tensors}}}'.encode()))


def _tensors(n: int) -> str:
    return json.dumps([{"name": f"t{k}", "size": 4} for k in range(n)])


def _mapped(number: int) -> bytes:
    inner = field(1, 5) + field(2, b"m%d" % number) + field(3, _map_of(1, f"[{_TENSOR}]"))
    return field(1, 1.6e9 + number) + field(3, 1) + field(6, inner)
