"""Live registers of instructions, and which instruction wrote what another one reads."""

from __future__ import annotations

from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.ascend.registers import instruction_parts, readers_of, uses_of, writers_of
from app.analysis.details import Described
from app.analysis.findings.rules import RULES
from app.analysis.findings.thresholds import DEFAULT, Thresholds
from app.analysis.hotspots import instructions as hot_instructions
from app.analysis.tables import by_id
from app.formats.ascend_bin import FORMAT
from app.profile.ascend import LIVE_REGISTERS, Instructions, column_named
from app.profile.profile import Profile
from app.profile.selection import Selection
from generators.ascend_bin import Program, block, source_blocks
from generators.ascend_device import State, device_source, instructions_with_states, live_states
from generators.reading import profile_of

READ, WRITE, BOTH, IN_USE = 1, 2, 3, 4
ROWS: list[list[State]] = [
    [("R0", WRITE, 4), ("R1", WRITE, 2)],
    [("R0", IN_USE, 4), ("R1", READ, 2), ("R2", WRITE, 3)],
    [("R0", READ, 4), ("R2", BOTH, 3)],
    [("R0", READ, 4), ("R2", READ, 3), ("R9", READ, 1)],
    [("R0", WRITE, 1)],
    [],
    [("R0", READ, 1)],
]


def made(rows: list[list[State]]) -> Profile:
    return profile_of(FORMAT, instructions_with_states(rows))


def code(profile: Profile) -> Instructions:
    assert profile.instructions is not None
    return profile.instructions


def test_readers_count_live_registers() -> None:
    profile = made(ROWS)
    table = by_id(profile, "instructions")
    assert table is not None
    keys = [column.key for column in table.columns]
    column = table.columns[keys.index("live_registers")]
    assert keys.index("live_registers") + 1 == keys.index("gpr_status")
    assert [column.value(row) for row in range(7)] == [2, 3, 2, 3, 1, None, 1]
    assert column.title == "Live registers"
    assert "GPR Status" in column.help
    hot = hot_instructions(profile)
    assert hot is not None
    assert hot.heats["live_registers"].share[1] == 1.0


@pytest.mark.parametrize(
    ("cell", "count"),
    [
        ([{"regIndex": "R1"}, {"regIndex": "R1"}], 1),
        ({"regIndex": "R1"}, 1),
        ([{"regIndex": "R1"}, 7], None),
        ([{"a": 1}], None),
        ("text", None),
        ([[{"regIndex": "R1"}, {"regIndex": 2}]], 2),
    ],
)
def test_what_is_no_state_counts_nothing(cell: Any, count: int | None) -> None:
    rows = [{"Address": "0x4", "GPR Status": cell}, {"Address": "0x8", "GPR Status": [{"regIndex": "R0"}]}]
    types = {"Instructions": {"Address": 3, "GPR Status": 5}}
    record = {"Cores": ["ALL"], "Instructions Dtype": types, "Instructions": rows}
    column = column_named(code(profile_of(FORMAT, block(0x04, orjson.dumps(record)))).columns, LIVE_REGISTERS)
    assert column is not None
    assert column.values[:, 0].tolist() == [-1 if count is None else count, 1]


def test_files_without_states_have_no_such_column() -> None:
    profile = profile_of(FORMAT, b"".join(source_blocks(Program(("core0.veccore0",), 12))))
    assert column_named(code(profile).columns, LIVE_REGISTERS) is None
    assert list(instruction_parts(profile, np.array([0], np.int64))) == []


def test_the_writer_is_the_last_one_before() -> None:
    own = code(made(ROWS))
    assert writers_of(own, 1) == {"R1": 0}
    assert writers_of(own, 2) == {"R0": 0, "R2": 1}
    assert writers_of(own, 3) == {"R0": 0, "R2": 2, "R9": -1}
    assert writers_of(own, 6) == {"R0": -1}  # the states between do not list it
    assert writers_of(own, 0) == {}


