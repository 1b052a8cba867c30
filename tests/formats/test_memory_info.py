"""On-chip memory plans, whole and broken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.analysis.figures import figures
from app.analysis.onchip import peaks
from app.analysis.tables import by_id
from app.formats.ascend_memory_info import FORMAT
from app.formats.collect import read
from app.formats.errors import FormatError
from app.formats.registry import sniff
from app.profile.profile import Profile


def buffer(name: str, life: Any, extent: Any, offset: Any, **more: Any) -> dict[str, Any]:
    place = 'loc("kernel.py":12:4)'
    found = {"buffer": name, "alloc_time_in_ir": 1, "extent": extent, "is_tmpbuf": False, "life_time_in_ir": life}
    return {**found, "offset": offset, "source_location": place, **more}


PLAN = {
    "Header": {"KernelName": "add_kernel"},
    "Record": [
        {
            "scope": "ub",
            "status": "success",
            "memory_info_array": [
                buffer("%alloc", [1, 10], 8192, [0, 1024]),
                buffer("%alloc_0", [10, 20], 4096, [2048], is_tmpbuf=True),
                buffer("%alloc_1", [11, 12], 800, [0]),
                buffer("%alloc_1", [11, 12], 800, [0]),
            ],
        },
        {"scope": "cbuf", "status": "fail", "err_msg": "out of memory", "memory_info_array": []},
    ],
}
VALID = orjson.dumps(PLAN)


def opened(tmp_path: Path, text: bytes) -> Profile:
    path = tmp_path / "memory_info.json"
    path.write_bytes(text)
    assert sniff(path).id == FORMAT.id
    return read(FORMAT, [path])[0]


def test_blocks_and_peaks(tmp_path: Path) -> None:
    profile = opened(tmp_path, VALID)
    plan = profile.onchip
    assert plan is not None
    assert profile.name == plan.kernel == "add_kernel"
    assert plan.blocks.size.tolist() == [1024, 1024, 512, 100]
    assert plan.blocks.address.tolist() == [0, 1024, 2048, 0]
    assert plan.blocks.part.tolist() == [0, 1, 0, 0]
    assert plan.blocks.temporary.tolist() == [False, False, True, False]
    assert peaks(plan).tolist() == [2560, 0]
    values = {figure.name: figure.value for figure in figures(profile)}
    assert values["onchip.blocks"] == 4
    assert values["onchip.peak_bytes"] == 2560
    assert values["onchip.scopes"] == ["ub", "cbuf"]
    told = [issue.text for issue in profile.issues]
    assert "1 block is listed twice, but shown once" in told
    assert any("out of memory" in text for text in told)
    scopes = by_id(profile, "onchip-memories")
    assert scopes is not None
    assert [column.value(0) for column in scopes.columns] == ["ub", 4, 2560, 2560, "success", None]
    assert by_id(profile, "onchip-blocks") is not None


def test_broken_buffers_are_left_out(tmp_path: Path) -> None:
    buffers = [
        buffer("ok", [0, 5], 80, [0]),
        buffer("no life", None, 80, [0]),
        buffer("backwards", [5, 1], 80, [0]),
        buffer("its extent is implausible", [0, 1], "x", [0]),
        buffer("huge", [0, 1], 1 << 60, [0]),
        buffer("bad offset", [0, 1], 80, [-4]),
        buffer("no offset", [0, 1], 80, None),
        5,
    ]
    plan = {
        "Header": {},
        "Record": [{"scope": "ub", "memory_info_array": buffers}, 7, {"scope": "x", "memory_info_array": {}}],
    }
    profile = opened(tmp_path, orjson.dumps(plan).replace(b'"Header":{}', b'"Header":{"KernelName":NaN}'))
    assert profile.onchip is not None
    assert profile.onchip.blocks.address.tolist() == [0, -1]
    left_out = [issue.text for issue in profile.issues if "is skipped" in issue.text]
    assert len(left_out) == 6
    assert left_out[0].startswith("Record[0].memory_info_array[1] is skipped: its lifetime")
    assert profile.name == "memory_info.json"


def test_flat_records_of_older_files(tmp_path: Path) -> None:
    plan = {"Header": {"KernelName": "k"}, "Record": [buffer("a", [0, 1], 64, [0, 64]), buffer("b", [1, 2], 64, [128])]}
    profile = opened(tmp_path, orjson.dumps(plan))
    assert profile.onchip is not None
    assert len(profile.onchip.blocks) == 3
    assert peaks(profile.onchip).tolist() == [24]


@pytest.mark.parametrize(
    "text", [b'{"memory_info_array":1}', b'{"Record":5,"KernelName":1', b'{"KernelName":"a","Record":{}}']
)
def test_what_is_no_plan_is_refused(tmp_path: Path, text: bytes) -> None:
    with pytest.raises(FormatError):
        opened(tmp_path, text)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, len(VALID)), st.integers(0, 12), st.binary(max_size=4)), max_size=5))
def test_mutated(tmp_path: Path, changes: list[tuple[int, int, bytes]]) -> None:
    text = VALID
    for place, length, token in changes:
        text = text[:place] + token + text[place + length :]
    path = tmp_path / "memory_info.json"
    path.write_bytes(text)
    try:
        (profile,) = read(FORMAT, [path])
    except FormatError:
        return
    assert profile.onchip is not None
    assert len(peaks(profile.onchip)) == len(profile.onchip.scopes.name)
