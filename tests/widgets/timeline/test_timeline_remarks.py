"""What the timeline says about states of pipes, marks, counters and processes without a name."""

from __future__ import annotations

from pathlib import Path

from app.formats.ascend_trace import FORMAT
from app.formats.collect import read
from app.formats.pypto import FORMAT as PYPTO
from app.views.look import Look
from app.views.timeline.legend_entries import entries
from app.views.timeline.model import Model
from app.views.timeline.scene import GUTTER, GUTTER_LONG, Place
from app.views.timeline.state import Shown
from app.widgets.timeline.words import MOVES, about_band, about_slice
from generators import device_trace, pypto
from generators.reading import profile_of
from generators.timelines import timeline


def shown_of(events: list[device_trace.Event]) -> Shown:
    made = profile_of(FORMAT, device_trace.text(events)).timeline
    assert made is not None
    return Shown(Model.of(made), Look(), Place(1200, 800))


def test_a_pipe_state_says_which_pipes_are_busy_from_then_on() -> None:
    place = {"pid": 2, "tid": 1250, "ph": "X", "cat": "PIPE_STATE", "dur": 1}
    shown = shown_of([{"name": f"marker_{mask}", "ts": 100 + mask, **place} for mask in (0, 17, 34)])
    said = {shown.model.name(index): about_slice(shown, index).splitlines() for index in range(3)}
    assert "pipes busy from here on: none" in said["marker_0"]
    assert "pipes busy from here on: SCALAR, MTE2" in said["marker_17"]
    assert "pipes busy from here on: VECTOR, MTE3" in said["marker_34"]
    heading, lane = shown.layout.bands
    assert about_band(shown, heading).splitlines()[0] == "Process 2: 1 lane"
    assert about_band(shown, lane).splitlines() == [
        "2 / 1250 (pipe states)",
        "3 instants",
        "times at which a pipe of this core becomes busy or idle",
    ]


def test_a_slice_that_is_only_named_like_a_state_says_nothing_of_pipes() -> None:
    shown = shown_of([{"name": "marker_17", "pid": "host", "tid": "main", "ph": "X", "ts": 0, "dur": 9}])
    assert not any("pipes busy" in line for line in about_slice(shown, 0).splitlines())


def test_busy_slices_have_the_colours_of_their_pipes_and_all_marks_one() -> None:
    shown = shown_of(device_trace.pipe_states(60))
    assert {entry.label for entry in entries(shown.model, shown.model.colours, shown.shades, shown.look)} >= {
        "SCALAR",
        "MTE2",
        "VECTOR",
        "MTE3",
    }
    shown = shown_of(device_trace.pipe_trace(60))
    labels = [entry.label for entry in entries(shown.model, shown.model.colours, shown.shades, shown.look)]
    assert "MarkStamp" in labels
    assert not any(label.startswith("MarkStamp") and label != "MarkStamp" for label in labels)


def test_lanes_that_are_no_work_say_what_they_are() -> None:
    shown = shown_of(device_trace.everything(30))
    said = {
        shown.model.thread(band.index): about_band(shown, band).splitlines()[2:3]
        for band in shown.layout.bands
        if band.kind == "lane"
    }
    assert said["VECTOR (regions)"] == ["ranges that the program marks; not counted as work of the pipe"]
    assert said["MTE2 (marks)"] == ["points in time that the program marks"]
    assert "not documented" in said["SCALAR (trace points)"][0]
    assert "TRACE_START to TRACE_STOP" in said["USERMARK"][0]
    assert said["VECTOR"] == [MOVES]


def test_long_names_of_lanes_get_more_room() -> None:
    for thread, gutter in (("t", GUTTER), ("AIV0/PIPE_MTE2/status", 247), ("x" * 90, GUTTER_LONG)):
        shown = Shown(Model.of(timeline([("p", thread, [[(0.0, 1.0, "s", "")]])])), Look(), Place(1200, 800))
        shown.lanes.resize(1200, 800)
        assert shown.place.gutter == gutter


def test_a_counter_of_ready_tasks_has_a_short_name_and_says_what_it_counts(tmp_path: Path) -> None:
    (run,) = read(PYPTO, sorted(pypto.write(tmp_path)))
    assert run.timeline is not None
    shown = Shown(Model.of(run.timeline), Look(), Place(1200, 800))
    bands = [band for band in shown.layout.bands if band.kind == "counter"]
    said = [about_band(shown, band).splitlines() for band in bands]
    assert {lines[0] for lines in said} == {"running blocks", "ready tasks"}
    assert {lines[0] for lines in said if len(lines) == 3 and lines[2].startswith("tasks whose dependencies")} == {
        "ready tasks"
    }
