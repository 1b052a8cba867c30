"""What programs read is the same in every language: ids, keys and figures of commands with --json, of all samples."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import orjson
import pytest

from app.analysis.figures import figures
from app.formats.collect import read
from app.formats.registry import plan
from app.language import Message
from app.window.samples import samples
from generators import make_samples, poplar

LANGUAGES = ("en", "zh_CN", "pseudo")
FREE = {
    "title",
    "text",
    "help",
    "note",
    "why",
    "formula",
    "scope",
    "label",
    "limits",
    "description",
    "not_compared",
    "meaning",
    "how",
}
"""Keys of sentences for people, which may be in their language."""
TIMEOUT = 240

SCRIPT = """
import contextlib, io, sys
from pathlib import Path
from app.cli.words import run

samples, out = sys.argv[1:-1], Path(sys.argv[-1])

def printed(name, *words):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        assert run([*words]) in (0, 1), words
    (out / f"{name}.json").write_text(text.getvalue(), "utf-8")

printed("info", "info", "--json", *samples[1:])
printed("findings", "findings", "--json", *samples[1:])
printed("compare", "compare", "--json", samples[0], samples[1])
(operator,) = (sample for sample in samples if sample.endswith(".bin"))
for part in ("block", "core"):
    printed(part, "compare", "--json", f"{operator}#{part}=0", f"{operator}#{part}=1")
for number, sample in enumerate([*samples[1:], f"{operator}#core=1"]):
    words = ["export", sample, "--all", "--format", "json", "--plots", "none", "-o", str(out / f"all{number}")]
    assert run(words) == 0
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, root: Path) -> dict[str, dict[str, Any]]:
    """By language: the JSON documents that the commands write, by name."""
    before = tmp_path_factory.mktemp("before") / "resnet"
    before.mkdir()
    poplar.write_pair(before, msgspec.structs.replace(make_samples.MEASURED, loops=3))
    files = [str(path) for sample in samples() for path in sample.paths()]
    files = [str(before), *sorted(files, key=lambda name: "measured" not in name)]
    made = {}
    for language in LANGUAGES:
        out = tmp_path_factory.mktemp(language)
        words = [sys.executable, "-c", SCRIPT, *files, str(out)]
        environment = os.environ | {"TILESIGHT_LANGUAGE": language}
        subprocess.run(words, cwd=root, env=environment, check=True, timeout=TIMEOUT, stdout=subprocess.DEVNULL)
        made[language] = {
            path.relative_to(out).as_posix(): orjson.loads(path.read_bytes()) for path in sorted(out.rglob("*.json"))
        }
    return made


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_ids_keys_and_figures_do_not_depend_on_the_language(written: dict[str, dict[str, Any]], language: str) -> None:
    english = written["en"]
    names = ("info", "findings", "compare", "block", "core", "all0/index", "all0/steps")
    assert {f"{name}.json" for name in names} <= set(english)
    (measured,) = (own["figures"].get("execution.measured") for own in english["info.json"]["profiles"][:1])
    assert measured == {"compute sets": "last"}
    assert list(different(english, written[language])) == []


def different(one: object, other: object, place: str = "") -> Iterator[str]:
    """Where two documents differ, except in sentences."""
    if place.endswith("/verdict/evidence"):
        return
    if isinstance(one, dict) and isinstance(other, dict):
        if list(one) != list(other):
            yield f"{place}: keys {list(one)[:9]} {list(other)[:9]}"
        for key in one.keys() & other.keys() - FREE:
            yield from different(one[key], other[key], f"{place}/{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (mine, yours) in enumerate(zip(one, other, strict=True)):
            yield from different(mine, yours, f"{place}[{number}]")
    elif one != other:
        yield f"{place}: {one!r} {other!r}"


def messages(value: object) -> Iterator[str]:
    """Texts of Tilesight in the value of a figure, which would be in another language for others."""
    if isinstance(value, Message):
        yield str(value)
    elif isinstance(value, dict):
        yield from (text for pair in value.items() for part in pair for text in messages(part))
    elif isinstance(value, (list, tuple)):
        yield from (text for part in value for text in messages(part))


def test_values_of_figures_are_no_translated_texts() -> None:
    for sample in samples():
        jobs, _ = plan(sample.paths())
        for profile in (profile for job in jobs for profile in read(job.format, job.paths)):
            assert {figure.name: list(messages(figure.value)) for figure in figures(profile)} == {
                figure.name: [] for figure in figures(profile)
            }
