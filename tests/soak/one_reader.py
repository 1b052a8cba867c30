"""Runs one damaged case through the readers, the tables and the figures."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from app.analysis import export, figures
from app.analysis.ascend import workload
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.ranking import ranking
from app.analysis.kinds import KINDS
from app.analysis.source_view import instruction_view, source_paths, source_view
from app.analysis.tables import TABLES
from app.formats import records, registry
from app.formats.collect import Collector
from app.formats.errors import FormatError
from app.formats.events import Event
from app.formats.registry import plan
from app.profile.issue import Issue
from app.profile.profile import Profile
from app.store import reading
from app.store.load import read_all
from app.store.reading import close_all, open_all
from app.store.token import Token
from soak.case import Id, whole, write
from soak.reports import change

ROOM = 1 << 30
"""Bytes that a process may allocate beyond its initial memory: the files are far below a megabyte."""
GROWN = 256 << 20
"""Peak bytes of memory allowed for one small file."""
SLOW = 4.0
"""Seconds of processor time."""
EVERY_WORKER = 40
"""One case in this many is read again by a worker process, which must report the same."""
EVERY_CHANGED = 2
"""Of the cases that are a folder, one in this many changes while it is read."""
DEFECT = "a defect in Tilesight"
ROWS = 40


class Wrong(Exception):
    """A description of something that a reader must not do."""


def examined(one: Id, folder: Path) -> dict[str, Any]:
    """Reads one case and returns the result; ``wrong`` says what must not happen, "" if nothing did."""
    paths = write(one, folder)
    before, begin = count_anew(), time.process_time()
    result: dict[str, Any] = {"profiles": 0, "refused": 0, "issues": 0, "wrong": ""}
    try:
        changes = one.number % EVERY_CHANGED == 1 and not whole(one) and paths[0].is_dir()
        messages = read_here(paths, result, Random(str(one)) if changes else None)
        if one.number % EVERY_WORKER == 0:
            _same(messages, through_worker(paths))
            result["worker"] = 1
        if whole(one) and not result["profiles"]:
            raise Wrong("a whole file was refused: " + "; ".join(messages))
    except Wrong as wrong:
        result["wrong"] = str(wrong)
    except Exception:
        result["wrong"] = traceback.format_exc()
    result["seconds"] = time.process_time() - begin
    result["grown"] = memory("VmHWM") - before
    if not result["wrong"] and result["seconds"] > SLOW:
        result["wrong"] = f"it took {result['seconds']:.1f} s of processor time"
    if not result["wrong"] and result["grown"] > GROWN:
        result["wrong"] = f"it took {result['grown'] >> 20} MB of memory"
    return result


def read_here(paths: Sequence[Path], result: dict[str, Any], changes: Random | None = None) -> list[str]:
    """Reads and uses the files in this process, without the program's safety net around readers; returns every message
    about them. ``changes``: they change on disk before or after they are opened."""
    jobs, refusals = plan(paths)
    messages = [str(refusal.error) for refusal in refusals]
    for job in jobs:
        collector = Collector(job.format.id)
        early = changes is not None and changes.random() < 0.5
        if changes is not None and early:
            change(list(job.paths), changes)
        try:
            sources = open_all(job)
        except FormatError as error:
            messages.append(str(error))
            continue
        if changes is not None and not early:
            change(list(job.paths), changes)
        try:
            reading.run(job, sources, collector, Token())
        except FormatError as error:
            messages.append(str(error))
        finally:
            close_all(sources)
        messages += [issue.text for profile in collector.profiles for issue in profile.issues]
        result["issues"] += sum(len(profile.issues) for profile in collector.profiles)
        result["profiles"] += len(collector.profiles)
        for profile in collector.profiles:
            used(profile)
    result["refused"] = len(messages) - result["issues"]
    for line in messages:
        if "\n" in line or len(line) > 2000:
            raise Wrong(f"what is said is no line for a person: {line[:300]!r}")
    return messages


def used(profile: Profile) -> None:
    """Computes what the window and the command line do for any profile: figures, tables, texts, records."""
    figures.figures(profile)
    for spec in TABLES:
        for table in spec.tables(profile):
            for form in ("csv", "json"):
                for _ in islice(export.export(table, form), ROWS):
                    pass
    for kind in KINDS.values():
        for _ in kind.names(profile):
            pass
    _compared(profile)
    for path in source_paths(profile)[:3]:
        source_view(profile, path)
    instruction_view(profile)
    if profile.workload is not None:
        for block in workload.block_ids(profile)[:3]:
            workload.block_shares(profile, block)
            workload.tables(profile, block)
    _records(profile)


def _compared(profile: Profile) -> None:
    """Against itself nothing may differ, whatever is in the file."""
    comparison = Comparison(profile, profile)
    ranking(comparison)
    for table in comparison.tables():
        if not table.matches.whole or bool(table.changed.any()):
            raise Wrong(f"the table {table.id} differs from itself")


def _records(profile: Profile) -> None:
    line = profile.timeline
    if line is None or not records.paths(profile) or not len(line.slices.record):
        return
    with suppress(FormatError), records.opened(records.paths(profile)) as source:  # it changed
        for ordinal in line.slices.record[:: max(1, len(line.slices.record) // 5)].tolist():
            with suppress(FormatError):
                records.record(source, profile, ordinal)
        for key, _ in records.argument_keys(source, line, _nothing, _nothing)[:3]:
            records.argument(source, line, key, _nothing, _nothing)


def _nothing(*_: int) -> None:
    pass


def through_worker(paths: Sequence[Path]) -> list[str]:
    """The messages when every file counts as heavy, so that a worker reads it."""
    formats = registry.FORMATS
    messages: list[str] = []

    def listen(event: Event) -> None:
        if isinstance(event, Issue):
            messages.append(event.text)

    registry.FORMATS = tuple(replace(known, heavy=lambda _: True) for known in formats)
    try:
        with ExitStack() as stack:
            opened = read_all(paths, stack, listen)
            return [*(str(refusal.error) for refusal in opened.refusals), *messages]
    finally:
        registry.FORMATS = formats


def _same(here: Sequence[str], there: Sequence[str]) -> None:
    for line in there:
        if DEFECT in line or "decoder stopped" in line or "column store" in line or "more memory" in line:
            raise Wrong(f"the worker said: {line}")
    if sorted(here) != sorted(there):
        raise Wrong(f"this process said {sorted(here)[:5]}, the worker {sorted(there)[:5]}")


def limit() -> None:
    """Limits the address space; memory that is allocated but never touched counts too, as without overcommit."""
    import resource

    words = Path("/proc/self/statm").read_text().split()
    have = int(words[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (have + ROOM, have + ROOM))


def memory(field: str) -> int:
    """VmRSS (current) or VmHWM (peak) of this process in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    return 0


def count_anew() -> int:
    """Resets the peak memory of this process; returns its current memory in bytes."""
    Path("/proc/self/clear_refs").write_text("5")
    return memory("VmRSS")
