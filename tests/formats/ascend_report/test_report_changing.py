"""A folder or a pack that changes while it is read: what is left is shown, and what is missing is named."""

from __future__ import annotations

import random
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from app.formats import registry
from app.formats.ascend_report import FORMAT
from app.formats.collect import Collector
from app.formats.csv.lines import CHUNK
from app.formats.errors import FormatError
from app.formats.registry import plan
from app.profile.profile import Profile
from app.store import load, reading
from app.store.load import read_all
from fakes.report_members import Bytes
from generators.ascend_report import device_files, pack_of, simulator_files, write


def shown(*paths: Path) -> tuple[list[Profile], list[str]]:
    """(the profiles in ``paths``, the files that were refused)."""
    with ExitStack() as stack:
        opened = read_all(paths, stack)
        return opened.profiles, [str(refusal.error) for refusal in opened.refusals]


def errors(profile: Profile) -> list[str]:
    return [issue.text for issue in profile.issues if issue.severity == "error"]


@pytest.fixture(params=["in this process", "in a worker"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A device folder, read in this process or by a worker."""
    if request.param == "in a worker":
        formats = tuple(replace(known, heavy=lambda _: True) for known in registry.FORMATS)
        monkeypatch.setattr(registry, "FORMATS", formats)
    return write(tmp_path / "OPPROF_20260821101500_ABCDEFGHIJKLMNOP", device_files())


def vanish(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Deletes files when the plan has been made."""

    def planned(paths: Any) -> Any:
        made = plan(paths)
        for job in made[0]:
            for path in job.paths:
                if path.name in names:
                    path.unlink()
        return made

    monkeypatch.setattr(load, "plan", planned)


def test_a_file_that_vanishes_is_an_issue_and_the_rest_is_shown(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vanish(monkeypatch, "Memory.csv", "trace.json")
    (profile,), refused = shown(folder)
    assert refused == []
    assert sorted(errors(profile)) == [
        "Memory.csv cannot be read: no such file",
        "trace.json cannot be read: no such file",
    ]
    assert profile.operator is not None
    assert profile.workload is not None
    assert profile.entries is not None
    assert len(profile.entries) == 4


def test_a_folder_whose_files_all_vanish_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vanish(monkeypatch, *device_files())
    assert shown(folder) == ([], ["no such file"])


def test_a_file_that_must_not_be_read_is_an_issue(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests may run as a user who can read everything: a folder in place of the file cannot be read either."""
    real = reading.open_all

    def closed(job: registry.Job) -> Any:
        path = next(path for path in job.paths if path.name == "Memory.csv")
        path.unlink()
        path.mkdir()
        return real(job)

    monkeypatch.setattr(load, "open_all", closed)
    (profile,), _ = shown(folder)
    assert errors(profile) == ["Memory.csv cannot be read: this is a folder"]
    assert profile.workload is not None


class Cut(Bytes):
    """A file that has become shorter since it was opened."""

    def __init__(self, content: bytes, name: str, end: int) -> None:
        super().__init__(content, name)
        self._end = end

    def read(self, offset: int, length: int) -> bytes:
        if offset + length > self._end:
            raise FormatError("the file shrank while it was read", path=str(self.path), offset=self._end)
        return super().read(offset, length)


def test_the_rows_before_the_end_of_a_table_are_shown() -> None:
    line = b"1,vector0,0.5\n"
    content = b"block_id,sub_block_id,aiv_time(us)\n" + line * (2 * CHUNK // len(line))
    collector = Collector(FORMAT.id)
    FORMAT.read([Cut(content, "a/Memory.csv", CHUNK)], collector)
    (profile,) = collector.profiles
    assert errors(profile) == ["the file shrank while it was read; the rows before it are shown"]
    assert profile.report_tables is not None
    (table,) = profile.report_tables.tables
    assert CHUNK - 200 < table.rows * len(line) < CHUNK
    assert set(table.columns[2].of_core(0).tolist()) == {0.5}


@given(st.integers(0, 1 << 30), st.sampled_from(["device", "simulator", "cores", "pack", "npu pack"]))
@settings(deadline=None, max_examples=80)
def test_files_that_shrink_never_hide_the_others(seed: int, kind: str) -> None:
    randomly = random.Random(seed)
    files = device_files() if kind == "device" else simulator_files(2, whole=kind == "simulator")
    if kind.endswith("pack"):
        files = {"a.rep": pack_of(device_files(), "cann" if kind == "pack" else "160")}
    shrinking = {name for name in files if randomly.random() < 0.3}
    sources = [
        Cut(content, f"OPPROF_1_A/{name}", randomly.randrange(len(content) + 1) if name in shrinking else len(content))
        for name, content in files.items()
    ]
    collector = Collector(FORMAT.id)
    try:
        FORMAT.read(sources, collector)
    except FormatError:
        assert kind.endswith("pack")  # its head is not there
        return
    for profile in collector.profiles:
        assert profile.entries is not None
        if not kind.endswith("pack"):
            assert len(profile.entries) == len(files)
    if not shrinking:
        assert not [text for profile in collector.profiles for text in errors(profile)]
