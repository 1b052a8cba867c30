"""`scaling`: throughput over replicas, from given numbers, from a profile, or both; comparison of two profiles."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.analysis.scaling import amdahl
from app.analysis.scaling.advice import Facts
from app.analysis.scaling.doubling import Sides, constant_share, sides, tables
from app.analysis.scaling.inputs import FIELDS, GROUPS, Field, settle
from app.analysis.scaling.measure import Measurement, measure
from app.analysis.scaling.model import model
from app.analysis.scaling.points import FORM, MOST_CHARACTERS, Points, parse
from app.analysis.scaling.quantities import Kind, written
from app.analysis.scaling.quantities import parse as quantity
from app.cli.common_words import path_of
from app.cli.parser import RawFormatter
from app.cli.reading import opened
from app.cli.scaling_json import as_object
from app.cli.terminal import complain, say, say_json, usage_error
from app.language import tr
from app.profile.profile import Profile
from app.views.pages.document import block_lines
from app.views.pages.scaling import Pair, scaling_sections

FAMILY = "poplar"
MOST_PROFILES = 2
WITHOUT = tr("the allreduce time is unknown, so the figures exclude it")
EPILOG = tr(
    "Write times as 16ms, sizes as 100MB, bandwidths as 64GB/s or 200Gb/s, shares as 5%.\n"
    "The profile supplies the values that you do not type. A value that is still missing is requested, never guessed.\n"
    "\n"
    "throughput = R x MBS x GA / (GA x T_MB + T_AR). {note}\n",
    note=amdahl.NOTE,
)


def add_words(parser: argparse.ArgumentParser) -> None:
    """The fields of the model, as options."""
    parser.epilog = EPILOG
    parser.formatter_class = RawFormatter
    parser.add_argument(
        "files",
        nargs="*",
        type=path_of,
        metavar="FILE|FOLDER",
        help=tr("a Poplar profile, or two with different replicas"),
    )
    parser.add_argument("--json", action="store_true", help=tr("one JSON object for programs"))
    parser.add_argument(
        "--loop", type=int, metavar="PROGRAM", help=tr("the micro-batch loop, if there are several candidates")
    )
    parser.add_argument(
        "--measured", type=path_of, metavar="FILE.csv", help=tr("measured throughputs. {form}", form=FORM)
    )
    parser.add_argument("--show", type=_counts, default=(), metavar="R,R,…", help=tr("further replica counts to show"))
    parser.add_argument(
        "--profile-replicas",
        type=_counts,
        default=(),
        metavar="R,R",
        help=tr("replica counts of two profiles that do not state them"),
    )
    for group in GROUPS:
        part = parser.add_argument_group(group)
        for field in (field for field in FIELDS if field.group == group):
            flag: dict[str, Any] = {"nargs": "?", "const": 1.0} if field.kind == "flag" else {}
            meta = "yes|no" if flag else field.kind.upper()
            typed = _typed(field.kind)
            part.add_argument(field.option, dest=field.key, type=typed, metavar=meta, help=_help(field), **flag)


def run(options: argparse.Namespace) -> int:
    """Status 1 if a file cannot be read, 2 for inputs that are invalid or insufficient."""
    try:
        points = _points(options.measured)
    except OSError as error:
        complain(f"{options.measured}: {error.strerror or error}")
        return 1
    except UnicodeDecodeError:
        complain(tr("{measured}: not a text file", measured=options.measured))
        return 1
    for problem in points.problems:
        complain(f"{options.measured}: {problem}")
    with opened(options.files) as result:
        profiles = [profile for profile in result.profiles if profile.origin.format == FAMILY]
        for profile in result.profiles:
            if profile.origin.format != FAMILY:
                complain(
                    tr("{profile}: not a Poplar profile; only Poplar profiles can be used here", profile=profile.name)
                )
        if len(profiles) > MOST_PROFILES:
            return usage_error(tr("there are {count} profiles; give one, or two to compare", count=len(profiles)))
        try:
            status = _answer(options, profiles, points)
        except ValueError as error:
            return usage_error(str(error))
        refused = result.refusals or len(profiles) < len(result.profiles)
        return 1 if refused or points.problems else status


def _answer(options: argparse.Namespace, profiles: list[Profile], points: Points) -> int:
    compared = _compared(options, profiles)
    profile = compared.a if compared is not None else profiles[0] if profiles else None
    measured = None if profile is None else measure(profile, options.loop)
    typed = {field.key: value for field in FIELDS if (value := getattr(options, field.key)) is not None}
    fitted = model(settle(typed, measured), points, options.show)
    if fitted is None and compared is None and not points.points and not points.cases:
        for loop in measured.loops.all if measured is not None else ():
            complain(f"--loop {loop.program}: {loop.label}")
        return usage_error(_asks(measured))
    made = [] if compared is None else tables(compared)
    memory = next((table for table in made if table.id == "scaling-memory"), None)
    facts = Facts(fitted, measured, profile, memory, points)
    if fitted is not None and not fitted.complete and fitted.replicas > 1:
        complain(tr("{without}: give --allreduce-time or --gradient-bytes", without=WITHOUT))
    share = None if compared is None else constant_share(compared)
    pair = Pair(made, share)
    if options.json:
        say_json(as_object(facts, pair))
    else:
        say(block_lines(scaling_sections(facts, pair), ""))
    return 0


def _asks(measured: Measurement | None) -> str:
    text = tr("the time of a micro-batch is needed: give --micro-batch-time, or a profile of a run")
    why = getattr(measured.micro_batch, "why", "") if measured is not None else ""
    return f"{text}. {why}" if why else text


def _compared(options: argparse.Namespace, profiles: list[Profile]) -> Sides | None:
    if len(profiles) < MOST_PROFILES:
        return None
    given = (*options.profile_replicas, None, None)[:2]
    return sides(profiles[0], profiles[1], (given[0], given[1]))


def _points(path: Path | None) -> Points:
    if path is None:
        return Points()
    if not path.is_file():
        raise OSError(None, tr("not a file") if path.exists() else tr("no such file"))
    with path.open(encoding="utf-8-sig") as file:
        return parse(file.read(MOST_CHARACTERS + 1))


def _typed(kind: Kind) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            return quantity(text, kind)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return read


def _counts(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(quantity(part, "count")) for part in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _help(field: Field) -> str:
    text = field.help
    if field.default is not None and field.kind != "flag":
        text += f" ({written(field.default, field.kind)})"
    return text.replace("%", "%%")
