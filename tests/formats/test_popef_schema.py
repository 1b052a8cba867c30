"""The schema is the published table, the two encoders agree, and the header reader agrees with the library."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import capnp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import popef as format_
from app.formats.collect import Collector
from app.formats.errors import FormatError
from app.formats.popef.blobs import read_header
from app.formats.popef.decode import schema
from app.profile.profile import Profile
from generators import capnp_words, popef
from generators.memory_source import MemorySource

TABLE = {
    "BlobStart": (2, 1, {"version": "p0", "kind": "0+2", "size": "8+8"}),
    "OpaqueInfo": (0, 2, {"name": "p0", "executable": "p1"}),
    "ExecutableInfo": (1, 1, {"name": "p0", "uncompressedSize": "0+8"}),
    "TensorShape": (1, 1, {"shape": "p0", "elementKind": "0+2"}),
    "TensorPayload": (0, 2, {"name": "p0", "tensor": "p1"}),
    "FeedPayload": (1, 2, {"name": "p0", "tensor": "p1", "tensors": "0+4"}),
    "NamedValue": (0, 2, {"name": "p0", "value": "p1"}),
    "Flow": (0, 3, {"load": "p0", "main": "p1", "save": "p2"}),
    "NamedProgram": (1, 1, {"index": "0+4", "name": "p0"}),
    "AnchorInfo": (
        1,
        4,
        {
            "name": "p0",
            "programs": "p1",
            "handle": "p2",
            "tensor": "p3",
            "direction": "0+2",
            "isPerReplica": "bit 16",
            "useRemoteBuffers": "bit 17",
            "repeats": "4+4",
        },
    ),
    "ModelMetadata": (
        3,
        7,
        {
            "replicationFactor": "0+4",
            "ipus": "4+4",
            "processes": "8+4",
            "ipuVersion": "12+4",
            "isPod": "bit 128",
            "isInference": "bit 129",
            "deviceIterations": "20+4",
            "seedHandle": "p0",
            "anchors": "p1",
            "executable": "p2",
            "engineOptions": "p3",
            "deviceOptions": "p4",
            "flow": "p5",
            "programNames": "p6",
        },
    ),
}
"""Words of data, pointers, and where each field lies: pointer, byte + width, or bit of the data."""

WIDTHS = {"enum": 2, "uint16": 2, "uint32": 4, "uint64": 8, "int64": 8}


def _place(slot: Any) -> str:
    kind = slot.type.which()
    if kind in ("text", "list", "struct"):
        return f"p{slot.offset}"
    if kind == "bool":
        return f"bit {slot.offset}"
    return f"{slot.offset * WIDTHS[str(kind)]}+{WIDTHS[str(kind)]}"


@pytest.mark.parametrize("name", TABLE)
def test_every_field_lies_where_the_table_says(name: str) -> None:
    node = getattr(schema(), name).schema.node
    fields = {field.name: _place(field.slot) for field in node.struct.fields}
    assert (node.struct.dataWordCount, node.struct.pointerCount, fields) == TABLE[name]


def test_enumerations_count_as_the_table_says() -> None:
    loaded = schema()
    assert list(loaded.Direction.schema.enumerants) == ["unknown", "input", "output"]
    assert loaded.BlobKind.schema.enumerants == {
        "poplarExecutable": 0,
        "metadata": 1,
        "dataTensor": 2,
        "dataFeed": 3,
        "opaque": 4,
    }
    kinds = sorted(loaded.ElementKind.schema.enumerants.items(), key=lambda item: item[1])
    assert [kind.upper() for kind, _ in kinds[:13]] == list(popef.NAMES[:13])
    assert [number for _, number in kinds] == list(range(15))


def _by_library(model: popef.Model) -> bytes:
    """The metadata as the official builder lays them out."""
    message = schema().ModelMetadata.new_message(
        replicationFactor=model.replication, executable=str(model.executable), isInference=model.inference
    )
    anchors = message.init("anchors", len(model.anchors))
    for anchor, wanted in zip(anchors, model.anchors, strict=True):
        anchor.name, anchor.handle, anchor.direction = str(wanted.name), wanted.handle, wanted.type
        anchor.programs, anchor.repeats = list(wanted.programs), wanted.repeats
        anchor.tensor.shape, anchor.tensor.elementKind = list(wanted.shape), wanted.dtype
        anchor.isPerReplica, anchor.useRemoteBuffers = wanted.per_replica, wanted.remote
    content: bytes = message.to_bytes()
    return content


def _read(content: bytes) -> Profile:
    sink = Collector("popef")
    format_.FORMAT.read([MemorySource(content)], sink)
    return sink.profiles[0]


@pytest.mark.parametrize("count", [0, 1, 82, 83, 90, 2000])
def test_messages_of_the_official_builder_are_read(count: int) -> None:
    """Its first segment holds 1,024 words; what does not fit lies behind far pointers."""
    model = popef.many_anchors(count)
    message = _by_library(model)
    assert (struct.unpack_from("<I", message)[0] > 0) == (count > 80)
    profile = _read(popef.header(popef.METADATA, 48 + len(message)) + message)
    assert profile.issues == ()
    assert profile.model is not None
    anchors, texts = profile.model.anchors, profile.model.strings
    assert [texts.get(i) for i in anchors.name.tolist()] == [a.name for a in model.anchors]
    assert [tuple(anchors.shape.row(i).tolist()) for i in range(count)] == [tuple(a.shape) for a in model.anchors]
    assert anchors.per_replica.tolist() == [a.per_replica for a in model.anchors]


@pytest.mark.parametrize("room", [1, 2, 5, 64, 1024])
def test_the_library_reads_what_the_tests_encode(room: int) -> None:
    message = capnp_words.encode(popef.metadata_info(popef.guide_model()), room, grow=room > 5)
    with schema().ModelMetadata.from_bytes(message) as found:
        assert [anchor.name for anchor in found.anchors] == [
            "user_input",
            "input_parameter",
            "Add:0",
            "input_parameter",
        ]
        assert [option.value for option in found.engineOptions] == ["true", "true", "hostRearrangeOnly", "false"]
        assert list(found.flow.load) == [0, 1]
        assert found.programNames[9].name == "CustomProgramsStart"
        assert found.deviceIterations == 1


@settings(max_examples=60)
@given(st.integers(0, 4), st.integers(0, 2**64 - 1), st.text(max_size=40).filter(lambda t: "\0" not in t))
def test_headers_read_the_same_by_hand_and_by_the_library(kind: int, size: int, version: str) -> None:
    content = schema().BlobStart.new_message(version=version, kind=kind, size=size).to_bytes()
    header = read_header(MemorySource(content).read, 0, len(content))
    assert header == (kind, size, len(content), version)


@settings(max_examples=200)
@given(st.integers(8, 47), st.integers(0, 255))
def test_a_broken_header_is_refused_by_hand_where_the_library_refuses_it(at: int, value: int) -> None:
    content = bytearray(popef.header(2, 100))
    content[at] = value
    try:
        with schema().BlobStart.from_bytes(bytes(content)) as found:
            wanted = (found.kind.raw, found.size)
    except (capnp.KjException, ValueError):
        wanted = None
    try:
        header = read_header(MemorySource(bytes(content)).read, 0, len(content))
    except FormatError:
        header = None
    if header is not None:
        assert wanted == (header.type, header.size)
    elif wanted is not None:
        assert wanted[1] == 0, "the library may read nothing as zero; a blob of no size is none"


@pytest.mark.skipif(os.name == "nt", reason="a folder that somebody stands in cannot be deleted there")
def test_a_current_folder_that_was_deleted_does_not_end_the_process(root: Path, tmp_path: Path) -> None:
    path = popef.write(tmp_path / "model.popef", popef.guide_blobs())
    gone = tmp_path / "gone"
    gone.mkdir()
    script = "import os, sys; os.rmdir(os.getcwd()); from app.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-P", "-c", script, "info", str(path)]  # -P: as the program is started
    done = subprocess.run(
        command,
        cwd=gone,
        env=os.environ | {"PYTHONPATH": str(root), "PWD": str(gone)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "model.popef" in done.stdout
