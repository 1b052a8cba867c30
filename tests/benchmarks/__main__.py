"""Measures speed and memory and prints one table: figure, target, measured, ratio, verdict.

Each benchmark runs in a separate process. Inputs are generated once and cached in the user's cache folder.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from benchmarks import report
from benchmarks.loads import ROOT, environment
from benchmarks.record import Record
from benchmarks.size import FULL, QUICK, SHORT
from benchmarks.styled import names
from benchmarks.suite import BENCHMARKS, NOT_HERE, Benchmark

FAILED = ": failed"
_SMALL = {
    "quick": "The inputs were small: the verdicts mean nothing, only that everything runs.\n",
    "short": "The inputs were a quarter of their size and read once: starting a worker weighs four times as much.\n",
}
CHATTER = "This plugin does not support "
"""A warning that Qt's offscreen platform prints for every window."""


def main(words: Sequence[str]) -> int:
    """The exit status: 0 when everything was measured, whatever the verdicts, 1 when a benchmark failed, 2 for a usage
    error."""
    options = _options(words)
    size = replace(QUICK if options.quick else SHORT if options.short else FULL, only=tuple(options.only))
    known = {one.name: one for one in BENCHMARKS}
    if options.one:
        records = known[options.names[0]].measure(size)
        sys.stdout.write("\n" + json.dumps(msgspec.to_builtins(records)) + "\n")
        return 0
    wrong = [name for name in options.names if name not in known]
    if wrong:
        sys.stderr.write(f"no such benchmark: {', '.join(wrong)}; there are {', '.join(known)}\n")
        return 2
    unknown = [word for word in options.only if not any(word in name for name in names())]
    if unknown:
        sys.stderr.write(f"no input has this in its name: {', '.join(unknown)}; there are {', '.join(names())}\n")
        return 2
    begin, load = time.perf_counter(), report.load()
    chosen = [one for one in BENCHMARKS if not options.names or one.name in options.names]
    flags = [f"--{name}" for name in ("quick", "short") if getattr(options, name)]
    flags += [part for word in options.only for part in ("--only", word)]
    records = [record for one in chosen for record in _run(one, flags)]
    records += NOT_HERE if not options.names and not options.only else ()
    seconds = time.perf_counter() - begin
    if options.json:
        sys.stdout.write(json.dumps(report.document(records, seconds), indent=1) + "\n")
    else:
        sys.stdout.write(
            report.table(records, everything=options.all) + "\n\n" + report.summary(records, seconds, load) + "\n"
        )
        if not size.full:
            sys.stdout.write(_SMALL["quick" if options.quick else "short"])
    return int(any(record.name.endswith(FAILED) for record in records))


def _run(one: Benchmark, flags: Sequence[str]) -> list[Record]:
    """Runs one benchmark in a separate process; where it fails, returns one record that says so."""
    sys.stderr.write(f"measuring {one.name}: {one.what}\n")
    sys.stderr.flush()
    command = [sys.executable, "-m", "benchmarks", "--one", one.name, *flags]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False)
    words = [line for line in done.stderr.splitlines() if not line.startswith(CHATTER)]
    sys.stderr.writelines(f"{line}\n" for line in words)
    if done.returncode:
        note = f"exit status {done.returncode}: {next(filter(None, reversed(words)), 'it said nothing')}"
        return [Record(f"{one.name}{FAILED}", one.targets, None, "", note=note)]
    return msgspec.json.decode(done.stdout.splitlines()[-1], type=list[Record])


def _options(words: Sequence[str]) -> argparse.Namespace:
    names = "\n".join(f"  {one.name:10} {one.targets:10} {one.what}" for one in BENCHMARKS)
    parser = argparse.ArgumentParser(
        "dev.py bench",
        description=__doc__,
        epilog=f"benchmarks:\n{names}",
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these benchmarks")
    parser.add_argument("--json", action="store_true", help="print all records as JSON")
    parser.add_argument("--all", action="store_true", help="show figures without a bound too")
    parser.add_argument("--quick", action="store_true", help="small inputs: only shows that everything runs")
    parser.add_argument("--short", action="store_true", help="a quarter of the size, one run each: a minute a family")
    parser.add_argument(
        "--only", action="append", default=[], metavar="WORD", help="only inputs whose name (family/style) contains it"
    )
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
