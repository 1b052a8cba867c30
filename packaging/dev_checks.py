"""All checks: style, types, layers, tests. Every step runs, even if an earlier one failed. Types are checked beside the
tests: that takes one process, and journeys leave cores free. The quick lane leaves out slow tests and journeys
(``tests/guards/lanes.py``)."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

MOST_PROCESSES = 4
"""Each process needs some hundred megabytes."""
QUICK = "--quick"
BESIDE = "mypy"
"""The step that runs beside the others."""
LINT_IMPORTS = "from importlinter.cli import lint_imports_command as check; check()"
"""Not its script, because that contains the path of the environment and fails when the folder is moved."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one step; ``status`` is its exit status."""

    name: str
    seconds: float
    status: int


def steps(pytest_arguments: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Names, and arguments for the environment's Python, fastest first. The full test suite runs in several processes,
    one more than there are cores, because journeys spend much of their time waiting. A selection of tests runs in one
    process, so that a debugger and print work."""
    processes = str(min((os.cpu_count() or 1) + 1, MOST_PROCESSES))
    chosen = list(pytest_arguments)
    if chosen in ([], [QUICK]):
        chosen += ["-n", processes, "--dist", "worksteal", "--quiet"]
    return [
        ("ruff check", ["-m", "ruff", "check", "--quiet"]),
        ("ruff format", ["-m", "ruff", "format", "--check", "--quiet"]),
        ("import layers", ["-c", LINT_IMPORTS, "--no-logo"]),
        (BESIDE, ["-m", "mypy"]),
        ("pytest", ["-m", "pytest", *chosen]),
    ]


def check(python: Path, root: Path, pytest_arguments: Sequence[str]) -> int:
    """Runs all steps in the repository; returns 0 if none failed."""
    began = time.perf_counter()
    commands = {name: [str(python), *arguments] for name, arguments in steps(pytest_arguments)}
    with ThreadPoolExecutor(1) as executor:
        beside = executor.submit(run_silently, BESIDE, commands.pop(BESIDE), root) if BESIDE in commands else None
        results = [run(name, command, root) for name, command in commands.items()]
    if beside is not None:
        result, output = beside.result()
        print(f"\n── {result.name}\n{output}", flush=True)
        results.append(result)
    print(summary(results, time.perf_counter() - began), flush=True)
    return int(any(result.status for result in results))


def run(name: str, command: Sequence[str], root: Path) -> Result:
    print(f"\n── {name}", flush=True)
    began = time.perf_counter()
    done = subprocess.run(command, cwd=root, env=environment(), check=False)
    return Result(name, time.perf_counter() - began, done.returncode)


def run_silently(name: str, command: Sequence[str], root: Path) -> tuple[Result, str]:
    """The result, and what it printed."""
    began = time.perf_counter()
    done = subprocess.run(
        command, cwd=root, env=environment(), check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return Result(name, time.perf_counter() - began, done.returncode), done.stdout


def environment() -> dict[str, str]:
    """The user's environment variables without those that would make Python import other packages than the
    environment's."""
    inherited = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    return inherited | {"PYTHONUTF8": "1"}


def summary(results: Sequence[Result], total: float) -> str:
    """One line per step, and the names of the failed ones; ``total`` is how many seconds they took together."""
    lines = [""]
    for result in results:
        verdict = "ok" if result.status == 0 else f"failed (exit status {result.status})"
        lines.append(f"{result.name:14} {result.seconds:7.1f} s  {verdict}")
    failed = [result.name for result in results if result.status]
    lines.append(f"{'all':14} {total:7.1f} s  {'failed: ' + ', '.join(failed) if failed else 'ok'}")
    return "\n".join(lines)
