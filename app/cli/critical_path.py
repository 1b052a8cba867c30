"""`critical-path`: the chain of work and waits that fills the time of a file."""

from __future__ import annotations

import argparse
from typing import Any

import msgspec

from app.analysis.parts.offered import NoPart
from app.analysis.time.answers import BadChange, CriticalPath, critical_path_of
from app.cli.common_words import add_jobs, add_profile, add_unit
from app.cli.reading import chosen_profile
from app.cli.sides import side
from app.cli.terminal import say, say_json, usage_error
from app.language import tr
from app.views.pages.document import page_lines
from app.views.pages.time import path_section


def add_words(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("file", type=side, metavar="FILE|FOLDER", help=tr("a file or folder, or FILE#PART"))
    parser.add_argument("--scope", default="", metavar="CORE", help=tr("only this core, such as core0.veccore1"))
    parser.add_argument("--json", action="store_true", help=tr("one JSON object for programs"))
    add_profile(parser)
    add_unit(parser)
    add_jobs(parser)


def run(options: argparse.Namespace) -> int:
    """Status 1 if the file could not be read, 2 for a core that does not exist."""
    with chosen_profile(options) as (profile, status):
        if profile is None:
            return status
        try:
            own = options.file.of(profile)
            answer = critical_path_of(own, options.scope)
        except (BadChange, NoPart) as error:
            return usage_error(str(error))
        if options.json:
            say_json(facts(answer))
        else:
            say(page_lines(path_section(own.name, answer)))
        return 0


def facts(answer: CriticalPath) -> dict[str, Any]:
    """The output of `critical-path --json`; ``why`` stands there only if there is no path,
    ``registers`` only if they play a part."""
    made: dict[str, Any] = msgspec.structs.asdict(answer)
    made["parts"] = None if answer.parts is None else msgspec.structs.asdict(answer.parts)
    made["by_name"] = [msgspec.structs.asdict(one) for one in answer.by_name]
    made["registers"] = None if answer.registers is None else msgspec.structs.asdict(answer.registers)
    made["path"] = [msgspec.structs.asdict(one) for one in answer.path]
    return {key: value for key, value in made.items() if key not in ("why", "registers") or value}
