"""Waves of blocks on the cores of a chip: how many, how full the last one is, and the least that they could take."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from app.analysis.ascend.launch import NotChecked, Waves, facts, waves
from app.analysis.figures import figures
from app.analysis.tables import by_id
from app.analysis.verdicts.lines import expert_lines
from app.formats.ascend_bin import FORMAT
from app.formats.collect import read
from app.profile.ascend import Operator
from app.profile.profile import Profile
from app.views.look import Look
from app.views.sentences import sentence
from generators.ascend_bin import block
from generators.reading import profile_of


def launched(durations: list[float], *, soc: str = "Ascend910B4", kind: str = "cube", **more: Any) -> Profile:
    """A file with these block durations."""
    rows = [{"value": [str(place), kind, f"{length:.6f}"]} for place, length in enumerate(durations)]
    base = {
        "name": "op",
        "op_type": kind,
        "soc": soc,
        "block_dim": str(len(durations)),
        "duration": sum(durations) + 1,
        "block_detail": {"head_name": ["Block ID", "Core Type", "Duration (μs)"], "row": rows},
        **more,
    }
    return profile_of(FORMAT, block(5, orjson.dumps(base)))


def operator(profile: Profile) -> Operator:
    assert profile.operator is not None
    return profile.operator


def test_24_blocks_on_20_cores_run_in_two_waves() -> None:
    lengths = [10.0 + 0.25 * place for place in range(24)]
    found = waves(operator(launched(lengths)))
    assert isinstance(found, Waves)
    assert (found.blocks, found.cores, found.count, found.last) == (24, 20, 2, 4)
    assert found.packing is not None
    assert found.packing.perfect == pytest.approx(max(max(lengths), sum(lengths) / 20))
    assert found.packing.perfect == pytest.approx(15.75)  # the longest of them; 309 / 20 is 15.45
    even = waves(operator(launched([10.0] * 24)))
    assert isinstance(even, Waves)
    assert even.packing is not None
    assert even.packing.perfect == pytest.approx(12)


@pytest.mark.parametrize(
    ("blocks", "soc", "kind", "cores"),
    [
        (1, "Ascend910B1", "mix", 24),
        (20, "Ascend910B4", "cube", 20),
        (21, "Ascend910B4", "cube", 20),
        (40, "Ascend910B4", "vector", 40),
        (41, "Ascend910B4", "vector", 40),
        (200, "Ascend910_9599", "mix", 36),
    ],
)
def test_every_core_takes_one_block_at_a_time(blocks: int, soc: str, kind: str, cores: int) -> None:
    found = waves(operator(launched([5.0] * blocks, soc=soc, kind=kind)))
    assert isinstance(found, Waves)
    left, count = blocks, 0
    while left > cores:
        left, count = left - cores, count + 1
    assert (found.cores, found.count, found.last) == (cores, count + 1, left)


@pytest.mark.parametrize(
    ("more", "code", "why"),
    [
        ({"soc": "Ascend310P3"}, "unknown-chip", "the number of cores of Ascend310P3 is unknown"),
        ({"soc": ""}, "no-chip", "the file does not name the chip"),
        ({"kind": "strange"}, "unknown-type", "the kind of cores for an operator of type “strange” is unknown"),
        ({"block_dim": "0"}, "no-block-count", "the file does not state how many blocks were launched"),
    ],
)
def test_what_is_not_known_is_not_checked(more: dict[str, Any], code: str, why: str) -> None:
    profile = launched([5.0] * 24, **more)
    assert waves(operator(profile)) == NotChecked(code, why)
    (fact,) = [fact for fact in facts(operator(profile)) if fact.label == "Waves"]
    assert fact.value == f"not checked: {why}"
    told = {figure.name: figure for figure in figures(profile)}
    assert told["operator.waves_not_checked"].value == code
    assert told["operator.waves_not_checked"].display == f"not checked: {why}"
    assert "operator.waves" not in told


def test_waves_without_durations_have_no_packing() -> None:
    profile = launched([5.0] * 24, block_dim="30")
    found = waves(operator(profile))
    assert isinstance(found, Waves)
    assert (found.packing, found.no_packing) == (None, "the file has durations for only 24 of 30 blocks")
    doubtful = waves(operator(launched([5.0] * 24, duration=1.0)))
    assert isinstance(doubtful, Waves)
    assert (doubtful.packing, doubtful.no_packing) == (None, "the unit of the block durations is doubtful")


def test_a_block_is_as_long_as_its_longest_sub_block(shared_samples: Path) -> None:
    (profile,) = read(FORMAT, [shared_samples / "ascend-mix-910B4.bin"])
    found = waves(operator(profile))
    assert isinstance(found, Waves)
    assert (found.blocks, found.cores, found.core_word, found.count, found.last) == (2, 20, "AI cores", 1, 2)
    assert found.packing is not None
    assert found.packing.work == pytest.approx(250.377579 + 250.884842)
    assert found.packing.perfect == 250.884842
    (vector,) = read(FORMAT, [shared_samples / "ascend-vector-2024-05.bin"])
    told = waves(operator(vector))
    assert isinstance(told, Waves)
    assert (told.blocks, told.cores, told.core_word, told.count, told.last) == (32, 40, "vector cores", 1, 32)
    assert told.packing is None


def test_panel_table_and_command_line_say_the_same() -> None:
    profile = launched([10.0] * 24)
    table = by_id(profile, "operator")
    assert table is not None
    rows = [[column.value(row) for column in table.columns] for row in range(table.rows)]
    shown = {name: (value, unit) for name, value, unit, _ in rows}
    assert shown["Waves"] == ("2", "")
    assert shown["Last wave"] == ("4 of 20 AI cores", "")
    assert shown["Perfect packing (estimate)"] == ("12", "µs")
    told = {figure.name: figure for figure in figures(profile)}
    assert (told["operator.waves"].value, told["operator.waves"].label) == (2, "Waves")
    assert (told["operator.last_wave"].value, told["operator.last_wave"].display) == ("4/20", "4 of 20 AI cores")
    assert isinstance(told["operator.perfect_packing_s"].value, float)
    assert math.isclose(told["operator.perfect_packing_s"].value, 12e-6)
    labels = {fact.label for fact in facts(operator(profile))} | {"Operator"}
    assert {
        figure.label for figure in figures(profile) if figure.name.startswith("operator.") and figure.label
    } <= labels


def test_no_packing_beats_the_least() -> None:
    """Greedy lists of random blocks on 20 cores never end before the figure that is called perfect."""
    random = np.random.RandomState(5)
    for _ in range(50):
        lengths = np.round(random.uniform(1, 20, random.randint(1, 90)), 3).tolist()
        found = waves(operator(launched(lengths)))
        assert isinstance(found, Waves)
        assert found.packing is not None
        ends = [0.0] * 20
        for length in sorted(lengths, reverse=True):
            ends[ends.index(min(ends))] += length
        assert max(ends) >= found.packing.perfect - 1e-9


def lines_of(profile: Profile) -> list[str]:
    return [sentence(line.words, Look(), None) for line in expert_lines(profile)["operator"]]


def test_the_summary_says_what_the_last_wave_costs() -> None:
    said = lines_of(launched([10.0] * 24))
    assert "20 of 20 AI cores work: 24 blocks in 2 waves, 4 in the last" in said
    assert "Perfect packing would take about 12.0 µs, an estimate" in said
    assert lines_of(launched([10.0, 10.0]))[0] == "2 of 20 AI cores work: 2 blocks in 1 wave"
    assert lines_of(launched([10.0], soc="X")) == ["1 block"]
