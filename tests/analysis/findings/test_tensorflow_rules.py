"""Rules about TensorFlow logs report what was planted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.analysis.findings import outcomes
from app.analysis.findings.finding import Finding
from app.analysis.findings.thresholds import DEFAULT, Thresholds
from app.formats.collect import read
from app.formats.tensorflow_events import FORMAT
from app.profile.issue import Issue
from app.profile.profile import Profile
from generators.tensorflow_events import BEGAN, COMPILE_BEGIN, COMPILE_END, EXECUTE, TO_DEVICE, Event, log, run


def logged(folder: Path, events: Iterable[Event]) -> Profile:
    path = folder / "events.out.tfevents.1559736000.host"
    path.write_bytes(log([events]))
    (profile,) = read(FORMAT, [path])
    return profile


def said(profile: Profile, rule: str, thresholds: Thresholds = DEFAULT) -> tuple[Finding, ...]:
    (outcome,) = (outcome for outcome in outcomes(profile, thresholds) if outcome.rule.id == rule)
    assert not outcome.why
    return outcome.findings


def test_a_module_that_is_compiled_again(tmp_path: Path) -> None:
    once, twice = run(), [*run(), *run(at=BEGAN + 60)]
    assert said(logged(tmp_path, once), "tensorflow.recompilation") == ()
    (finding,) = said(logged(tmp_path, twice), "tensorflow.recompilation")
    assert [(evidence.key, evidence.value) for evidence in finding.evidence] == [("cluster_1", 2)]
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(2.5)


def compiled(*spans: tuple[str, float, float]) -> list[Event]:
    """Compilations of (module, begin, seconds)."""
    made = []
    for module, begin, seconds in spans:
        made.append(Event(COMPILE_BEGIN, BEGAN + begin, module))
        made.append(Event(COMPILE_END, BEGAN + begin + seconds, module, duration=round(seconds * 1e6)))
    return made


@pytest.mark.parametrize(
    ("spans", "repeated"),
    [
        ([("a", 0, 1), ("a", 10, 10), ("a", 30, 10)], 20),
        ([("a", 0, 10), ("a", 20, 1), ("a", 30, 1)], 2),
        ([("a", 0, 4), ("b", 0, 4), ("a", 10, 4), ("b", 10, 4)], 4),
    ],
)
def test_only_the_first_compilation_of_a_module_is_needed(
    tmp_path: Path, spans: list[tuple[str, float, float]], repeated: float
) -> None:
    (finding,) = said(logged(tmp_path, compiled(*spans)), "tensorflow.recompilation")
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(repeated)


def test_compiling_takes_much_of_the_time(tmp_path: Path) -> None:
    profile = logged(tmp_path, run(executions=3))
    (finding,) = said(profile, "tensorflow.compiling")
    assert finding.evidence[0].value == pytest.approx(2.5)
    assert said(profile, "tensorflow.compiling", Thresholds(compiling=99.5)) == ()


def test_compilations_at_the_same_time_count_once(tmp_path: Path) -> None:
    (finding,) = said(logged(tmp_path, [*run(), *run("other", ordinal=1)]), "tensorflow.compiling")
    assert finding.evidence[0].value == pytest.approx(2.5)


def test_a_pause_between_executions(tmp_path: Path) -> None:
    even = [Event(EXECUTE, BEGAN + 0.1 * number) for number in range(20)]
    late = [Event(EXECUTE, event.time + (3.0 if number > 9 else 0.0)) for number, event in enumerate(even)]
    assert said(logged(tmp_path, even), "tensorflow.idle") == ()
    (finding,) = said(logged(tmp_path, late), "tensorflow.idle")
    assert finding.evidence[0].value == pytest.approx(3.1)
    assert finding.evidence[0].selection is not None
    assert finding.evidence[0].selection.indices == (10,)
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(3.0)
    assert finding.confidence == "estimated"


def test_errors_and_contradictions_of_the_files(tmp_path: Path) -> None:
    profile = logged(tmp_path, run())
    assert said(profile, "file.doubts") == ()
    doubtful = replace(profile, issues=(Issue("warning", "a", "b"), Issue("info", "c", "d")))
    (finding,) = said(doubtful, "file.doubts")
    assert finding.severity == "warning"
    assert [(evidence.key, evidence.value) for evidence in finding.evidence] == [("a", "b")]
    (finding,) = said(doubtful.with_issue(Issue("error", "e", "f")), "file.doubts")
    assert finding.severity == "error"


def test_executions_that_wait_for_input(tmp_path: Path) -> None:
    def trains(pause: float) -> list[Event]:
        made = []
        for number in range(8):
            begin = BEGAN + number * (0.1 + pause)
            made += [Event(TO_DEVICE, begin), Event(EXECUTE, begin + 0.09)]
        return made

    assert said(logged(tmp_path, trains(0.0)), "tensorflow.input-bound") == ()
    (finding,) = said(logged(tmp_path, trains(0.4)), "tensorflow.input-bound")
    assert finding.confidence == "estimated"
    assert finding.evidence[0].value == pytest.approx(0.41)
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(7 * 0.41)
    none = [event for event in trains(0.4) if event.type == EXECUTE]
    (outcome,) = (one for one in outcomes(logged(tmp_path, none)) if one.rule.id == "tensorflow.input-bound")
    assert "no timed transfers to the device" in outcome.why
