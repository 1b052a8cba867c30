"""Life lines of registers."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.ascend import registers
from app.analysis.ascend.registers import BEGIN, BETWEEN, END, RegisterLives
from app.formats.ascend_bin import FORMAT
from app.profile.ascend import Instructions, state_column
from generators.ascend_bin import block, device_instructions
from generators.reading import profile_of

State = tuple[str, int, int]


def state(name: str, use: int, life: int) -> dict[str, Any]:
    return {"regIndex": name, "regStatus": use, "survivalTime": life}


def instructions(cells: list[Any], addresses: list[int] | None = None) -> Instructions:
    rows = [
        {"Address": hex(address), "GPR Status": cell}
        for address, cell in zip(addresses or range(4, 4 + 4 * len(cells), 4), cells, strict=True)
    ]
    types = {"Instructions": {"Address": 3, "GPR Status": 5}}
    record = {"Cores": ["ALL"], "Instructions Dtype": types, "Instructions": rows}
    found = profile_of(FORMAT, block(0x04, orjson.dumps(record), version=0)).instructions
    assert found is not None
    return found


def lives(found: Instructions) -> RegisterLives:
    column = state_column(found.columns)
    assert column is not None
    return registers.lives(found, column)


def told(found: RegisterLives, row: int) -> list[tuple[str, int, int]]:
    """(name, lane, phase) of an instruction."""
    return [
        (found.names[int(found.name[entry])], int(found.lane[entry]), int(found.phase[entry]))
        for entry in found.of_row(row)
    ]


def test_a_register_takes_the_first_free_lane_and_leaves_it_at_its_end() -> None:
    found = lives(
        instructions(
            [
                [state("R0", 2, 3), state("R1", 2, 2)],
                [state("R0", 4, 9), state("R1", 1, 9)],
                [state("R0", 1, 9), state("R2", 2, 1)],
                [state("R3", 2, 2)],
                [state("R3", 3, 2)],
            ]
        )
    )
    assert told(found, 0) == [("R0", 0, BEGIN), ("R1", 1, BEGIN)]
    assert told(found, 1) == [("R0", 0, BETWEEN), ("R1", 1, END)]
    assert told(found, 2) == [("R0", 0, END), ("R2", 1, BEGIN)]
    assert told(found, 3) == [("R3", 0, BEGIN)]
    assert told(found, 4) == [("R3", 0, END)]
    assert found.lanes == 2
    # the life is the one of the first record, whatever later ones say
    assert [int(found.length[entry]) for entry in found.of_row(1)] == [3, 2]
    assert found.describe(4) == "R3: read and written, ends here, live for 2 instructions"


def test_rows_are_walked_by_address_whatever_their_order() -> None:
    cells = [[state("R0", 2, 2)], [state("R0", 1, 2)]]
    found = lives(instructions(cells[::-1], [0x20, 0x10]))
    assert [told(found, row) for row in range(2)] == [[("R0", 0, BEGIN)], [("R0", 0, END)]]


@pytest.mark.parametrize("cell", [None, "", 7, {}, [], [1, "R0"], [{"regIndex": None, "survivalTime": "x"}]])
def test_what_is_no_state_is_passed_over(cell: Any) -> None:
    found = lives(instructions([cell, [state("R0", 2, -5)], [state("R0", 99, 1 << 40)]]))
    assert told(found, 1)[0][2] == BEGIN
    assert told(found, 2)[0][2] == BEGIN
    assert "live for 1 instruction" in found.describe(1)
    assert "state unknown" in found.describe(2)


def test_the_sample_of_a_device_has_life_lines() -> None:
    found = profile_of(FORMAT, block(0x04, device_instructions(), version=0)).instructions
    assert found is not None
    made = lives(found)
    assert len(made.first) == len(found.address) + 1
    assert made.lanes >= 1
    assert set(made.use.tolist()) <= {1, 2, 3, 4}


def test_without_states_there_is_no_column() -> None:
    record = {
        "Cores": ["ALL"],
        "Instructions Dtype": {"Instructions": {"Address": 3}},
        "Instructions": [{"Address": "0x4"}],
    }
    found = profile_of(FORMAT, block(0x04, orjson.dumps(record), version=0)).instructions
    assert found is not None
    assert state_column(found.columns) is None


def test_it_can_be_stopped() -> None:
    found = instructions([[state("R0", 1, 1)]] * 3)
    column = state_column(found.columns)
    assert column is not None

    def stop() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        registers.lives(found, column, 0, stop)


@given(
    st.lists(
        st.lists(
            st.tuples(st.sampled_from(["R0", "R1", "R2", "R3"]), st.integers(1, 4), st.integers(1, 4)), max_size=3
        ),
        max_size=12,
    )
)
def test_no_two_registers_share_a_lane_at_one_instruction(rows: list[list[State]]) -> None:
    """Against a walk that is written down plainly."""
    cells = [[state(*entry) for entry in {entry[0]: entry for entry in row}.values()] for row in rows]
    if not cells:
        return
    found = lives(instructions(cells))
    alive: dict[str, tuple[int, int]] = {}
    for row, cell in enumerate(cells):
        expected = []
        for entry in cell:
            name = entry["regIndex"]
            begins = name not in alive
            if begins:
                taken = {lane for lane, _ in alive.values()}
                lane = next(lane for lane in range(99) if lane not in taken)
                alive[name] = lane, entry["survivalTime"]
            lane, left = alive[name]
            alive[name] = lane, left - 1
            expected.append((name, lane, BEGIN if begins else END if left == 1 else BETWEEN))
        alive = {name: (lane, left) for name, (lane, left) in alive.items() if left > 0}
        assert told(found, row) == sorted(expected, key=lambda entry: entry[1])
        assert len({lane for _, lane, _ in expected}) == len(expected)
