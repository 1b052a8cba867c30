"""Facts of the operator and its blocks."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from app.analysis.ascend import launch
from app.analysis.tables.ascend_report import block_details
from app.formats.ascend_bin import FORMAT
from app.profile.ascend import Operator
from app.profile.profile import Profile
from generators.ascend_bin import block
from generators.reading import profile_of

CORE_TYPES = (
    b'{"op_type":"AiCore","soc":"Ascend310P3","duration":10.5,"block_detail":{"head_name":["Core Type","Duration '
    b'(\xce\xbcs)"],"row":[{"value":["AiCore","9.5"]}],"size":[2,2]},"cur_freq":"1500","rated_freq":"1850",'
    b'"advice":["The current frequency is lower than the rated frequency"]}'
)


def operator(profile: Profile) -> Operator:
    assert profile.operator is not None
    return profile.operator


@pytest.fixture
def mix(shared_samples: Path) -> Profile:
    return profile_of(FORMAT, (shared_samples / "ascend-mix-910B4.bin").read_bytes())


@pytest.fixture
def vector(shared_samples: Path) -> Profile:
    return profile_of(FORMAT, (shared_samples / "ascend-vector-2024-05.bin").read_bytes())


def test_the_longest_block_of_each_sub_block(mix: Profile) -> None:
    found = launch.spreads(operator(mix))
    assert [spread.name for spread in found] == ["Cube0", "Vector0", "Vector1"]
    assert [spread.longest for spread in found] == [250.884842, 133.335754, 248.197571]
    assert [spread.block for spread in found] == [1, 1, 1]
    assert found[0].mean == pytest.approx((250.377579 + 250.884842) / 2)


def test_a_block_stands_for_its_number(mix: Profile, vector: Profile) -> None:
    for profile, count in ((mix, 2), (vector, 32)):
        table = block_details(profile)
        assert table is not None
        assert table.selects == "block"
        assert table.keys is not None
        assert table.keys.tolist() == list(range(count))


def test_facts_say_what_the_file_says_and_nothing_else(mix: Profile, vector: Profile) -> None:
    found = {fact.label: (fact.value, fact.unit) for fact in launch.facts(operator(mix))}
    assert found == {
        "Operator type": ("mix", ""),
        "Chip": ("Ascend910B4", ""),
        "Duration": (300.0660095214844, "µs"),
        "Blocks launched": (2, ""),
        "Subordinate blocks": (4, ""),
        "Waves": (1, ""),
        "Last wave": ("2 of 20 AI cores", ""),
        "Perfect packing (estimate)": (250.884842, "µs"),
        "Device": ("0", ""),
        "Process": ("1112422", ""),
    }
    labels = [
        "Operator type",
        "Chip",
        "Duration",
        "Blocks launched",
        "Waves",
        "Last wave",
        "Perfect packing (estimate)",
    ]
    assert [fact.label for fact in launch.facts(operator(vector))] == labels


def test_blocks_without_ids_have_no_number_and_the_clock_is_told() -> None:
    profile = profile_of(FORMAT, block(0x05, CORE_TYPES))
    table = block_details(profile)
    assert table is not None
    assert table.keys is not None
    assert table.keys.tolist() == [-1]
    assert launch.sub_block_names(operator(profile)) == ("Duration",)
    found = {fact.label: fact.value for fact in launch.facts(operator(profile))}
    assert found["Share of the rated frequency"] == pytest.approx(81.081, abs=1e-3)
    assert launch.throttled(operator(profile))
    assert not launch.throttled(replace(operator(profile), frequency_mhz=1800.0))
    assert not launch.throttled(replace(operator(profile), frequency_mhz=None))
