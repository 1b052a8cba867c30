"""Stress test: damaged and hostile files of every format, and repeated opening, closing and cancelling.

Prints a report with the seed and the worst costs of hostile files: processor time, time and memory per megabyte of the
file, and seconds until a cancelled load has ended, each with its case. Failing inputs are stored in folders whose names
are accepted by ``--repeat``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from soak import damaged, windows
from soak.case import Id
from soak.corpus import MAKERS
from soak.outcome import Outcome, table

PARTS = ("damaged", "hostile", *windows.PARTS)
NAMES = (*MAKERS, *(f"hostile-{name}" for name in MAKERS))
READERS_SHARE = 0.7
"""Share of the time; the windows take the rest, and slightly more if necessary."""


def main(words: Sequence[str]) -> int:
    """Exit status 0 if no fault was found, 1 if there was one, 2 for a usage error."""
    if not sys.platform.startswith("linux"):
        sys.stderr.write("the soak limits and counts memory as only Linux can\n")
        return 2
    options = _options(words)
    case_folder = options.keep or Path(tempfile.mkdtemp(prefix="tilesight-soak-"))
    if options.repeat is not None:
        return _report([damaged.repeat(options.repeat, case_folder)], options.repeat.seed, case_folder)
    begin, outcomes = time.monotonic(), []
    for name, part in _parts(options, case_folder):
        sys.stderr.write(f"{time.monotonic() - begin:6.0f} s  {name}\n")
        sys.stderr.flush()
        outcomes.append(part())
    return _report(outcomes, options.seed, case_folder)


def _parts(options: argparse.Namespace, case_folder: Path) -> list[tuple[str, Callable[[], Outcome]]]:
    seconds = options.minutes * 60
    chosen = options.parts or PARTS
    formats = [(name, False) for name in MAKERS if name in chosen or "damaged" in chosen]
    formats += [(name, True) for name in MAKERS if f"hostile-{name}" in chosen or "hostile" in chosen]
    others = [name for name in windows.PARTS if name in chosen]
    share = seconds * (READERS_SHARE if others else 1) / max(1, len(formats))
    rest = (seconds - share * len(formats)) / max(1, len(others))
    return [
        *(
            (
                f"{'hostile' if hostile else 'damaged'} {name}",
                partial(damaged.one_format, name, options.seed, share, case_folder, hostile),
            )
            for name, hostile in formats
        ),
        *((name, partial(windows.part, name, options.seed, rest)) for name in others),
    ]


def _report(outcomes: Sequence[Outcome], seed: int, case_folder: Path) -> int:
    wrong = sum(len(outcome.wrong) for outcome in outcomes)
    width = max((len(outcome.name) for outcome in outcomes), default=0)
    for outcome in outcomes:
        print(f"{outcome.name:{width}}  {'FAILED' if outcome.wrong else 'ok':6}  {outcome.told}")
        for line in outcome.wrong[:20]:
            print(f"{'':{width}}    {line}")
    if costs := [outcome.costs for outcome in outcomes if outcome.costs is not None]:
        print("", *table(costs), sep="\n")
    print(f"\nseed {seed}: {f'{wrong} failures, kept in {case_folder}' if wrong else 'nothing found'}")
    return int(wrong > 0)


def _options(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("dev.py soak", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"only these parts: {', '.join((*PARTS, *NAMES))}")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long in all, about (10)")
    parser.add_argument("--seed", type=int, default=1, help="other damage (1)")
    parser.add_argument("--keep", type=Path, help="where failing files go (a new temporary folder)")
    parser.add_argument("--repeat", type=_id, metavar="CASE", help="one case again, by its name")
    options = parser.parse_args(words)
    wrong = [name for name in options.parts if name not in (*PARTS, *NAMES)]
    if wrong:
        parser.error(f"no such part: {', '.join(wrong)}")
    return options


def _id(word: str) -> Id:
    try:
        return Id.of(word)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
