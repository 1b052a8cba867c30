"""The first lines of the summary say what an expert would say, with its evidence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.verdicts import verdicts
from app.analysis.verdicts.answer import About, Detail
from app.analysis.verdicts.lines import expert_lines
from app.formats import ascend_bin, popef, poplar, tensorflow_events
from app.formats.collect import read
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.sentences import sentence
from generators.tensorflow_events import log, run

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
CAPTURES = Path(__file__).parents[3] / "shared" / "samples"


def lines_of(profile: Profile, about: About) -> dict[str, Detail]:
    """The lines by their text."""
    return {sentence(line.words): line for line in expert_lines(profile)[about]}


def test_of_an_operator() -> None:
    (profile,) = read(ascend_bin.FORMAT, [SAMPLES / "matmul_leakyrelu.bin"])
    lines = lines_of(profile, "operator")
    texts = list(lines)
    assert texts[0] == "2 of 20 AI cores work: 2 blocks in 1 wave"
    assert lines[texts[0]].selection == Selection("block", (0, 1))
    assert any(text.startswith("Block 1 is the longest: 5.85 µs, ") for text in texts)
    verdict, *behind = lines_of(profile, "time")
    saved = "at most 1.93 µs can be saved by scheduling"
    assert verdict == f"No single bound: VECTOR works 67.0 % (3.92 µs of 5.85 µs); {saved}"
    assert behind[0].startswith("Ends last: core1.veccore0; work: VECTOR 3.92 µs, MTE2 3.42 µs, ")
    assert "Vendor verdict: “latency bound:memory caused”" in behind
    assert not any(text.startswith(("It does not follow", "Both hold")) for text in behind)
    assert any(text.startswith("Vendor advice: The current frequency is lower than") for text in texts)
    roofs = profile.roofline
    assert roofs is not None
    best = (roofs.performance / np.minimum(roofs.intensity * roofs.bandwidth, roofs.compute)).argmax()
    (roof,) = (line for text, line in lines.items() if text.startswith("Nearest roof: "))
    assert roof.selection == Selection("roof", (int(best),))
    first, *others = verdicts(profile, lines=expert_lines(profile))
    assert (sentence(first.text), len(first.lines)) == (verdict, len(behind))
    (shown,) = (one for one in others if one.about == "operator")
    assert len(shown.lines) == len(lines)


def test_a_roofline_with_busy_scalar_units() -> None:
    """What a real capture with rooflines says, which is not in the repository."""
    (profile,) = read(ascend_bin.FORMAT, [SAMPLES / "matmul_leakyrelu.bin"])
    tables, roofs = profile.memory_tables, profile.roofline
    assert tables is not None
    assert roofs is not None
    rates = tables.value.copy()
    strings = tables.strings
    for number in range(len(tables)):
        rows = slice(*tables.first_row[number : number + 2].tolist())
        width = int(np.diff(tables.first_column[number : number + 2])[0])
        names = [strings.get(int(row)) for row in tables.row_name[rows]]
        if strings.get(int(tables.name[number])).startswith("Pipe"):
            place = int(tables.first_cell[number]) + names.index("Scalar") * width + width - 1
            rates[place - 2] *= 96.0 / rates[place]  # the cycles
            rates[place] = 96.0
    busy = profile.with_section(replace(tables, value=rates)).with_section(
        replace(roofs, advice="latency bound:pipeline caused")
    )
    verdict, *behind = lines_of(replace(busy, timeline=None), "time")
    assert verdict == "SCALAR bound: 5.62 µs of 5.85 µs; at most 234 ns can be saved by scheduling"
    place = behind.index("Vendor verdict: “latency bound:pipeline caused”")
    assert behind[place + 1].startswith(
        "Both hold: SCALAR works nearly all the time, but at most at 20.7 % of a roof (GM / Cube FP16)"
    )
    near = replace(roofs, performance=4 * roofs.performance)
    _, *behind = list(lines_of(replace(busy.with_section(near), timeline=None), "time"))
    assert behind[place + 1].startswith("It does not follow from its rooflines: the best point reaches 82.9 % of GM")
    assert "No timeline: what waits for what is unknown" in behind


def test_of_a_poplar_run() -> None:
    folder = SAMPLES / "resnet-1472-tiles"
    (profile,) = read(poplar.FORMAT, [folder / "graph.json", folder / "execution.json"])
    memory, run_ = lines_of(profile, "memory"), lines_of(profile, "run")
    used = profile.tile_memory.total_with_gaps  # type: ignore[union-attr]
    assert used is not None
    assert [line.selection.kind for line in memory.values() if line.selection] == ["tile", "liveness"]
    assert next(iter(memory.values())).selection == Selection("tile", (int(used.argmax()),))
    steps = profile.steps
    assert steps is not None
    sums: dict[int, int] = {}
    for own, cycles in zip(steps.compute_set.tolist(), steps.cycles.tolist(), strict=True):
        if own >= 0:
            sums[own] = sums.get(own, 0) + cycles
    top = max(sums, key=lambda own: sums[own])
    dominating, balance = run_.values()
    assert dominating.selection == Selection("compute_set", (top,))
    assert f"{sums[top]:,} cycles" in sentence(dominating.words)
    assert sentence(balance.words).startswith("Tile balance while computing: 49.5 %")


def test_of_a_model() -> None:
    (profile,) = read(popef.FORMAT, [SAMPLES / "resnet_inference.popef"])
    assert list(lines_of(profile, "model")) == [
        "Inputs: histogram S32[2, 3, 64]",
        "Outputs: probabilities F32[2, 4, 10], histogram S32[2, 3, 64]",
        "Names, sizes and types are consistent",
    ]


def test_of_a_log(tmp_path: Path) -> None:
    path = tmp_path / "events.out.tfevents.1559736000.host"
    path.write_bytes(log([[*run(executions=5), *run(at=1559736060.0, executions=2)]]))
    (profile,) = read(tensorflow_events.FORMAT, [path])
    wall, again, pause = lines_of(profile, "events")
    assert wall.startswith("Wall time ")
    assert "compiling 5.00 s" in wall
    assert again == "1 compilation repeats an earlier one"
    assert pause.startswith("An execution every 100 ms (median)")


@pytest.mark.skipif(not CAPTURES.is_dir(), reason="the captures are not here")
def test_of_a_real_capture() -> None:
    (profile,) = read(ascend_bin.FORMAT, [CAPTURES / "ascend-mix-910B4.bin"])
    texts = list(lines_of(profile, "operator"))
    assert texts[0] == "2 of 20 AI cores work: 2 blocks in 1 wave"
    assert next(iter(lines_of(profile, "time"))).startswith("SCALAR bound: 243 µs of 251 µs; at most 8.35 µs")
    assert any("core1 vector1 took more time than other core" in text for text in texts)
