"""Cards, tiles and levels of core load."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from app.analysis.ascend import cores
from app.analysis.ascend.cores import ai_cores
from app.formats.ascend_bin import FORMAT
from app.profile.ascend import CoreLoad
from generators.ascend_bin import block
from generators.ascend_details import Shape, core_load
from generators.reading import profile_of


def load_of(payload: bytes) -> CoreLoad:
    found = profile_of(FORMAT, block(0x0C, payload)).core_load
    assert found is not None
    return found


def made(type_: str, soc: str, cores: list[tuple[Any, list[dict[str, Any]]]]) -> CoreLoad:
    detail = [{"core_id": number, "core_detail": subs} for number, subs in cores]
    return load_of(orjson.dumps({"soc": soc, "op_type": type_, "advice": "", "op_detail": detail}))


def vector(cycles: object, sub: str = "0") -> dict[str, Any]:
    return {"subcore_type": "vector", "subcore_id": sub, "cycles": cycles, "throughput": "NA"}


@pytest.fixture
def mix(shared_samples: Path) -> CoreLoad:
    found = profile_of(FORMAT, (shared_samples / "ascend-mix-910B4.bin").read_bytes()).core_load
    assert found is not None
    return found


def test_the_capture_fills_two_of_twenty_cards(mix: CoreLoad) -> None:
    found = cores.cards(mix, "cycles")
    assert [card.number for card in found] == list(range(20))
    assert [bool(card.tiles) for card in found[:3]] == [True, True, False]
    told = [(tile.name, tile.value, tile.level) for tile in found[1].tiles]
    # z of two cores: one above, one below by 1/sqrt(2) of the sample deviation; of four sub-cores by hand
    assert told == [("Cube0", 413960.0, 6), ("Vector0", 220004.0, 2), ("Vector1", 409526.0, 7)]
    assert [tile.level for tile in found[0].tiles] == [3, 2, 7]
    assert cores.advice(mix)[0] == "1) core1 vector1 took more time than other core."
    assert cores.metrics(mix) == ["cycles", "throughput", "hit_rate"]
    assert cores.instructions_per_cycle(mix) is None


def test_vector_cores_that_are_numbered_one_by_one_are_paired() -> None:
    load = made("aiv", "Ascend910B1", [(3, [vector("40")]), (0, [vector("10")]), (1, [vector("20")])])
    found = cores.cards(load, "cycles")
    assert len(found) == 24
    told = {card.number: [(tile.name, tile.value, tile.core) for tile in card.tiles] for card in found if card.tiles}
    assert told == {0: [("Vector0", 10.0, 0), ("Vector1", 20.0, 1)], 1: [("Vector1", 40.0, 3)]}
    assert found[0].cores == (0, 1)


def test_a_core_with_several_sub_cores_is_not_taken_apart() -> None:
    load = made("vector", "Ascend310P3", [(0, [vector("10"), vector("30", "1")]), (1, [vector("20")])])
    assert not cores.is_paired(load)
    found = cores.cards(load, "cycles")
    assert [[tile.value for tile in card.tiles] for card in found] == [[10.0, 30.0], [20.0]]


def test_no_data_has_no_level_and_an_unknown_chip_no_empty_cards() -> None:
    load = made("mix", "Ascend999", [(70000, [vector("NA"), vector("5", "1")]), (None, [vector("7")])])
    found = cores.cards(load, "cycles")
    assert [card.title for card in found] == ["Core 70000", "Core without number"]
    assert [tile.level for tile in found[0].tiles] == [-1, 3]
    assert found[1].cores == ()
    assert cores.metrics(load) == ["cycles"]


@pytest.mark.parametrize(
    ("soc", "cores"),
    [
        ("Ascend910B4", 20),
        ("Ascend910B2", 24),
        ("Ascend910_9382", 24),
        ("Ascend910_9362", 20),
        ("Ascend950Z", 8),
        ("Ascend910_957b", 28),
        ("Ascend910_958a", 32),
        ("Ascend910_9599", 36),
        ("Ascend310P3", 0),
        ("", 0),
    ],
)
def test_chips_have_their_cores(soc: str, cores: int) -> None:
    assert ai_cores(soc) == cores


def test_instructions_per_cycle_are_one_row_a_vector_core() -> None:
    load = load_of(core_load(Shape(blocks=3), simt=True))
    table = cores.instructions_per_cycle(load)
    assert table is not None
    assert [column.title for column in table.columns] == ["Sub-core", "Core 0", "Core 1", "Core 2"]
    assert [table.columns[0].value(row) for row in range(table.rows)] == ["Vector0", "Vector1"]
    assert table.columns[3].value(1) == 1.25
    assert "simt_instructions" in cores.metrics(load)


def test_what_a_level_compares_with(mix: CoreLoad) -> None:
    kinds = {kind.name: kind for kind in cores.kinds(mix, "cycles")}
    assert kinds["cube"].count == 2
    assert kinds["cube"].mean == pytest.approx((413123 + 413960) / 2)
    assert kinds["vector"].mean == pytest.approx((219790 + 408574 + 220004 + 409526) / 4)
    assert kinds["vector"].deviation == pytest.approx(109208.262, abs=1e-3)
