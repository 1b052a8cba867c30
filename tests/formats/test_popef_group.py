"""Which files are PopEF, and which of them are one model."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.formats import popef as format_
from app.formats.registry import plan
from generators import popef

GUIDE = popef.guide_blobs()
METADATA, EXECUTABLE, OPAQUE, TENSOR = GUIDE


def grouped(folder: Path, **files: list[bytes]) -> list[list[str]]:
    paths = [popef.write(folder / f"{name}.popef", blobs) for name, blobs in files.items()]
    return [[path.stem for path in members] for members in format_.FORMAT.group(paths)]


def test_whole_models_stand_alone_even_with_the_same_names(tmp_path: Path) -> None:
    assert grouped(tmp_path, a=GUIDE, b=GUIDE, c=GUIDE) == [["a"], ["b"], ["c"]]


def test_data_join_the_file_with_their_anchors(tmp_path: Path) -> None:
    variables = [TENSOR, popef.tensor("momentum", (2,), 3)]
    assert grouped(tmp_path, executable=GUIDE[:3], variables=variables) == [["executable", "variables"]]


def test_metadata_join_the_file_with_their_executable(tmp_path: Path) -> None:
    assert grouped(tmp_path, a=[METADATA, TENSOR], b=[EXECUTABLE], c=[OPAQUE]) == [["a", "b", "c"]]


def test_a_link_may_lead_through_a_file_that_comes_last(tmp_path: Path) -> None:
    other = [popef.executable("2", b""), popef.metadata(popef.Model("2", [popef.Anchor("z")]))]
    groups = grouped(tmp_path, a=[METADATA], o=other, t=[TENSOR], z=[EXECUTABLE])
    assert sorted(groups) == [["a", "t", "z"], ["o"]]


def test_files_that_do_not_complete_one_another_stand_alone(tmp_path: Path) -> None:
    loose = [popef.tensor("nobody's", (2,), 3)]
    assert grouped(tmp_path, a=GUIDE, b=loose) == [["a"], ["b"]]


def test_folders_are_never_mixed(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    paths = [
        popef.write(tmp_path / "one" / "executable.popef", GUIDE[:3]),
        popef.write(tmp_path / "two" / "variables.popef", [TENSOR]),
    ]
    assert format_.FORMAT.group(paths) == [(paths[0],), (paths[1],)]


def test_a_broken_file_stands_alone(tmp_path: Path) -> None:
    bad = tmp_path / "bad.popef"
    bad.write_bytes(b"nonsense")
    good = popef.write(tmp_path / "good.popef", GUIDE)
    assert format_.FORMAT.group([bad, good, tmp_path / "gone.popef"]) == [(bad,), (good,), (tmp_path / "gone.popef",)]


@pytest.mark.parametrize("name", ["model.popef", "cache.poplar_exec", "no suffix", "odd.bin", "graph.json"])
def test_content_decides_not_the_name(name: str, tmp_path: Path) -> None:
    path = popef.write(tmp_path / name, GUIDE)
    jobs, refused = plan([path])
    assert [(job.format.id, job.paths) for job in jobs] == [("popef", (path,))]
    assert not refused


def test_how_sure_the_sniffing_is() -> None:
    sniff = format_.FORMAT.sniff
    assert sniff(METADATA, Path("x")) == 3
    assert sniff(METADATA[:60], Path("x")) == 3  # the rest of a big blob need not be in the head
    assert sniff(popef.header(12, 48), Path("x")) == 2
    assert sniff(popef.header(2, 40), Path("x")) == 0
    assert sniff(METADATA[:47], Path("x")) == 0
    assert sniff(METADATA[:47], Path("x.popef")) == 1
    assert sniff(b"", Path("x.poplar_exec")) == 1


def test_a_folder_of_two_models_opens_as_two_profiles(tmp_path: Path) -> None:
    popef.write(tmp_path / "a.popef", GUIDE)
    popef.write(tmp_path / "executable.popef", [popef.executable("2", b""), popef.metadata(popef.many_anchors(5, "2"))])
    popef.write(tmp_path / "variables.popef", [popef.tensor("encoder/layer_0/attention/weight_3", (2, 4, 4), 3)])
    jobs, _ = plan([tmp_path])
    assert [[path.name for path in job.paths] for job in jobs] == [["a.popef"], ["executable.popef", "variables.popef"]]
