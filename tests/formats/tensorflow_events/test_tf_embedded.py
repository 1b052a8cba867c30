"""Reports inside a log open like files of their own."""

from __future__ import annotations

from pathlib import Path

import orjson

from app.formats.collect import read
from app.formats.parts import inside
from app.formats.registry import plan
from app.profile.tensorflow import COMPILATION_REPORT, EXECUTION_REPORT, TENSOR_MAP, HostEvents
from generators import poplar, tensor_map
from generators import tensorflow_events as log
from generators.trees import plain

SCALE = poplar.Scale(mode="COMPUTE_SETS", compute_sets=9)
NAMES = {
    COMPILATION_REPORT: "cluster_1.compile_report.json",
    EXECUTION_REPORT: "cluster_1.execute_report.json",
    TENSOR_MAP: "cluster_1.tensor_map.json",
}


def write(folder: Path) -> Path:
    path = folder / "events.out.tfevents.1.host"
    graph, run = (orjson.dumps(plain(tree)) for tree in (poplar.graph(SCALE), poplar.execution(SCALE)))
    text = tensor_map.tensor_map(tensor_map.network(2, machine=8))
    path.write_bytes(log.log([log.run(graph=graph, execution=run, executions=1, tensor_map=text)]))
    return path


def parts(path: Path, events: HostEvents) -> dict[int, Path]:
    rows = zip(events.attached.role, events.attached.offset, events.attached.size, strict=True)
    return {int(role): inside(path, int(at), int(size), NAMES[int(role)]) for role, at, size in rows}


def test_graph_execution_and_tensor_map_of_a_module_become_one_profile(tmp_path: Path) -> None:
    path = write(tmp_path)
    jobs, refused = plan([path])
    assert refused == []
    (found,) = read(jobs[0].format, jobs[0].paths)
    assert found.host_events is not None
    inner = parts(path, found.host_events)
    jobs, refused = plan(list(inner.values()))
    assert refused == []
    (job,) = jobs
    assert job.format.id == "poplar"
    (profile,) = read(job.format, job.paths)
    assert profile.name == "cluster_1"
    assert {"target", "programs", "execution", "timeline", "tensor_map"} <= set(profile.filled())
    assert profile.origin.paths == tuple(inner[role] for role in (COMPILATION_REPORT, EXECUTION_REPORT, TENSOR_MAP))
    poplar.write_pair(tmp_path, SCALE)
    (alone,) = read(job.format, [tmp_path / "graph.json", tmp_path / "execution.json"])
    assert alone.execution is not None
    assert profile.execution is not None
    assert alone.execution.cycles == profile.execution.cycles


def test_one_report_opens_alone(tmp_path: Path) -> None:
    path = write(tmp_path)
    jobs, _ = plan([path])
    (found,) = read(jobs[0].format, jobs[0].paths)
    assert found.host_events is not None
    for role, format_id in ((COMPILATION_REPORT, "poplar"), (EXECUTION_REPORT, "poplar"), (TENSOR_MAP, "tensor-map")):
        jobs, refused = plan([parts(path, found.host_events)[role]])
        assert refused == []
        assert [job.format.id for job in jobs] == [format_id]
        assert len(read(jobs[0].format, jobs[0].paths)) == 1
