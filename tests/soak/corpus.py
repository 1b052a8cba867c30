"""Small valid files of every format, to be damaged: plain bytes, trees, or framed parts."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Protocol

import cbor2
import google_crc32c
import orjson
from msgspec import Struct

from generators import (
    aie_trace,
    ascend_bin,
    ascend_capture,
    ascend_database,
    ascend_metrics,
    ascend_report,
    ascend_smallest,
    ascend_trace,
    device_trace,
    memory_plan,
    popef,
    poplar,
    poplar_beside,
    poplar_replicas,
    pypto,
    tensor_map,
    tensorflow_events,
    tenstorrent,
    torch_trace,
)
from generators.ascend_details import Shape
from soak import raw, trees
from soak.reports import Csv, Pack

DEEP = 300


class Content(Protocol):
    """The content of a file, which can be damaged at the level of its structure."""

    def whole(self) -> bytes:
        """The undamaged bytes."""

    def damaged(self, random: Random) -> bytes:
        """The bytes with damage inside; the frame mostly stays intact."""


class Bytes(Struct, frozen=True):
    content: bytes

    def whole(self) -> bytes:
        return self.content

    def damaged(self, random: Random) -> bytes:
        return raw.damaged(self.content, random)


class Json(Struct, frozen=True):
    content: bytes

    def whole(self) -> bytes:
        return self.content

    def damaged(self, random: Random) -> bytes:
        return trees.text_of(trees.damaged(orjson.loads(self.content), random), random)


class Cbor(Struct, frozen=True):
    content: bytes

    def tree(self) -> Any:
        """The content as dictionaries and lists; tagged values, such as whole reports, are decoded to immutable
        mappings."""
        return _thawed(cbor2.loads(self.content))

    def whole(self) -> bytes:
        return self.content

    def damaged(self, random: Random) -> bytes:
        tree = trees.damaged(self.tree(), random)
        if trees.depth(tree) > DEEP:  # the library's encoder would crash the process
            at = random.randrange(len(self.content))
            return self.content[:at] + random.choice((b"\x81", b"\x9f", b"\xa1\x00")) * 5000 + self.content[at:]
        try:
            return cbor2.dumps(tree)
        except (cbor2.CBOREncodeError, UnicodeEncodeError):
            return raw.damaged(self.content, random)


def _thawed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _thawed(part) for key, part in value.items()}
    return [_thawed(part) for part in value] if isinstance(value, list | tuple) else value


class Parts(Struct, frozen=True):
    """Pieces that ``frame`` concatenates; damage swaps, repeats or drops some, or changes one."""

    parts: tuple[bytes, ...]
    frame: Callable[[bytes], bytes] = bytes
    head: int = 0
    """Bytes of a part before content that may be JSON."""

    def whole(self) -> bytes:
        return b"".join(map(self.frame, self.parts))

    def damaged(self, random: Random) -> bytes:
        parts = list(self.parts)
        place = random.randrange(len(parts))
        match random.choice(("inside", "inside", "inside", "inside", "lost", "again", "swapped", "mixed")):
            case "inside":
                parts[place] = self._inside(parts[place], random)
            case "lost":
                del parts[place]
            case "again":
                parts[place:place] = [random.choice(parts)] * random.choice((1, 2, 30))
            case "swapped":
                other = random.randrange(len(parts))
                parts[place], parts[other] = parts[other], parts[place]
            case _:
                other = random.randrange(len(parts))
                parts[place] = parts[place][: self.head] + parts[other][self.head :]
        return b"".join(map(self.frame, parts))

    def _inside(self, part: bytes, random: Random) -> bytes:
        head, body = part[: self.head], part[self.head :]
        if body[:1] in (b"{", b"[") and random.random() < 0.7:
            return head + Json(body).damaged(random)
        return raw.damaged(part, random)


class Case(Struct, frozen=True):
    """Files that are opened together, by name."""

    files: Mapping[str, Content]


def damaged(case: Case, random: Random) -> dict[str, bytes]:
    """The files with one (sometimes two) of them damaged, in structure, as bytes, or both."""
    made = {name: content.whole() for name, content in case.files.items()}
    for name in random.sample(sorted(made), min(len(made), random.choice((1, 1, 1, 2)))):
        way = random.random()
        if way < 0.65:
            made[name] = case.files[name].damaged(random)
        if way > 0.55:
            made[name] = raw.damaged(made[name], random)
    if len(made) > 1 and random.random() < 0.05:
        del made[random.choice(sorted(made))]
    return made


def cases(name: str) -> list[Case]:
    """The valid cases of a format (its id in the registry). Raises KeyError for an unknown one."""
    return list(MAKERS[name]())


def _ascend_bin() -> list[Case]:
    device = ascend_bin.block(0x04, ascend_bin.device_instructions()) + ascend_bin.small(2)
    many = [ascend_smallest.smallest(), device, *(ascend_bin.small(number) for number in (1, 2, 3))]
    many.append(b"".join(ascend_bin.detail_blocks(Shape(generation=3, seed=5, blocks=2, type="cube"))))
    return [Case({"operator.bin": _blocks(content)}) for content in many]


def _blocks(content: bytes) -> Parts:
    """Each part begins with its type, and the path of a source."""
    parts, at = [], 0
    while at < len(content):
        size, kind, padding, _, _ = ascend_bin.HEADER.unpack_from(content, at)
        begin = at + ascend_bin.HEADER.size
        end = begin + (PATH_BYTES if kind == 1 else 0) + size
        parts.append(bytes([kind]) + content[begin : end - padding])
        at = end
    return Parts(tuple(parts), _block, 1)


PATH_BYTES = 4096


def _block(part: bytes) -> bytes:
    kind, body = part[:1], part[1:]
    path = PATH_BYTES if kind == b"\x01" else 0
    room = max(0, len(body) - path)
    padding = -room % 4
    return ascend_bin.HEADER.pack(room + padding, *(kind or b"\x05"), padding, 0x5A, 0x5A) + body + bytes(padding)


def _ascend_trace() -> list[Case]:
    small = orjson.dumps(ascend_smallest.trace())
    made = b"".join(ascend_trace.chunks(150, 1))
    listed = orjson.dumps(orjson.loads(made)["traceEvents"])
    others = [torch_trace.text(torch_trace.events(3, seed)) for seed in range(3)]
    others += [device_trace.text(device_trace.pipe_states(30)), device_trace.text(device_trace.everything(30))]
    others.append(orjson.dumps(aie_trace.events(aie_trace.Traced(rounds=3))))
    return [Case({"trace.json": Json(content)}) for content in (small, made, listed, *others)]


def _ascend_report() -> list[Case]:
    files = ascend_report.device_files()
    several = ascend_report.nested({"op1": files, "op2": files})
    tables = {name: Csv(content) for name, content in ascend_metrics.Metrics("mix").files().items()}
    cores = ascend_report.simulator_files(1)
    executed = {name.rsplit("/", 1)[1]: Bytes(content) for name, content in cores.items() if name.endswith(".csv")}
    untitled = Bytes(b"block_id,sub_block_id,,aiv_time(us)\n0,vector0,7,0.5\n")
    folder = {name: _of_report(name, content) for name, content in {**files, **cores}.items()}
    return [
        *(Case({"report.rep": Pack(files, variant)}) for variant in ascend_report.VARIANTS),
        Case({"report.rep": Bytes(several)}),
        Case({**tables, **executed, "L2Cache.csv": untitled}),
        Case({f"OPPROF_20260821101500_ABCDEFGHIJKLMNOP/{name}": content for name, content in folder.items()}),
    ]


def _of_report(name: str, content: bytes) -> Content:
    if name.endswith(".csv") and b'"' not in content:
        return Csv(content)
    return Json(content) if name.endswith(".json") else Bytes(content)


def _ascend_capture() -> list[Case]:
    run = ascend_capture.Run(steps=1, kernels=4)
    torch_npu, msprof = ascend_capture.torch_npu(run, 0), ascend_capture.msprof(run, 0, 2)
    return [
        Case({f"run/{name}": _of_capture(name, content) for name, content in ascend_capture.files(run).items()}),
        Case({f"one_ascend_pt/{name}": _of_capture(name, content) for name, content in torch_npu.items()}),
        Case({f"PROF_000001/{name}": _of_capture(name, content) for name, content in msprof.items()}),
        Case({"kernel_details.csv": Bytes(ascend_capture.kernel_details(run, 0))}),
        Case({"one_ascend_pt/ascend_pytorch_profiler_0.db": Bytes(ascend_database.small())}),
        Case({name: _of_capture(name, content) for name, content in ascend_capture.cluster(run).items()}),
    ]


def _pypto() -> list[Case]:
    run = {name: _of_capture(name, content) for name, content in pypto.files(pypto.Run(heads=2, tiles=2)).items()}
    framework = {"tilefwk_prof_data.json": Json(pypto.framework(pypto.Run(heads=1, tiles=2)))}
    return [Case(run), *(Case({name: content}) for name, content in run.items()), Case(framework)]


def _of_capture(name: str, content: bytes) -> Content:
    if name.endswith(".json"):
        return Json(content)
    return Bytes(content) if b'"' in content else Csv(content)


def _tenstorrent() -> list[Case]:
    run = tenstorrent.Run(columns=(1, 2), rows=(1, 2), operations=2, idle=1)
    log, timings = tenstorrent.device_log(run)
    two = tenstorrent.device_log(tenstorrent.Run(columns=(1,), rows=(1, 2), operations=2, devices=2, idle=1))[0]
    table, trace = tenstorrent.operations_table(run, timings), tenstorrent.noc_trace(run)
    with tempfile.TemporaryDirectory() as name:
        reports = [
            tenstorrent.report(Path(name) / f"{pages}.sqlite", run, pages=pages).read_bytes() for pages in (True, False)
        ]
    together: dict[str, Content] = {
        "cap/profile_log_device.csv": Bytes(log),
        "cap/ops_perf_results.csv": Csv(table),
        "cap/noc_trace_dev0_Matmul_ID1024.json": Json(trace),
        "cap/db.sqlite": Bytes(reports[0]),
    }
    return [
        Case(together),
        Case({"profile_log_device.csv": Bytes(two)}),
        Case({"ops_perf_results.csv": Csv(table)}),
        Case({"noc_trace.json": Json(trace)}),
        Case({"npe.json": Json(tenstorrent.simulated(run))}),
        *(Case({"db.sqlite": Bytes(content)}) for content in reports),
    ]


def _memory_info() -> list[Case]:
    plans = [memory_plan.plan(12), memory_plan.plan(3, scopes=3)]
    return [
        *(Case({"memory_info.json": Json(orjson.dumps(plan))}) for plan in plans),
        Case(
            {"memory_info_aic.json": Json(orjson.dumps(plans[0])), "memory_info_aiv.json": Json(orjson.dumps(plans[1]))}
        ),
    ]


def _poplar() -> list[Case]:
    scales = [
        poplar.Scale(tiles_per_ipu=4, compute_sets=5, exchanges=4, loops=2, estimates=True, live_variables="ids"),
        *(poplar.Scale(mode=mode, tiles_per_ipu=3, compute_sets=4, exchanges=2) for mode in poplar.MODES[3:]),
        poplar.Scale(
            ipus=2, tiles_per_ipu=3, compute_sets=4, replicas=2, named_liveness=True, live_variables="records"
        ),
    ]
    made = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for scale in scales:
            pair = poplar.write_pair(folder, scale)
            made.append(Case({path.name: Json(path.read_bytes()) for path in pair}))
            whole = poplar.write(folder / "profile.json", poplar.combined(scale))
            made.append(Case({"profile.json": Json(whole.read_bytes())}))
        beside = folder / "beside"
        beside.mkdir()
        files = {path.name: path.read_bytes() for path in poplar_beside.write_all(beside)}
        companions = {
            path: Json(content) if path.endswith("json") else Bytes(content) for path, content in files.items()
        }
        made.append(Case({**made[0].files, **companions}))
        replicas = poplar_replicas.write(folder, poplar_replicas.Replicas()).read_bytes()
        made.append(Case({"graph.json": Json(replicas)}))
    return made


def _poplar_cbor() -> list[Case]:
    scales = [
        poplar.Scale(tiles_per_ipu=4, compute_sets=5, exchanges=4, loops=2, estimates=True, live_variables="arrays"),
        poplar.Scale(mode="VERTICES", tiles_per_ipu=3, compute_sets=4, exchanges=2),
    ]
    made = []
    with tempfile.TemporaryDirectory() as name:
        for scale in scales:
            pair = poplar.write_pair(Path(name), scale, ".cbor")
            made.append(Case({path.name: Cbor(path.read_bytes()) for path in pair}))
            whole = poplar.write(Path(name) / "profile.cbor", poplar.combined(scale))
            made.append(Case({"profile.cbor": Cbor(whole.read_bytes())}))
    return made


def _popef() -> list[Case]:
    many = [
        popef.guide_blobs(),
        popef.many_anchor_blobs(12),
        popef.many_anchor_blobs(12, popef.Style(segment_words=8, extra_words=2)),
        popef.guide_blobs(popef.Style(version=None, extra_words=-1)),
    ]
    alone = [Case({"model.popef": Parts(tuple(blobs))}) for blobs in many]
    metadata, data = many[0][-1:], many[0][:-1]
    return [*alone, Case({"a.popef": Parts(tuple(metadata)), "b.popef": Parts(tuple(data))})]


def _tensorflow() -> list[Case]:
    graph, execution = (
        orjson.dumps(tree).decode()
        for tree in (
            _plain(poplar.graph(poplar.Scale(tiles_per_ipu=2, compute_sets=2, exchanges=1))),
            _plain(poplar.execution(poplar.Scale(tiles_per_ipu=2, compute_sets=2, exchanges=1))),
        )
    )
    mapped = tensor_map.tensor_map(tensor_map.network(2, machine=8))
    steps = [
        tensorflow_events.run(graph=graph, execution=execution, tensor_map=mapped, ml_types={"Conv": 3}),
        tensorflow_events.run("cluster_2", tensorflow_events.BEGAN + 9, ordinal=1, executions=12, every=4),
    ]
    made = []
    flat = [[event for event in step if event.type != tensorflow_events.COMPILE_BEGIN] for step in steps]
    layouts: list[tuple[tensorflow_events.Layout, list[list[tensorflow_events.Event]]]] = [
        ("old", steps),
        ("new", steps),
        ("flat", flat),
        ("early", flat),
    ]
    for layout, events in layouts:
        content = tensorflow_events.log(events, layout)
        made.append(Case({"events.out.tfevents.1559736000.host": _records(content)}))
    text = tensorflow_events.text(steps[1]).encode()
    sequence = tensorflow_events.sequence([("cluster_1", graph), ("cluster_2", graph)]).encode()
    single = tensorflow_events.event(steps[0][1], "new")
    return [
        *made,
        Case({"events.txt": Bytes(text)}),
        Case({"compile.json": Bytes(sequence)}),
        Case({"event.pb": Bytes(single)}),
    ]


def _plain(tree: Any) -> Any:
    from generators.trees import plain

    return plain(tree)


def _records(content: bytes) -> Parts:
    parts, at = [], 0
    while at < len(content):
        (length,) = struct.unpack_from("<Q", content, at)
        parts.append(content[at + 12 : at + 12 + length])
        at += 16 + length
    return Parts(tuple(parts), _record)


def _record(data: bytes) -> bytes:
    """A record with correct checksums; otherwise they would detect nearly all damage."""
    length = struct.pack("<Q", len(data))
    return length + _masked(length) + data + _masked(data)


def _masked(data: bytes) -> bytes:
    crc = google_crc32c.value(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def _tensor_map() -> list[Case]:
    texts = [tensor_map.tensor_map(tensor_map.network(2, machine=12), generation) for generation in (1, 2, 3, 4)]
    return [Case({"tensor_map.json": Json(text.encode())}) for text in texts]


MAKERS: dict[str, Callable[[], Sequence[Case]]] = {
    "ascend-bin": _ascend_bin,
    "ascend-capture": _ascend_capture,
    "pypto": _pypto,
    "ascend-trace": _ascend_trace,
    "ascend-memory-info": _memory_info,
    "ascend-report": _ascend_report,
    "poplar": _poplar,
    "poplar-cbor": _poplar_cbor,
    "popef": _popef,
    "tensorflow-events": _tensorflow,
    "tensor-map": _tensor_map,
    "tenstorrent": _tenstorrent,
}
