"""The bundled samples are what their script makes, small, listed, and open without a word of complaint."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from app.analysis.checks import check
from app.formats.collect import read
from app.formats.registry import plan
from app.resources import resource
from app.window.samples import samples
from generators import make_help_examples, make_samples

FOLDER = resource("samples")
BESIDE = {".png", ".gitattributes"}
"""What lies beside the samples: pictures of the window with them in it."""


def bundled() -> dict[str, Path]:
    files = (path for path in FOLDER.rglob("*") if path.is_file())
    return {
        path.relative_to(FOLDER).as_posix(): path
        for path in files
        if path.suffix not in BESIDE and path.name not in BESIDE
    }


def test_the_committed_samples_are_what_the_script_makes(tmp_path: Path) -> None:
    made = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in make_samples.make(tmp_path)}
    assert sorted(made) == sorted(bundled())
    different = [name for name, path in bundled().items() if path.read_bytes() != made[name]]
    assert different == [], "run generators.make_samples and commit what it writes"


def test_the_committed_examples_of_the_help_are_what_their_script_makes(tmp_path: Path) -> None:
    made = {path.relative_to(tmp_path): path.read_bytes() for path in make_help_examples.make(tmp_path)}
    folder = resource("help", "examples")
    there = {path.relative_to(folder) for path in folder.rglob("*.*") if path.suffix in (".json", ".txt", ".csv")}
    assert there == set(made)
    different = [name for name, content in made.items() if (folder / name).read_bytes() != content]
    assert different == [], "run generators.make_help_examples and commit what it writes"


def test_the_samples_are_a_few_megabytes() -> None:
    assert sum(path.stat().st_size for path in bundled().values()) < 5_500_000
    assert (FOLDER / "resnet_inference.popef").stat().st_size < 300_000


def test_the_index_lists_every_sample_and_nothing_else() -> None:
    index = orjson.loads((FOLDER / "index.json").read_bytes())
    listed = {name for entry in index for name in entry["files"]}
    assert listed | {"index.json"} == {name.split("/")[0] for name in bundled()}
    assert all(set(entry) == {"id", "files"} for entry in index)
    assert len(samples()) == len(index)
    for sample in samples():
        assert "generated" in sample.description.lower()  # so that nobody mistakes them for captures
        assert sample.title != sample.id
        assert len(sample.title) < 40


@pytest.mark.parametrize(
    ("name", "format_id", "sections"),
    [
        ("resnet-1472-tiles", "poplar", {"target", "programs", "tile_memory", "liveness", "execution", "timeline"}),
        ("resnet-32-tiles-measured", "poplar", {"target", "compute_sets", "measured_cycles", "steps", "timeline"}),
        (
            "matmul_leakyrelu.bin",
            "ascend-bin",
            {"operator", "sources", "lines", "instructions", "core_load", "roofline"},
        ),
        (
            "OPPROF_20260821101500_QWERTYUIOPASDFGH",
            "ascend-report",
            {"operator", "workload", "core_load", "memory_paths", "lines", "instructions", "sources", "timeline"},
        ),
        ("training.pt.trace.json", "ascend-trace", {"timeline"}),
        ("resnet_inference.popef", "popef", {"blobs", "model"}),
        ("events.out.tfevents.1559736000.host", "tensorflow-events", {"host_events", "timeline", "tensor_map"}),
        ("paged_attention_20260918_101500", "pypto", {"core_tasks", "timeline"}),
        ("matrix_multiply_aie.json", "ascend-trace", {"worker_cores", "device_run", "timeline"}),
        (
            "wormhole-mlp",
            "tenstorrent",
            {"worker_cores", "operations", "device_run", "noc_transfers", "core_memory", "timeline", "lines"},
        ),
    ],
)
def test_each_sample_opens_as_one_profile_without_issues(name: str, format_id: str, sections: set[str]) -> None:
    jobs, refused = plan([FOLDER / name])
    assert not refused
    assert [job.format.id for job in jobs] == [format_id]
    profiles = read(jobs[0].format, jobs[0].paths)
    assert len(profiles) == 1
    assert sections <= set(profiles[0].filled())
    said = [*profiles[0].issues, *check(profiles[0])]
    assert [issue.text for issue in said if "single cores were not read" not in issue.text] == []
