"""PopEF files as profiles: what the guide prints, what other writers do, and that payloads stay where they are."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.formats import popef as format_
from app.formats.collect import Collector
from app.formats.errors import Cancelled
from app.formats.events import Event, Progress
from app.formats.source import Source
from app.profile.popef import Blobs, Model, data_type
from app.profile.profile import Profile
from generators import popef, popef_network
from generators.memory_source import MemorySource, SparseSource

WORKED_EXAMPLE = """
    0000000005000000 0000000002000100 0200000000000000 8000000000000000
    0100000012000000 3100000000000000 0000000008000000 0000000000000200
    0500000082000000 0800000001000100 696e7075745f7061 72616d6574657200
    0300000000000000 010000000d000000 0200000000000000 0000803f00000040
"""
"""A tensor blob, word by word, as worked out beside the table of fields (checked with the official runtime)."""


def read(*sources: Source) -> Profile:
    sink = Collector("popef")
    format_.FORMAT.read(sources, sink)
    (profile,) = sink.profiles
    return profile


def opened(blobs: Sequence[bytes], name: str = "a.popef") -> Profile:
    return read(MemorySource(b"".join(blobs), name))


def parts(profile: Profile) -> tuple[Blobs, Model]:
    assert profile.blobs is not None
    assert profile.model is not None
    return profile.blobs, profile.model


def names(model: Model, ids: Sequence[int]) -> list[str]:
    return [model.strings.get(i) for i in ids]


def guide(profile: Profile) -> None:
    """What the listings of the PopEF user guide (2.6) print, field by field."""
    _, model = parts(profile)
    anchors, metadata = model.anchors, model.metadata
    assert names(model, anchors.name.tolist()) == ["user_input", "input_parameter", "Add:0", "input_parameter"]
    assert names(model, anchors.handle.tolist()) == [
        "h2d_user_input",
        "h2d_input_parameter",
        "anchor_d2h_Add:0",
        "weight_d2h_input_parameter",
    ]
    assert [anchors.programs.row(a).tolist() for a in range(4)] == [[5], [0], [5], [7]]
    assert [anchors.shape.row(a).tolist() for a in range(4)] == [[2]] * 4
    assert [data_type(n) for n in anchors.data_type.tolist()] == ["F32"] * 4
    assert anchors.type.tolist() == [1, 1, 2, 2]
    assert anchors.per_replica.tolist() == [True, False, True, False]
    assert anchors.remote_buffer.tolist() == [False] * 4
    assert len(metadata) == 1
    columns = ("ipu_version", "replication_factor", "ipus", "processes", "device_iterations", "inference", "pod")
    assert [getattr(metadata, column)[0] for column in columns] == [2, 1, 1, 1, 1, True, False]
    assert names(model, [metadata.seed_handle[0], metadata.executable[0]]) == ["", "3284579348837926701"]
    assert [flow.row(0).tolist() for flow in (metadata.load, metadata.main, metadata.save)] == [[0, 1], [5], [7]]
    assert dict(zip(model.programs.index.tolist(), names(model, model.programs.name.tolist()), strict=True)) == {
        0: "WeightsFromHost",
        1: "OptimizerFromHost",
        2: "RandomSeedFromHost",
        3: "RandomSeedToHost",
        4: "RngStateFromHost",
        5: "Program",
        6: "RngStateToHost",
        7: "WeightsToHost",
        8: "CycleCountTensorToHost",
        9: "CustomProgramsStart",
    }
    options = zip(names(model, model.options.name.tolist()), names(model, model.options.value.tolist()), strict=True)
    assert dict(options) == {
        "debug.retainDebugInformation": "true",
        "exchange.enablePrefetch": "true",
        "exchange.streamBufferOverlap": "hostRearrangeOnly",
        "target.deterministicWorkers": "false",
    }
    assert not model.options.device.any()
    assert names(model, model.executables.name.tolist()) == ["3284579348837926701"]
    assert not model.executables.compressed.any()
    assert names(model, [model.opaques.name[0], model.opaques.executable[0]]) == ["popart", "3284579348837926701"]
    assert model.strings.get(int(model.tensors.name[0])) == "input_parameter"


def test_the_guides_model_is_read_as_the_guide_prints_it() -> None:
    profile = opened(popef.guide_blobs())
    guide(profile)
    assert profile.issues == ()
    blobs, _ = parts(profile)
    assert blobs.type.tolist() == [1, 0, 4, 2]
    assert blobs.payload_size.tolist() == [0, 22, 16, 8]


def test_the_synthetic_sample_is_read_as_its_makers_describe_it(shared_samples: Path) -> None:
    path = shared_samples / "popef-docs-example.synthetic.popef"
    with Source(path) as source:
        profile = read(source)
    guide(profile)
    blobs, model = parts(profile)
    assert profile.issues == ()
    assert profile.name == path.name
    assert path.stat().st_size == 1822
    assert blobs.offset.tolist() == [0, 1272, 1414, 1542, 1670]
    assert (blobs.offset + blobs.size).tolist() == [1272, 1414, 1542, 1670, 1822]
    assert [blobs.strings.get(i) for i in blobs.version.tolist()] == ["1"] * 5
    assert model.tensors.feed.tolist() == [False, True]
    assert model.tensors.count.tolist() == [1, 3]


def test_the_worked_example_is_what_the_generator_writes_and_the_reader_reads() -> None:
    content = bytes.fromhex(WORKED_EXAMPLE)
    assert popef.tensor("input_parameter", (2,), 3, struct.pack("<2f", 1, 2)) == content
    blobs, model = parts(opened([content]))
    assert [blobs.size[0], blobs.header_size[0], blobs.info_size[0], blobs.payload_size[0]] == [128, 48, 72, 8]
    assert blobs.payload(0) == (120, 8)
    assert model.tensors.shape.row(0).tolist() == [2]
    assert data_type(int(model.tensors.data_type[0])) == "F32"


@pytest.mark.parametrize(
    "style",
    [
        popef.Style(segment_words=1, grow=False),
        popef.Style(segment_words=7),
        popef.Style(extra_words=3),
        popef.Style(extra_words=2, padding=b"\xff" * 8),
        popef.Style(version=""),
        popef.Style(version=None),
        popef.Style(version="a longer version text of a writer to come"),
    ],
    ids=["a segment a word", "segments that grow", "newer", "newer, set", "empty", "no version", "long version"],
)
def test_writers_of_other_habits_say_the_same(style: popef.Style) -> None:
    profile = opened(popef.guide_blobs(style))
    guide(profile)
    assert profile.issues == ()
    blobs, _ = parts(profile)
    version = style.version or ""
    assert [blobs.strings.get(i) for i in blobs.version.tolist()] == [version] * 4


def test_an_older_writer_leaves_nothing_where_its_fields_end() -> None:
    model = popef.Model(anchors=[popef.Anchor("x")], iterations=8, inference=True, ipu_version=2, replication=4)
    profile = opened([popef.metadata(model, popef.Style(extra_words=-1)), popef.executable("1", b"")])
    _, read_model = parts(profile)
    assert profile.issues == ()
    assert read_model.metadata.replication_factor.tolist() == [4]
    assert read_model.metadata.ipu_version.tolist() == [2]
    assert read_model.metadata.device_iterations.tolist() == [0]
    assert read_model.metadata.inference.tolist() == [False]
    feed_blob = popef.feed("f", (2,), 3, 3, b"", popef.Style(extra_words=-1))
    assert parts(opened([feed_blob]))[1].tensors.count.tolist() == [0]


def test_many_anchors_in_many_segments_all_come_through() -> None:
    wanted = popef.many_anchors(2000)
    profile = opened(popef.many_anchor_blobs(2000))
    blobs, model = parts(profile)
    assert profile.issues == ()
    assert (blobs.offset[1:] % 8 != 0).any()  # odd payloads: headers lie unaligned
    anchors = model.anchors
    assert names(model, anchors.name.tolist()) == [a.name for a in wanted.anchors]
    assert names(model, anchors.handle.tolist()) == [a.handle for a in wanted.anchors]
    assert [tuple(anchors.shape.row(i).tolist()) for i in range(2000)] == [tuple(a.shape) for a in wanted.anchors]
    assert anchors.repeats.tolist() == [a.repeats for a in wanted.anchors]
    assert anchors.type.tolist() == [a.type for a in wanted.anchors]
    assert anchors.data_type.tolist() == [a.dtype for a in wanted.anchors]
    assert anchors.per_replica.tolist() == [a.per_replica for a in wanted.anchors]
    assert anchors.remote_buffer.tolist() == [a.remote for a in wanted.anchors]
    assert len(model.tensors) == 500


def test_several_models_in_one_file_keep_their_parts_apart() -> None:
    second = popef.Model(
        executable="2",
        anchors=[popef.Anchor("y", popef.OUTPUT)],
        device=[("ipuLinkDomainSize", "4")],
        flow=((3,), (), ()),
        programs=[(3, "Other")],
        pod=True,
        processes=2,
    )
    profile = opened([*popef.guide_blobs(), popef.metadata(second), popef.executable("2", b"x")])
    _, model = parts(profile)
    assert model.metadata.blob.tolist() == [0, 4]
    assert model.metadata.pod.tolist() == [False, True]
    assert model.anchors.metadata.tolist() == [0, 0, 0, 0, 1]
    assert model.options.metadata.tolist() == [0, 0, 0, 0, 1]
    assert model.options.device.tolist() == [False, False, False, False, True]
    assert model.programs.metadata.tolist() == [0] * 10 + [1]
    assert [model.metadata.load.row(m).tolist() for m in (0, 1)] == [[0, 1], [3]]


def test_several_files_are_one_profile_with_every_blob_in_its_file() -> None:
    blobs = popef.guide_blobs()
    profile = read(MemorySource(b"".join(blobs[:3]), "f/executable.popef"), MemorySource(blobs[3], "f/variables.popef"))
    table, _ = parts(profile)
    assert table.file.tolist() == [0, 0, 0, 1]
    assert table.offset.tolist()[3] == 0
    assert profile.name == "f"
    assert profile.issues == ()


def test_compressed_executables_tell_their_size() -> None:
    sizes = (181_337, 2**64 - 1, 2**63)
    _, model = parts(opened([popef.executable(str(size), b"x", uncompressed=size) for size in sizes]))
    assert model.executables.compressed.tolist() == [True, False, True]
    assert model.executables.uncompressed_size.tolist() == [181_337, -1, -1]


def test_what_no_known_version_has_is_kept_by_its_number() -> None:
    odd = popef.Anchor("x", type=77, dtype=99)
    profile = opened([popef.metadata(popef.Model(anchors=[odd])), popef.header(9, 64) + bytes(16)])
    blobs, model = parts(profile)
    assert model.anchors.type.tolist() == [77]
    assert data_type(int(model.anchors.data_type[0])) == "unknown (99)"
    assert blobs.type.tolist() == [1, 9]
    assert blobs.info_size.tolist()[1] == blobs.payload_size.tolist()[1] == -1
    assert [issue.text for issue in profile.issues] == ["unknown (9) is an unknown blob type; the blob is ignored"]


def test_texts_that_are_not_utf_8_are_shown_escaped() -> None:
    style = popef.Style(version=b"v\xff")
    blobs, model = parts(opened([popef.tensor(b"caf\xe9", (1,), 6, style=style), popef.executable("caf\u00e9", b"")]))
    assert model.strings.get(int(model.tensors.name[0])) == "caf\\xe9"
    assert model.strings.get(int(model.executables.name[0])) == "caf\u00e9"
    assert blobs.strings.get(int(blobs.version[0])) == "v\\xff"


def test_payloads_are_never_read() -> None:
    source = MemorySource(b"".join(popef_network.blobs()), "net.popef")
    profile = read(source)
    blobs, _ = parts(profile)
    payloads = [range(start, start + size) for start, size in map(blobs.payload, range(len(blobs)))]
    for offset, length in source.reads:
        assert not any(offset < area.stop and area.start < offset + length for area in payloads)


def test_ten_gigabytes_cost_their_headers_only() -> None:
    tensors, payload = 100, 100_000_000
    at, files = 0, {}
    for number in range(tensors):
        info = popef.tensor(f"t{number}", (payload // 4,), 3, b"")[48:]
        head = popef.header(popef.TENSOR, 48 + len(info) + payload) + info
        files[at] = head
        at += len(head) + payload
    anchors = [popef.Anchor(f"t{number}", shape=(payload // 4,)) for number in range(tensors)]
    files[at] = popef.metadata(popef.Model(anchors=anchors)) + popef.executable("1", b"x")
    source = SparseSource(at + len(files[at]), files)
    blobs, model = parts(read(source))
    assert source.size > 10_000_000_000
    assert len(blobs) == 102
    assert len(model.tensors) == tensors
    assert set(blobs.payload_size[:tensors].tolist()) == {payload}
    assert sum(length for _, length in source.reads) < 100_000
    assert not format_.FORMAT.heavy([source])


def test_reading_can_be_taken_back_between_anchors() -> None:
    calls: list[Progress] = []

    def stop(event: Event) -> None:
        if isinstance(event, Progress):
            calls.append(event)
        if len(calls) > 3:
            raise Cancelled

    source = MemorySource(popef.metadata(popef.many_anchors(5000)))
    with pytest.raises(Cancelled):
        format_.FORMAT.read([source], stop)
    assert all(call.total == source.size and call.done <= call.total for call in calls)


def test_many_blobs_or_long_metadata_are_heavy() -> None:
    small = popef.opaque("a", "b", b"")
    assert not format_.FORMAT.heavy([MemorySource(small * 1999)])
    assert format_.FORMAT.heavy([MemorySource(small * 2000)])
    metadata = popef.metadata(popef.many_anchors(8000))
    assert len(metadata) > 1024 * 1024
    assert format_.FORMAT.heavy([MemorySource(metadata)])
    assert not format_.FORMAT.heavy([MemorySource(b"\xff" * 100)])