def test_readers_end_where_the_register_is_written_again() -> None:
    own = code(made(ROWS))
    assert readers_of(own, 0) == {"R0": [2, 3], "R1": [1]}
    assert readers_of(own, 1) == {"R2": [2]}
    assert readers_of(own, 2) == {"R2": [3]}
    assert readers_of(own, 4) == {"R0": []}
    assert uses_of(own, 99) == {}


def test_details_link_to_writers_and_readers() -> None:
    profile = made(ROWS)
    described = Described(profile)
    (part,) = described.parts(Selection("instruction", (3,)))
    assert part.title == "Registers"
    assert [(fact.label, fact.words) for fact in part.facts] == [("Live", ("3",)), ("Read", ("R0, R2, R9",))]
    assert [(pointer.text, pointer.selection.indices) for pointer in part.pointers] == [
        (("R0 was written by 0x1000 OP0",), (0,)),
        (("R2 was written by 0x1008 OP2",), (2,)),
    ]
    assert [(fact.label, fact.words) for fact in part.below] == [("Writer unknown", ("R9",))]
    (part,) = described.parts(Selection("instruction", (0,)))
    assert part.pointers[0].text == ("R0 is read by 2 instructions, first 0x1008 OP2",)
    assert part.pointers[0].selection.indices == (2, 3)
    assert part.pointers[1].text == ("R1 is read by 0x1004 OP1",)


@given(
    st.lists(
        st.dictionaries(st.sampled_from(["R0", "R1", "R2"]), st.tuples(st.integers(0, 5), st.integers(1, 4))),
        min_size=1,
        max_size=10,
    )
)
def test_writers_and_readers_agree(rows: list[dict[str, tuple[int, int]]]) -> None:
    """Each reader of a value names the instruction as its writer, and the other way round."""
    own = code(made([[(name, *state) for name, state in row.items()] for row in rows]))
    for row in range(len(rows)):
        for name, readers in readers_of(own, row).items():
            assert all(writers_of(own, other)[name] == row for other in readers)
        for name, writer in writers_of(own, row).items():
            assert writer == -1 or row in readers_of(own, writer)[name]


def findings(profile: Profile, thresholds: Thresholds = DEFAULT) -> list[Any]:
    rule = next(rule for rule in RULES if rule.id == "ascend.register-spills")
    assert rule.applies(profile)
    checked = rule.check(profile, thresholds)
    assert isinstance(checked, tuple)
    return list(checked)


@pytest.mark.parametrize(
    ("peak", "limit"), [(28, None), (29, 32), (32, 32), (33, None), (58, 64), (115, 127), (127, 127), (128, None)]
)
def test_registers_near_the_limit_are_reported(peak: int, limit: int | None) -> None:
    profile = made(live_states([1, 3, peak, peak, 2]))
    reported = findings(profile)
    assert bool(reported) == (limit is not None)
    for finding in reported:
        assert finding.title == f"Up to {peak} of {limit} registers are live"
        assert finding.severity == "info"
        assert finding.saving is None
        assert [evidence.value for evidence in finding.evidence] == [peak, 2, limit]
        assert finding.evidence[0].key == "0x1008"
        assert finding.evidence[1].selection.indices == (2, 3)


def test_the_limit_can_be_set() -> None:
    profile = made(live_states([1, 15, 2]))
    assert not findings(profile)
    assert findings(profile, Thresholds(register_limit=16))
    assert not findings(profile, Thresholds(register_limit=16, register_use=100))


def test_the_sample_of_a_device_has_parts() -> None:
    profile = profile_of(FORMAT, device_source())
    titles = [part.title for row in range(40) for part in instruction_parts(profile, np.array([row], np.int64))]
    assert set(titles) == {"Registers"}


def test_generated_states_are_those_of_a_compiler() -> None:
    profile = made(live_states([1, 3, 2, 1]))
    own = code(profile)
    assert readers_of(own, 0) == {"R0": [3]}
    assert readers_of(own, 1) == {"R1": [2], "R2": []}
