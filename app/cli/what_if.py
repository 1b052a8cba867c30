"""`what-if`: what a change would save, estimated by a replay and bounded by what has to remain."""

from __future__ import annotations

import argparse
from math import isfinite
from typing import Any, Final

import msgspec

from app.analysis.parts.offered import NoPart
from app.analysis.time.answers import BadChange
from app.analysis.time.memory import Without
from app.analysis.time.what_if import WhatIf, balanced, scaled, without
from app.cli.common_words import add_jobs, add_profile, add_unit
from app.cli.parser import RawFormatter
from app.cli.reading import chosen_profile
from app.cli.sides import side
from app.cli.terminal import say, say_json, usage_error
from app.language import tr
from app.profile.profile import Profile
from app.views.pages.document import page_lines
from app.views.pages.time import what_if_section, without_section

EPILOG: Final = tr(
    "NAME is the name of slices or a word of it, lane:NAME all work of a lane (thread, pipe, or process/thread),\n"
    "re:PATTERN the slices in whose names a regular expression is found. X is what their durations are multiplied by;\n"
    "the last = of NAME=X separates it. Several changes that fit one slice multiply.\n"
    "\n"
    "  tilesight what-if trace.json --scale VADD=0.5\n"
    "  tilesight what-if trace.json --scale 'lane:MTE2=0' --scale 're:^Conv=0.8'\n"
    "  tilesight what-if report/ --balanced"
)
HIDDEN: Final = frozenset({"why", "lags", "inferred", "registers"})
"""Of the record, what the JSON does not have."""


def add_words(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.formatter_class = RawFormatter
    parser.epilog = EPILOG
    parser.add_argument("file", type=side, metavar="FILE|FOLDER", help=tr("a file or folder, or FILE#PART"))
    changes = parser.add_mutually_exclusive_group()
    changes.add_argument(
        "--scale",
        action="append",
        default=[],
        type=_scale,
        metavar="NAME=X",
        help=tr("multiply durations by X; repeatable"),
    )
    changes.add_argument(
        "--balanced",
        nargs="?",
        const="",
        metavar="STEP",
        help=tr("all tiles take the same time in computing steps of a Poplar run, or in those of one name"),
    )
    changes.add_argument(
        "--without",
        metavar="VARIABLE",
        help=tr("memory of a Poplar graph without a variable: whether it fits, and the peak"),
    )
    parser.add_argument("--json", action="store_true", help=tr("one JSON object for programs"))
    add_profile(parser)
    add_unit(parser)
    add_jobs(parser)


def run(options: argparse.Namespace) -> int:
    """Status 1 if the file could not be read, 2 for a change that fits nothing."""
    if not options.scale and options.balanced is None and options.without is None:
        return usage_error(tr("name a change, such as --scale VADD=0.5"))
    with chosen_profile(options) as (profile, status):
        if profile is None:
            return status
        try:
            own = options.file.of(profile)
            answer = _answer(own, options)
        except (BadChange, NoPart) as error:
            return usage_error(str(error))
        if options.json:
            say_json(facts(answer) if isinstance(answer, WhatIf) else memory_facts(answer))
        elif isinstance(answer, WhatIf):
            say(page_lines(what_if_section(own.name, answer)))
        else:
            say(page_lines(without_section(own.name, answer)))
        return 0


def _answer(profile: Profile, options: argparse.Namespace) -> WhatIf | Without:
    if options.without is not None:
        return without(profile, options.without)
    if options.balanced is not None:
        return balanced(profile, options.balanced)
    factors: dict[str, float] = {}
    for name, factor in options.scale:
        factors[name] = factors.get(name, 1.0) * factor
    return scaled(profile, factors)


def facts(answer: WhatIf) -> dict[str, Any]:
    """The output of `what-if --json`; where the file does not allow it, why."""
    if answer.saving is None:
        return {"path": [], "why": answer.why}
    made = msgspec.structs.asdict(answer) | {"saving": msgspec.structs.asdict(answer.saving)}
    return {key: value for key, value in made.items() if key not in HIDDEN}


def memory_facts(answer: Without) -> dict[str, Any]:
    """The output of `what-if --without --json`: bytes; null where the file does not say."""
    parts = {"tiles": answer.tiles, "peak": answer.peak}
    made = {key: None if part is None else msgspec.structs.asdict(part) for key, part in parts.items()}
    return {"variable": answer.variable, "unit": "B", **made}


def _scale(text: str) -> tuple[str, float]:
    name, _, factor = text.rpartition("=")
    try:
        number = float(factor)
    except ValueError:
        number = -1.0
    if not name or not isfinite(number) or number < 0:
        raise argparse.ArgumentTypeError(
            tr("{text} is not NAME=X with a number of at least 0, such as VADD=0.5", text=f"{text!r}")
        )
    return name, number
