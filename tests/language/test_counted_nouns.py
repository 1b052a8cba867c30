"""A count before a noun is a real plural ("1 value", "2 values"): texts with a count go through ``plural``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

APP = Path(__file__).parents[2] / "app"
NOUNS = """
accesses allreduces anchors arrows blobs blocks bytes calls cases cells characters charts children columns components
cores counters dimensions edges elements entries events exchanges executions fields files flows frames
functions groups ids images indices instances instants instructions issues items kinds lanes levels lines
loops maps names nodes notes numbers ones others pairs panels parts pieces points problems profiles programs
ranges ratios records repeats replicas rows samples sections sets sizes slices steps tensors texts tiles times
tracks types updates values variables vertices waves
"""
COUNTED = re.compile(r"\{(?P<name>\w+)(?::,)?\}(?P<between>(?: [a-z-]+){0,2}?) (?P<noun>[a-z]+)\b")
BETWEEN = frozenset(
    ("", " more", " other", " such", " different", " active", " identical", " free", " vertex", " compute", " rarer")
)
BEGINNING = 100
SEVERAL = frozenset(
    (
        "\n{part} of all {total} samples = 100 · samples / all samples",
        " … ({count:,} tiles)",
        "As stored in the entry; the numbers in {variant} files differ from those in others.",
        "For {several:,} {what}, the longest tile takes as long as one step in {last:,} cases, as long as all",
        "Not selected: one of {every:,} executions of this module has a report (report_every_nth_execution).",
        "One of {every:,} executions of this module has a report (report_every_nth_execution). This one was s",
        "Only slices of {count:,} lanes.",
        "Only slices with {count:,} names",
        "Path, nearest {count} of {around_count:,} levels",
        "Payload bytes in the files: the content of {blob_type} blobs after the message.",
        "Save {count:,} blocks into a folder",
        "The payload contains {there:,} of the {elements:,} elements of this shape; the others are missing.",
        "Tile / {each:,} tiles per IPU, {source}.",
        "Without {lacking} exchanges, which the file does not have.",
        "[{shown}, … {count:,} dimensions]",
        "a header of {first:,} bytes is impossible; entries are read from byte {head}",
        "a message of {size:,} bytes is larger than the limit for decoding ({max_message_bytes:,})",
        "{tasks} take {time} on {used:,} of {cores:,} cores; all cores work {share} of it",
        'column "{cells}" has rows of 1 to {width:,} values; only the first value of each is used',
        "compressed: its {packed:,} bytes expand to more than {limit:,}; if that is correct, unpack it first",
        "only the first {most:,} of {count:,} entries are read",
        "skipped: rows of {part:,} numbers, but those of {present} have {width:,}",
        "skipped: {rows:,} rows for {count:,} {what}",
        "the IPUs wait {share} of the time for the host, which can feed {rate} samples/s",
        "the block table has {wanted:,} columns for few values; the first {count:,} are shown",
        "the file has durations for only {count:,} of {blocks:,} blocks",
        "the first of {count:,} events",
        "the largest of {count:,} blobs here",
        "the longest of {count:,} slices in this pixel; zoom in to see the others",
        "the module's name has {size:,} bytes; it is truncated",
        "the shape has {elements:,} elements, but the payload contains {there:,}; it cannot be saved",
        "the table has {count:,} columns; a sheet has at most {most:,}",
        "the timeline is {times} times as long as the operator ({span} µs, {duration} µs): it is from another",
        "the {drawn:,} largest of {there:,} blocks in view; zoom in for the others",
        "the {what} names the executable {quoted}, which is missing",
        "there are {count} profiles; give one, or two to compare",
        "unknown entry size {size:,} bytes; 160 and 164 are known",
        "values for {width} cores, but {count} core names",
        "{block} is empty ({size} bytes, {padding} of them padding)",
        "{count:,} lanes",
        "{count:,} loops ran, and none takes data from the host: choose the one over micro-batches.",
        "{count:,} loops take data from the host: choose the one over micro-batches.",
        "{count:,} slices",
        "{count} steps, from {shortest} to {longest}",
        "{count} dimensions have no index; give an index for all but two",
        "{help} The {most:,} largest of {count:,} tensors.",
        "{instances:,} instances on {all_nodes:,} NUMA nodes",
        "{ipus:,} IPUs of the target / {count:,} replicas.",
        "{iterations:,} device iterations × {replicas:,} replicas × {batch:,} micro-batch",
        "{part} occurs {count:,} times; only the first {max_traces:,} are read",
        "{place} · max of {count:,} × {columns_count:,} cells here",
        "{replicas} replicas cannot form groups of {span}",
        "{reports:,} of {executions:,} executions of this module have reports: this one was not selected (rep",
        "{second} occurs {count} times; only the first is shown",
        "{suffix} files need {package}: {how}",
        "{text} (in {count:,} of {size:,} cells)",
        "{text} ({often} times)",
        "{value} samples/s",
        "{whole} cycles x {tiles:,} tiles",
        "… ({count:,} characters)",
        "… ({count:,} lines)",
    )
)
"""The first 100 characters of texts that are shown only where there are several, or have a name or a rate in that
place."""


def texts(module: Path) -> Iterator[tuple[str, dict[str, ast.expr]]]:
    """The texts without a plural form, and their arguments."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tr" and node.args:
            text = node.args[0]
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield text.value, {word.arg: word.value for word in node.keywords if word.arg}


def is_limit(value: ast.expr | None) -> bool:
    """Whether an argument is a constant, which is large."""
    name = value.attr if isinstance(value, ast.Attribute) else value.id if isinstance(value, ast.Name) else ""
    return name.isupper() or name.lstrip("_").startswith(("max_", "most", "limit"))


def counted(text: str, arguments: dict[str, ast.expr]) -> bool:
    """Whether a text has one count, of things that have a plural."""
    places = [
        match
        for match in COUNTED.finditer(text)
        if match["noun"] in NOUNS.split() and match["between"] in BETWEEN and not is_limit(arguments.get(match["name"]))
    ]
    return len(places) == 1


def test_texts_with_a_count_have_a_plural() -> None:
    found = {
        text[:BEGINNING]: module.relative_to(APP).as_posix()
        for module in sorted(APP.rglob("*.py"))
        for text, arguments in texts(module)
        if counted(text, arguments)
    }
    assert {text: module for text, module in found.items() if text not in SEVERAL} == {}
    assert SEVERAL - found.keys() == set(), "these are no longer needed in SEVERAL"
