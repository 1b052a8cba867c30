"""`export --block`: a file of a report as it is stored, by name or number."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.analysis.tables import by_id
from app.cli import main
from app.formats.collect import read
from app.formats.errors import FormatError
from app.formats.registry import plan
from app.profile.profile import Profile
from app.store.stored_part import entry, numbered_part, read_bytes, save
from generators import ascend_bin
from generators.ascend_report import VARIANTS, Variant, device_files, nested, pack_of, simulator_files, trace, write

FILES = {**device_files(), "events.db": b"SQLite format 3\0" + bytes(80), "counters.pb": b"\x0a\x03abc"}


def profile_of(path: Path) -> Profile:
    ((job,), _) = plan([path])
    return read(job.format, job.paths)[0]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_file_of_a_pack_can_be_saved_as_it_is(tmp_path: Path, variant: Variant) -> None:
    path = tmp_path / "report.rep"
    path.write_bytes(pack_of(FILES, variant))
    for number, (name, content) in enumerate(FILES.items(), 1):
        for wanted in (name, str(number)):
            target = tmp_path / "saved"
            assert main(["export", str(path), "--block", wanted, "-o", str(target)]) == 0
            assert target.read_bytes() == content


def test_a_pack_inside_and_the_files_in_it_can_be_saved(tmp_path: Path) -> None:
    path = tmp_path / "several.npu-rep"
    path.write_bytes(nested({"op1": FILES, "op2": FILES}))
    target = tmp_path / "saved"
    assert main(["export", str(path), "--block", "op2.npu.rep", "-o", str(target)]) == 0
    assert target.read_bytes() == pack_of(FILES, "160")
    assert main(["export", str(path), "--block", "Memory.csv", "--profile", "2", "-o", str(target)]) == 0
    assert target.read_bytes() == FILES["Memory.csv"]


def test_a_file_of_a_folder_has_its_path_as_name(tmp_path: Path) -> None:
    folder, target = write(tmp_path / "OPPROF_1", simulator_files(1)), tmp_path / "saved"
    assert main(["export", str(folder), "--block", "simulator/trace.json", "-o", str(target)]) == 0
    assert target.read_bytes() == simulator_files(1)["simulator/trace.json"]


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "pack"])
def test_a_block_of_the_operator_file_inside_a_report_can_be_saved(tmp_path: Path, packed: bool) -> None:
    name = "visualize_data.bin" if packed else "simulator/visualize_data.bin"
    blocks = [
        ascend_bin.block(0x05, b'{"name":"x"}'),
        ascend_bin.block(0x77, b"unknown"),
        ascend_bin.block(0x02, trace()),
    ]
    files = {**device_files(), name: b"".join(blocks)}
    path = tmp_path / "report.rep"
    if packed:
        path.write_bytes(pack_of(files))
    else:
        path = write(tmp_path / "OPPROF_1", files)
    target = tmp_path / "saved"
    own = profile_of(path).entries
    assert own is not None
    number = own.named(name) + 1
    for file in (name, "visualize_data.bin", str(number)):
        assert main(["export", str(path), "--block", f"{file}/2", "-o", str(target)]) == 0
        assert target.read_bytes() == b"unknown"
    assert main(["export", str(path), "--block", f"{name}/3", "-o", str(target)]) == 0
    assert target.read_bytes() == trace()
    for wrong in (f"{name}/0", f"{name}/4", f"{name}/x", "Memory.csv/1", f"{number}/4", "/1", f"{name}/"):
        assert main(["export", str(path), "--block", wrong, "-o", str(target)]) == 2
    table = by_id(profile_of(path), "raw-blocks")
    assert table is not None
    assert [str(table.columns[-1].value(row)) for row in range(table.rows)] == [name] * 3


def test_a_file_that_is_not_there_costs_status_2(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.rep"
    path.write_bytes(pack_of(FILES))
    for wanted in ("0", "7", "-1", "nothing.csv"):
        assert main(["export", str(path), "--block", wanted, "-o", str(tmp_path / "saved")]) == 2
        assert capfd.readouterr().err.endswith(f"no block {wanted}; there are 1 to 6\n")


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_pack_that_changed_is_noticed(tmp_path: Path, variant: Variant) -> None:
    path = tmp_path / "report.rep"
    path.write_bytes(pack_of(FILES, variant))
    part = numbered_part(profile_of(path), "trace.json")
    assert part is not None
    assert part.title == "trace.json (trace)"
    path.write_bytes(pack_of({**FILES, "trace.json": FILES["trace.json"][:-1]}, variant))
    with pytest.raises(FormatError, match="has changed"):
        read_bytes(part, 0, 4)
    path.write_bytes(pack_of({name.lower(): content for name, content in FILES.items()}, variant).upper())
    with pytest.raises(FormatError):
        save(part, tmp_path / "saved")
    path.write_bytes(b"")
    with pytest.raises(FormatError):
        save(part, tmp_path / "saved")


def test_a_file_of_a_folder_that_changed_is_noticed(tmp_path: Path) -> None:
    folder = write(tmp_path / "OPPROF_1", device_files())
    profile = profile_of(folder)
    part = numbered_part(profile, "Memory.csv")
    assert part is not None
    assert read_bytes(part, 0, 8) == b"block_id"
    (folder / "Memory.csv").write_bytes(b"block_id")
    with pytest.raises(FormatError, match="has changed"):
        read_bytes(part, 0, 8)
    assert entry(profile, 99) is None
