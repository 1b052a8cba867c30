"""Arguments that several commands take, and how their texts are read. A text that cannot be read is an
ArgumentTypeError."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from app.language import tr

if TYPE_CHECKING:
    from app.profile.file_state import ChosenName, ChosenUnit

MOST_JOBS = 64
UNITS: dict[str, ChosenName] = {"us": "µs", "µs": "µs", "ns": "ns", "cycles": "cycles"}


def add_files(parser: argparse.ArgumentParser) -> None:
    """One file or folder, or several."""
    parser.add_argument("files", nargs="+", type=path_of, metavar="FILE|FOLDER")


def add_profile(parser: argparse.ArgumentParser) -> None:
    """`--profile N`."""
    parser.add_argument(
        "--profile", type=int, default=None, metavar="N", help=tr("which profile, if files contain several: 1, 2, …")
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """`--jobs N`, and `-q`: of commands that read files."""
    parser.add_argument(
        "-q", "--quiet", action="store_true", help=tr("no progress and no remarks on standard error, only errors")
    )
    parser.add_argument(
        "--jobs",
        type=_jobs,
        default=0,
        metavar="N",
        help=tr("how many processes decode a large file (default: one per processor, at most 8)"),
    )


def add_format(group: argparse._MutuallyExclusiveGroup) -> None:
    """`--format FORMAT`."""
    group.add_argument(
        "--format",
        choices=("markdown", "junit", "github"),
        default=None,
        help=tr("markdown for comments, junit (XML) for build servers, github: annotations of its workflows"),
    )


def add_unit(parser: argparse.ArgumentParser) -> None:
    """`--time-unit UNIT`."""
    parser.add_argument(
        "--time-unit",
        type=_unit,
        metavar="UNIT",
        help=tr("unit of the times of traces: us, ns, or cycles@MHZ of a clock (cycles: the clock of the profile)"),
    )


def add_chip(parser: argparse.ArgumentParser) -> None:
    """`--chip CHIP`."""
    parser.add_argument(
        "--chip",
        type=_chip,
        metavar="CHIP",
        help=tr("the chip of Ascend operators whose files do not name it, such as 910B2: how many cores it has"),
    )


def add_tiles(parser: argparse.ArgumentParser) -> None:
    """`--tiles TILES`."""
    parser.add_argument(
        "--tiles",
        metavar="TILES",
        help=tr("only tables of these tiles (0-63,128 or “ipu 1”): what takes their memory"),
    )


def path_of(text: str) -> Path:
    """A file or folder. An empty name, as of a variable that is not set, is not the current folder."""
    if not text:
        raise argparse.ArgumentTypeError(tr("the name is empty"))
    return Path(text)


def row_count(text: str) -> int:
    """The number of `--limit`."""
    if not text.isdecimal() or len(text) > 12:
        raise argparse.ArgumentTypeError(tr("{text} is not a number of rows", text=f"{text!r}"))
    return int(text)


def size(text: str) -> tuple[int, int]:
    """Width and height in pixels."""
    from app.panels.spec import MOST_PIXELS

    match = re.fullmatch(r"(\d{2,5})[xX×](\d{2,5})", text)
    if match is None:
        raise argparse.ArgumentTypeError(tr("{text} is not a size; write it as 1600x1000", text=f"{text!r}"))
    width, height = int(match[1]), int(match[2])
    if width * height > MOST_PIXELS:
        raise argparse.ArgumentTypeError(tr("{text} is too large for an image", text=f"{text!r}"))
    return width, height


def _unit(text: str) -> ChosenUnit:
    from app.profile.file_state import ChosenUnit

    name, at, frequency = text.partition("@")
    unit = UNITS.get(name)
    if unit is not None and not at:
        return ChosenUnit(unit)
    try:
        chosen = ChosenUnit("cycles", float(frequency.lower().removesuffix("mhz")) * 1e6)
    except ValueError:
        chosen = None
    if chosen is None or unit != "cycles" or not chosen.valid:
        raise argparse.ArgumentTypeError(tr("{text} is not a time unit; write us, ns or cycles@1650", text=f"{text!r}"))
    return chosen


def _chip(text: str) -> str:
    from app.analysis.ascend.cores import AI_CORES, ai_cores

    if not ai_cores(text):
        known = ", ".join(AI_CORES)
        raise argparse.ArgumentTypeError(tr("{text} is not a known chip ({known})", text=f"{text!r}", known=known))
    return text


def _jobs(text: str) -> int:
    if re.fullmatch(r"[1-9]\d?", text) is None or int(text) > MOST_JOBS:
        raise argparse.ArgumentTypeError(
            tr("{text} is not a number from 1 to {most}", text=f"{text!r}", most=MOST_JOBS)
        )
    return int(text)
