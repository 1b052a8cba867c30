"""Both numberings of the inner messages, and the flat events before 2018-10."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from app.formats.tensorflow_events import FORMAT
from app.profile.tensorflow import (
    COMPILATION_REPORT,
    EXECUTION_REPORT,
    INSTRUCTION_INFO,
    LAYOUT_FLAT,
    LAYOUT_NEW,
    LAYOUT_OLD,
    LAYOUT_UNKNOWN,
    POPLAR_GRAPH,
    TENSOR_MAP,
    HostEvents,
)
from generators import ipu_messages, tensorflow_events
from generators.reading import profile_of
from generators.tensorflow_events import COMPILE_BEGIN, COMPILE_END, EXECUTE, LOAD_ENGINE, TO_DEVICE, Event

OLD = ipu_messages.message_class(ipu_messages.OLD, "old")
NEW = ipu_messages.message_class(ipu_messages.NEW, "new")
MAP = '{"mappings": {"c": [["add.0", 0, [4], "float", 0, 0, 4, [[0, 4]], ""]]}}'


def events_of(content: bytes) -> HostEvents:
    found = profile_of(FORMAT, content).host_events
    assert found is not None
    return found


def only(content: bytes) -> dict[str, Any]:
    """The figures of the single event in a file."""
    found = events_of(content)
    assert len(found) == 1
    return {
        "type": int(found.type[0]),
        "module": found.strings.get(int(found.module[0])),
        "layout": int(found.layout[0]),
        "duration": float(found.duration[0]),
        "roles": found.attached.role.tolist(),
        "sizes": found.attached.size.tolist(),
    }


def test_the_example_of_the_format_page() -> None:
    begin = bytes.fromhex("09000000000000F03F2A0B1209636C75737465725F31")
    assert begin == tensorflow_events.event(Event(COMPILE_BEGIN, 1.0))
    found = events_of(begin)
    assert found.time.tolist() == [1.0]
    assert (found.type.tolist(), found.ordinal.tolist()) == ([0], [0])
    execute = b"\x09" + struct.pack("<d", 2.0) + bytes.fromhex("18054A0F0A027B7D1A09636C75737465725F31")
    assert execute == tensorflow_events.event(Event(EXECUTE, 2.0, report="{}"))
    found = events_of(execute)
    assert found.attached.role.tolist() == [EXECUTION_REPORT]
    assert execute[int(found.attached.offset[0]) :][:2] == b"{}"


@pytest.mark.parametrize(("layout", "number"), [("old", LAYOUT_OLD), ("new", LAYOUT_NEW)])
def test_a_compilation_in_either_numbering(layout: Any, number: int) -> None:
    made = Event(COMPILE_END, 5.0, "m", 3, 1_500_000, "{}", tensor_map=MAP, instruction_info='{"ml_types": {"dot": 2}}')
    found = only(tensorflow_events.event(made, layout))
    assert (found["type"], found["module"], found["layout"], found["duration"]) == (COMPILE_END, "m", number, 1.5)
    roles = [COMPILATION_REPORT, TENSOR_MAP, INSTRUCTION_INFO]
    assert found["roles"] == (roles if layout == "old" else roles[1:])


@pytest.mark.parametrize(("kind", "number"), [(OLD, LAYOUT_OLD), (NEW, LAYOUT_NEW)], ids=["old", "new"])
def test_messages_of_the_protobuf_package(kind: Any, number: int) -> None:
    event = kind(timestamp=5.0, ordinal=-1, type=1)
    event.compile_end.duration = 250
    event.compile_end.module_name = b"m\xc3\xa4"
    event.compile_end.tensor_map = MAP.encode()
    found = only(event.SerializeToString())
    assert (found["module"], found["layout"], found["duration"]) == ("mä", number, 0.00025)
    assert found["sizes"] == [len(MAP)]
    event = kind(timestamp=5.0, type=5)
    event.execute.module_name = b"m"
    assert only(event.SerializeToString())["layout"] == number
    event = kind(timestamp=5.0, type=4)
    event.load_engine.module_name = b"m"
    found = only(event.SerializeToString())
    assert (found["type"], found["module"], found["layout"]) == (LOAD_ENGINE, "m", LAYOUT_UNKNOWN)


def test_the_graph_of_an_old_compilation_is_its_sixth_field() -> None:
    event = OLD(timestamp=5.0, type=1)
    event.compile_end.poplar_graph = b"\0\0\0\0\1\0\0\0" * 2
    found = only(event.SerializeToString())
    assert (found["layout"], found["roles"], found["sizes"]) == (LAYOUT_OLD, [POPLAR_GRAPH], [16])


def test_a_compilation_that_only_names_its_module_or_its_map() -> None:
    named = OLD(timestamp=5.0, type=1)
    named.compile_end.module_name = b"m"
    found = only(named.SerializeToString())
    assert (found["layout"], found["module"]) == (LAYOUT_OLD, "m")
    mapped = NEW(timestamp=5.0, type=1)
    mapped.compile_end.tensor_map = MAP.encode()
    found = only(mapped.SerializeToString())
    assert (found["layout"], found["roles"]) == (LAYOUT_NEW, [TENSOR_MAP])
    assert only(OLD(timestamp=5.0, type=1, compile_end=OLD().compile_end).SerializeToString())["layout"] == 0


def test_flat_events_are_known_by_their_fields() -> None:
    made = [
        Event(COMPILE_BEGIN, 1.0),
        Event(COMPILE_END, 2.0, duration=700, report="{}"),
        Event(TO_DEVICE, 3.0, moved=tensorflow_events.moved(("x", 8))),
        Event(EXECUTE, 4.0, report='{"simulation": 1}'),
    ]
    found = events_of(tensorflow_events.log([made], "flat"))
    assert found.layout.tolist() == [LAYOUT_FLAT] * 4
    assert found.type.tolist() == [COMPILE_BEGIN, COMPILE_END, TO_DEVICE, EXECUTE]
    assert found.attached.role.tolist() == [COMPILATION_REPORT, EXECUTION_REPORT]
    assert found.bytes.tolist() == [-1, -1, 8, -1]


def test_the_earliest_events_have_one_compile_for_begin_and_end() -> None:
    made = [
        Event(COMPILE_END, 2.0, duration=700, report="{}"),
        Event(LOAD_ENGINE, 2.5),
        Event(TO_DEVICE, 3.0, moved=tensorflow_events.moved(("x", 8))),
        Event(EXECUTE, 4.0, report="{}"),
    ]
    found = events_of(tensorflow_events.log([made], "early"))
    assert found.type.tolist() == [COMPILE_END, LOAD_ENGINE, TO_DEVICE, EXECUTE]
    assert found.attached.role.tolist() == [COMPILATION_REPORT, EXECUTION_REPORT]
    assert found.duration.tolist()[0] == 0.0007


def test_unknown_fields_and_types_are_passed_over() -> None:
    made = Event(EXECUTE, 1.0, report="{}", unknown=((20, "new"), (21, 5), (1000, 1.5)))
    assert only(tensorflow_events.records_of([tensorflow_events.event(made)]))["module"] == "cluster_1"
    later = b"\x09" + struct.pack("<d", 2.0) + b"\x18\x09" + b"\x52\x03abc"
    found = events_of(tensorflow_events.records_of([later]))
    assert found.type.tolist() == [9]
