"""Reads files for a command, with progress on a terminal and one line for each file that could not be read."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory

from app.analysis.ascend.launch import with_chip
from app.analysis.chosen_unit import with_unit
from app.analysis.mismatches import mismatch_lines
from app.cli.outputs import STANDARD
from app.cli.terminal import QUIET, OutputError, complain, remark
from app.formats.events import Event, Progress, Sink
from app.language import plural, tr
from app.profile.file_state import ChosenUnit
from app.profile.one_line import one_line
from app.profile.profile import Profile
from app.profile.timeline import can_choose
from app.store.cache.limit import noted
from app.store.load import Opened, read_all

TELL_SECONDS = 0.1
MEGABYTE = 1e6


@contextmanager
def opened(
    files: Sequence[Path], jobs: int = 0, unit: ChosenUnit | None = None, chip: str | None = None
) -> Iterator[Opened]:
    """The profiles of ``files``; files that could not be read, or do not belong together, are reported on standard
    error. ``jobs``: how many processes decode a large file, 0 for the default; ``unit``: that of times in traces, as
    set by hand; ``chip``: that of operators whose files do not name it. SystemExit at the end, with a
    message, if somebody truncated the columns meanwhile."""
    with ExitStack() as stack:
        line = Line()
        files = [_standard_input(stack) if file == STANDARD else file for file in files]
        result = read_all(files, stack, _progress_printer(line), noted(), jobs)
        line.clear()
        for refusal in result.refusals:
            complain(f"{refusal.path}: {refusal.error}")
        for mismatch in mismatch_lines(result.profiles):
            remark(mismatch)
        if unit is not None:
            result.profiles = [with_unit(profile, unit) for profile in result.profiles]
        if chip is not None:
            result.profiles = [with_chip(profile, chip) for profile in result.profiles]
        try:
            yield result
        finally:
            if result.damaged():  # what was written is wrong, or failed for this reason
                complain(tr("the cached columns were truncated while they were in use; run the command again"))
                raise SystemExit(1)


def _standard_input(stack: ExitStack) -> Path:
    """What standard input holds, as a file that exists as long as ``stack``. OutputError if it cannot be kept."""
    target = Path(stack.enter_context(TemporaryDirectory(prefix="tilesight-"))) / "standard-input"
    try:
        with target.open("wb") as file:
            if sys.stdin is not None:
                copyfileobj(sys.stdin.buffer, file)
    except OSError as error:
        raise OutputError(tr("standard input: {reason}", reason=error.strerror or error)) from error
    return target


@contextmanager
def chosen_profile(options: argparse.Namespace) -> Iterator[tuple[Profile | None, int]]:
    """(the only profile of ``options.file``, or that of `--profile`, 0), open meanwhile; else, with a message, (None,
    the exit status): 1 if the file cannot be read, 2 if it is not clear which profile is meant."""
    with opened([options.file.path], options.jobs, options.time_unit) as result:
        profiles = result.profiles
        wrong = no_such_profile(profiles, options.profile) or no_unit_to_set(profiles, options.time_unit)
        profile = None if wrong else the_profile(result, options.file.path, options.profile)
        yield profile, 1 if result.refusals else 2


def the_profile(result: Opened, path: Path, number: int | None) -> Profile | None:
    """The profile of ``path``, or of several the one with that ``number`` (from 1); None, with a message, if there is
    none or it is not clear which."""
    profiles = result.profiles
    if len(profiles) == 1:
        return profiles[0]
    if number is not None and 1 <= number <= len(profiles):
        return profiles[number - 1]
    if profiles:
        names = _numbered(profiles)
        complain(tr("{path} contains several profiles; choose one with --profile N ({names})", path=path, names=names))
    elif not result.refusals:
        complain(tr("{path} contains no profile", path=path))
    return None


def the_baseline(
    stack: ExitStack, path: Path, jobs: int = 0, unit: ChosenUnit | None = None
) -> tuple[Profile | None, int]:
    """(the profile of the baseline ``path``, 0), open as long as ``stack``; else, with a message, (None, the exit
    status): 1 if the file cannot be read, 2 if it contains several profiles, or none."""
    result = stack.enter_context(opened([path], jobs, unit))
    if len(result.profiles) == 1:
        return result.profiles[0], 0
    if result.profiles:
        names = _numbered(result.profiles)
        complain(
            tr("{path} contains several profiles; a baseline may contain only one ({names})", path=path, names=names)
        )
    elif not result.refusals:
        complain(tr("{path} contains no profile", path=path))
    return None, 1 if result.refusals else 2


def _numbered(profiles: Sequence[Profile]) -> str:
    return ", ".join(f"{place}: {profile.name}" for place, profile in enumerate(profiles, 1))


def no_unit_to_set(profiles: Sequence[Profile], unit: ChosenUnit | None) -> bool:
    """Whether a unit of times was given, and all of ``profiles`` (at least one) state theirs or have none; says so."""
    if unit is None or not profiles or any(can_choose(profile.timeline) for profile in profiles):
        return False
    complain(tr("--time-unit applies only to traces (.json, operator files and reports with a trace)"))
    return True


def no_such_profile(profiles: Sequence[Profile], number: int | None) -> bool:
    """Whether `--profile` names none of ``profiles`` (at least one); says so."""
    if number is None or not profiles or 1 <= number <= len(profiles):
        return False
    numbered = numbers_from_1(len(profiles))
    complain(tr("--profile {profile}: no such profile; {numbered}", profile=number, numbered=numbered))
    return True


def numbers_from_1(count: int) -> str:
    """The numbers that ``count`` things have."""
    return plural("there is only 1", "there are 1 to {count}", count=count)


class Line:
    """The progress of long work: one line on standard error, if that is a terminal, at most ten times a second."""

    def __init__(self) -> None:
        self._shown = _on_terminal() and not QUIET.get()
        self._last = 0.0

    def show(self, text: str) -> None:
        now = time.monotonic()
        if self._shown and now - self._last >= TELL_SECONDS:
            self._last = now
            sys.stderr.write(f"\r\033[K{one_line(text)}")
            sys.stderr.flush()

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def _on_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _progress_printer(line: Line) -> Sink:
    def report(event: Event) -> None:
        if isinstance(event, Progress):
            amount = tr(
                "{done} of {total} MB", done=f"{event.done / MEGABYTE:.0f}", total=f"{event.total / MEGABYTE:.0f}"
            )
            line.show(f"{event.phase}: {amount}")

    return report
