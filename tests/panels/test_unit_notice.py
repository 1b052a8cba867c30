"""What stands above the timeline about the unit of its times."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from app.analysis.chosen_unit import with_unit
from app.panels.timeline.notices import button_text, notice
from app.profile.ascend import Operator
from app.profile.file_state import ChosenUnit
from app.profile.profile import Origin, Profile, Target
from app.profile.task_time import task_time
from app.profile.timeline import Basis, TimeUnit
from generators.timelines import timeline


def profile(unit: TimeUnit, seconds: float | None, basis: Basis) -> Profile:
    line = timeline([("p", "t", [[(986.0, 4273.0, "a", "")]])], unit=unit, seconds_per_unit=seconds)
    operator = Operator(name="add", type="vector", stored_type="vector", soc="", duration_us=1.8)
    return Profile(
        name="add",
        origin=Origin("ascend-report", (Path("a.rep"),)),
        timeline=replace(line, basis=basis),
        operator=operator,
        target=Target(kind="Ascend", clock_hz=1.65e9),
    )


WORDS = profile("cycles", None, "words")


@pytest.mark.parametrize(
    ("shown", "button", "drawn"),
    [
        (WORDS, "cycles", "4,273 cycles (2.59 µs at 1,650 MHz)"),
        (profile("µs", 1e-6, "trace"), "µs", "4.27 ms"),
        (with_unit(WORDS, ChosenUnit("ns")), "ns, set manually", "4.27 µs"),
        (with_unit(WORDS, ChosenUnit("cycles", 1e9)), "cycles at 1,000 MHz, set manually", "4,273 cycles (4.27 µs)"),
        (profile("s", 1.0, "format"), "", "4,273 s"),
    ],
)
def test_both_lengths_and_the_unit_are_named(shown: Profile, button: str, drawn: str) -> None:
    length = task_time(shown.timeline, shown.operator, shown.target)
    assert length is not None
    assert length.longer
    assert (
        notice(length, shown)
        == f"The timeline covers {drawn}, but the operator took 1.80 µs: another run, or times in another unit"
    )
    assert button_text(shown.timeline) == button
    assert button_text(None) == ""
