"""`dump`: the contents of PopEF files in the format of popef_dump."""

from __future__ import annotations

import argparse

from app.analysis.popef.doubts import UNVERIFIED
from app.analysis.popef.dump import Line, Sections, details, listing
from app.cli.common_words import path_of
from app.cli.reading import opened
from app.cli.terminal import complain, say, say_styled
from app.language import tr
from app.profile.one_line import one_line
from app.profile.profile import Profile

FORMAT = "popef"
BOLD, QUIET, PLAIN = "\033[1m", "\033[36m", "\033[0m"

OPTIONS = (
    ("-m", "--metadata", "metadata", tr("metadata: what is needed to load and run an executable")),
    ("-a", "--anchors", "anchors", tr("all anchors: names, shapes, programs and handles of inputs and outputs")),
    ("-u", "--user-anchors", "user_anchors", tr("only anchors without tensor or feed data in the files")),
    ("-e", "--execs", "executables", tr("Poplar executables")),
    ("-t", "--tensors", "tensors", tr("tensor data, without their values")),
    ("-f", "--feeds", "feeds", tr("feed data, without their values")),
    ("-o", "--opaques", "opaques", tr("opaque data of frameworks")),
)


def add_words(parser: argparse.ArgumentParser) -> None:
    """The options of popef_dump."""
    parser.epilog = tr("Without an option for a part, prints the list of blobs. {unverified}", unverified=UNVERIFIED)
    parser.add_argument("files", nargs="+", type=path_of, metavar="FILE.popef")
    parser.add_argument("--all", action="store_true", help=tr("all of the parts below"))
    for short, long, name, text in OPTIONS:
        parser.add_argument(short, long, dest=name, action="store_true", help=text)
    parser.add_argument("-c", "--color", action="store_true", help=tr("with colours"))
    parser.add_argument("-v", "--verbose", action="store_true", help=tr("also where each blob is stored in its file"))


def run(options: argparse.Namespace) -> int:
    """Prints the parts of each file; status 1 if one could not be read or is not PopEF."""
    wanted = Sections.all() if options.all else Sections(**{name: getattr(options, name) for _, _, name, _ in OPTIONS})
    with opened(options.files) as result:
        others = [profile for profile in result.profiles if profile.origin.format != FORMAT]
        for profile in result.profiles:
            if profile.origin.format == FORMAT:
                _print(profile, verbose=options.verbose)
                lines = listing(profile, wanted)
                if options.color:
                    say_styled(map(coloured, lines))
                else:
                    say(line.text for line in lines)
        for profile in others:
            for path in profile.origin.paths:
                complain(tr("{path}: not a PopEF file; `tilesight info` shows what it is", path=path))
        return 1 if result.refusals or others else 0


def coloured(line: Line) -> str:
    """Headings bold, keys in colour."""
    text = one_line(line.text)
    key = text[: len(text) - len(text.lstrip())] + one_line(line.key)
    if line.value is None:
        return f"{BOLD}{text}{PLAIN}"
    return f"{QUIET}{key}{PLAIN}{text[len(key) :]}"


def _print(profile: Profile, *, verbose: bool) -> None:
    """Prints problems of a file, and with ``verbose`` its layout, to standard error."""
    for issue in profile.issues:
        if verbose or issue.severity == "error":
            complain(f"{issue.where}: {issue.text}")
    if verbose:
        for line in details(profile):
            complain(line)
