"""Rules about launches report what was planted in traces of a host and a device."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.findings import outcomes
from app.analysis.findings.finding import Finding, Outcome
from app.analysis.findings.thresholds import DEFAULT, Thresholds
from app.analysis.time.devices import devices, idle
from app.profile.profile import Origin, Profile
from app.profile.selection import Selection
from app.profile.timeline import Flows, Timeline
from generators.launches import launching
from generators.timelines import timeline as plain

BARE = Profile(name="bare", origin=Origin("any", (Path("/bare"),)))


def outcome(line: Timeline, rule: str, thresholds: Thresholds = DEFAULT) -> Outcome:
    (one,) = (one for one in outcomes(BARE.with_section(line), thresholds) if one.rule.id == rule)
    return one


def said(line: Timeline, rule: str, thresholds: Thresholds = DEFAULT) -> Finding | None:
    one = outcome(line, rule, thresholds)
    assert not one.why
    return one.findings[0] if one.findings else None


def seconds(finding: Finding | None) -> float:
    """The saving in µs."""
    assert finding is not None
    assert finding.saving is not None
    return finding.saving.at_most * 1e6


def collective(start: float, name: str = "ncclDevKernel_AllReduce") -> Timeline:
    """Two kernels of 40 µs one after the other, and a collective of 50 on another stream."""
    host = [(0.0, 1.0, "launch"), (1.0, 1.0, "launch"), (2.0, 1.0, "launch")]
    streams = {"stream 7": [(10.0, 40.0, "gemm"), (50.0, 40.0, "gemm")], "stream 20": [(start, 50.0, name)]}
    return launching(host, streams, [(0, "stream 7", 0), (1, "stream 7", 1), (2, "stream 20", 0)])


def test_communication_that_nothing_hides() -> None:
    finding = said(collective(90.0), "trace.exposed-communication")
    assert finding is not None
    assert finding.severity == "warning"
    assert seconds(finding) == pytest.approx(50.0)  # of 130, the stream with kernels works 80
    assert finding.evidence[0].value == pytest.approx(50e-6)
    assert finding.evidence[0].selection == Selection("slice", (5,))
    assert said(collective(40.0), "trace.exposed-communication") is None
    partly = said(collective(60.0), "trace.exposed-communication")
    assert seconds(partly) == pytest.approx(20.0)


@pytest.mark.parametrize("name", ["hcom_allReduce__586_0_1", "all_gather", "ReduceScatter", "rcclKernel", "alltoall"])
def test_names_of_collectives(name: str) -> None:
    (device,) = devices(collective(90.0, name))
    assert (device.communicating.total, device.computing.total) == (50.0, 80.0)


@pytest.mark.parametrize("name", ["Memcpy DtoH (Device -> Pageable)", "Memset (Device)", "MEMCPY_ASYNC"])
def test_copies_do_not_compute(name: str) -> None:
    (device,) = devices(collective(90.0, name))
    assert (device.communicating.total, device.computing.total, device.span) == (0.0, 80.0, 80.0)


def test_communication_alone_is_no_warning() -> None:
    host = [(0.0, 1.0, "launch"), (1.0, 1.0, "launch")]
    streams = {"stream 7": [(10.0, 2.0, "gemm")], "stream 20": [(12.0, 98.0, "nccl")]}
    finding = said(launching(host, streams, [(0, "stream 7", 0), (1, "stream 20", 0)]), "trace.exposed-communication")
    assert finding is not None
    assert finding.severity == "info"
    assert seconds(finding) == pytest.approx(2.0)


def paced(host: float, late: float, kernel: float = 10.0, count: int = 30) -> Timeline:
    """Launches ``host`` µs apart; each kernel starts ``late`` after the later of its launch and the kernel before."""
    calls, kernels, free = [], [], 0.0
    for number in range(count):
        begin = number * host
        calls.append((begin, min(host, 5.0), "cudaLaunchKernel"))
        start = max(free, begin) + late
        kernels.append((start, kernel, "gemm"))
        free = start + kernel
    return launching(calls, {"stream 7": kernels}, [(number, "stream 7", number) for number in range(count)])


def test_a_device_that_waits_for_its_host() -> None:
    finding = said(paced(25.0, 1.0), "trace.host-bound")
    assert finding is not None
    assert 29 * 14 <= seconds(finding) <= 29 * 25 + 11 - 300 + 1e-6
    assert finding.evidence[0].value == pytest.approx(14e-6)
    assert said(paced(25.0, 1.0), "trace.launch-gaps") is None
    assert said(paced(5.0, 4.0), "trace.host-bound") is None


def test_gaps_although_kernels_are_launched() -> None:
    finding = said(paced(5.0, 4.0), "trace.launch-gaps")
    assert seconds(finding) == pytest.approx(30 * 4.0)
    (device,) = devices(paced(5.0, 4.0))
    gaps = idle(paced(5.0, 4.0), device)
    assert float((gaps.end - gaps.launch).sum()) == pytest.approx(29 * 4.0)
    assert float((gaps.launch - gaps.start).sum()) == 0.0


def test_kernels_shorter_than_the_time_between_launches() -> None:
    finding = said(paced(25.0, 1.0), "trace.small-kernels")
    assert finding is not None
    assert [one.value for one in finding.evidence] == pytest.approx([10e-6, 25e-6, 30])
    assert (finding.severity, finding.saving) == ("info", None)
    assert said(paced(5.0, 1.0), "trace.small-kernels") is None
    assert said(paced(25.0, 1.0, count=10), "trace.small-kernels") is None


def test_traces_without_launches_say_so() -> None:
    line = paced(25.0, 1.0)
    none = np.empty(0, np.int64)
    bare = replace(
        line,
        flows=Flows(
            none.astype(np.int32), np.empty(0), none.astype(np.int32), none, np.empty(0), none.astype(np.int32), none
        ),
    )
    assert "no launches" in outcome(bare, "trace.host-bound").why
    pipes = replace(plain([("core0.veccore0", "MTE2", [[(0.0, 1.0, "MOV", "")]])]), basis="trace")
    assert not [one for one in outcomes(BARE.with_section(pipes)) if one.rule.id.startswith("trace.")]
