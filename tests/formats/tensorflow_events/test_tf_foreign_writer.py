"""Event files that tensorboardX wrote, with what other people log in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.formats.collect import read
from app.formats.registry import sniff
from app.profile.tensorflow import HostEvents
from generators import ipu_messages

tensorboardx = pytest.importorskip("tensorboardX", reason="tensorboardX is a development dependency")

from tensorboardX import summary as summaries  # noqa: E402
from tensorboardX.event_file_writer import EventsWriter  # noqa: E402
from tensorboardX.proto.event_pb2 import Event, SessionLog  # noqa: E402
from tensorboardX.proto.summary_pb2 import Summary, SummaryMetadata  # noqa: E402
from tensorboardX.proto.tensor_pb2 import TensorProto  # noqa: E402
from tensorboardX.proto.types_pb2 import DT_FLOAT, DT_STRING  # noqa: E402

OLD = ipu_messages.message_class(ipu_messages.OLD, "writer_old")
NEW = ipu_messages.message_class(ipu_messages.NEW, "writer_new")


def metadata(plugin: str) -> Any:
    return SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name=plugin))


def ipu_value(events: list[Any], tag: str = "report/ipu_trace") -> Any:
    texts = [event.SerializeToString() for event in events]
    return Summary.Value(
        tag=tag, node_name=tag, tensor=TensorProto(dtype=DT_STRING, string_val=texts), metadata=metadata("ipu")
    )


def compiled(kind: Any, module: str, at: float) -> list[Any]:
    begin, end = kind(timestamp=at), kind(timestamp=at + 1.25, type=1)
    begin.compile_begin.module_name = module.encode()
    end.compile_end.module_name = module.encode()
    end.compile_end.duration = 1_250_000
    end.compile_end.tensor_map = b'{"mappings": null}'
    run = kind(timestamp=at + 2, type=5)
    run.execute.module_name = module.encode()
    return [begin, end, run]


def written(folder: Path, events: list[Any]) -> Path:
    writer = EventsWriter(str(folder / "events"))
    for number, event in enumerate(events):
        event.wall_time = 1_559_736_000.0 + number
        writer.write_event(event)
    writer.close()
    (path,) = folder.iterdir()
    return path


def opened(path: Path) -> HostEvents:
    known = sniff(path)
    assert known.id == "tensorflow-events"
    (profile,) = read(known, [path])
    assert profile.issues == ()
    assert profile.host_events is not None
    return profile.host_events


@pytest.mark.parametrize("kind", [OLD, NEW], ids=["old", "new"])
def test_ipu_events_between_scalars_graphs_and_histograms(tmp_path: Path, kind: Any) -> None:
    numbers = np.random.RandomState(1).rand(50)
    image = Summary.Value(tag="picture", image=Summary.Image(height=8, width=8, encoded_image_string=b"PNG"))
    events = [
        Event(graph_def=b"\x0a\x04node" * 100),
        Event(step=1, summary=summaries.scalar("loss", 0.5)),
        Event(step=1, summary=Summary(value=[ipu_value(compiled(kind, "cluster_1", 100.0))])),
        Event(step=2, summary=summaries.histogram("weights", numbers, "auto")),
        Event(step=2, summary=Summary(value=[image])),
        Event(step=2, summary=summaries.text("note", "hello")),
        Event(
            step=7,
            summary=Summary(
                value=[
                    Summary.Value(tag="loss", simple_value=0.25),
                    ipu_value(compiled(kind, "cluster_2", 200.0)),
                    Summary.Value(tag="t", tensor=TensorProto(dtype=DT_FLOAT), metadata=metadata("pr_curves")),
                ]
            ),
        ),
        Event(session_log=SessionLog(status=1)),
    ]
    path = written(tmp_path, events)
    found = opened(path)
    assert found.type.tolist() == [0, 1, 5] * 2
    assert found.step.tolist() == [1] * 3 + [7] * 3
    assert found.time.tolist() == [100.0, 101.25, 102.0, 200.0, 201.25, 202.0]
    assert np.nansum(found.duration) == 2.5
    assert [found.strings.get(i) for i in found.module.tolist()] == ["cluster_1"] * 3 + ["cluster_2"] * 3
    skipped = dict(zip(found.skipped_names, found.skipped_counts, strict=True))
    assert skipped == {
        "graphs": 1,
        "scalars": 2,
        "histograms": 1,
        "images": 1,
        "text": 1,
        "pr_curves": 1,
        "session logs": 1,
    }


def test_a_live_file_can_be_read_at_any_moment(tmp_path: Path) -> None:
    path = written(
        tmp_path, [Event(step=n, summary=Summary(value=[ipu_value(compiled(OLD, "m", 5.0))])) for n in range(3)]
    )
    whole = path.read_bytes()
    known = sniff(path)
    counts, unfinished = set(), 0
    for cut in range(40, len(whole), 7):
        path.write_bytes(whole[:cut])
        (profile,) = read(known, [path])
        assert profile.host_events is not None
        counts.add(len(profile.host_events))
        assert all(issue.severity in ("info", "warning") for issue in profile.issues)
        unfinished += any("incomplete record" in issue.text for issue in profile.issues)
    assert counts == {0, 3, 6}
    assert unfinished >= len(range(40, len(whole), 7)) - 3  # a cut may fall between two records
