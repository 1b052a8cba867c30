"""Catalogues are made of the marked texts, compared with them, and loaded by the program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import dev_catalogues
from app.preferred_language import VARIABLE
from dev_texts import Text

MODULE = """
first = tr("{file} is gone", file=name)
rows = plural("{count:,} row", "{count:,} rows", count=2)
title = tr("Rows")
"""
HEADER = """msgid ""
msgstr ""
"Plural-Forms: nplurals=1; plural=0;\\n"
"Content-Type: text/plain; charset=utf-8\\n"

"""
GONE = 'msgid "{file} is gone"\nmsgstr "{file} 不见了"\n\n'
ROWS = 'msgid "{count:,} row"\nmsgid_plural "{count:,} rows"\nmsgstr[0] "{count:,} 行"\n\n'
TITLE = 'msgid "Rows"\nmsgstr "行"\n'


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A program of three texts."""
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "module.py").write_text(MODULE)
    (tmp_path / dev_catalogues.LANGUAGES).mkdir(parents=True)
    return tmp_path


def catalogue(tree: Path, *entries: str) -> Path:
    path = tree / dev_catalogues.LANGUAGES / "zh.po"
    path.write_text(HEADER + "".join(entries), encoding="utf-8")
    return path


def test_a_complete_catalogue_is_compiled_and_said_to_be_complete(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    catalogue(tree, GONE, ROWS, TITLE)
    assert dev_catalogues.main(["--update"], tree) == 0
    assert "zh.po: 0 problems" in capsys.readouterr().out
    assert "{count:,} rows" in (tree / dev_catalogues.TEMPLATE).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ((GONE, ROWS), "not translated: Rows"),
        ((GONE.replace("{file} 不", "{path} 不"), ROWS, TITLE), "other places: {file} is gone"),
        ((GONE, ROWS.replace("{count:,} 行", "行"), TITLE), "other places: {count:,} rows"),
    ],
)
def test_what_is_missing_is_named(tree: Path, entries: tuple[str, ...], problem: str) -> None:
    path = catalogue(tree, *entries)
    texts = dev_catalogues.template(tree)
    dev_catalogues.update(path, texts)
    assert list(dev_catalogues.problems(path, texts)) == [f"zh.po: {problem}"]


def test_a_compiled_catalogue_must_be_fresh(tree: Path) -> None:
    path = catalogue(tree, GONE, ROWS, TITLE)
    texts = dev_catalogues.template(tree)
    assert list(dev_catalogues.problems(path, texts)) == ["zh.mo is out of date"]


def test_the_program_shows_its_texts_in_the_language_of_a_catalogue(root: Path, tree: Path) -> None:
    dev_catalogues.update(catalogue(tree, GONE, ROWS, TITLE), dev_catalogues.template(tree))
    code = (
        "import sys; from pathlib import Path; from app import resources;"
        f"resources.FOLDER = Path({str(tree / 'resources')!r});"
        "from app.language import plural, tr; sys.stdout.reconfigure(encoding='utf-8');"
        "print(tr('{file} is gone', file='a'), plural('{count:,} row', '{count:,} rows', count=2000), tr('Other'))"
    )
    environment = os.environ | {VARIABLE: "zh"}
    done = subprocess.run([sys.executable, "-c", code], cwd=root, env=environment, capture_output=True, check=True)
    assert done.stdout.decode().strip() == "a 不见了 2,000 行 Other"


def test_the_catalogues_of_the_program_are_complete(root: Path) -> None:
    texts = dev_catalogues.template(root)
    paths = sorted((root / dev_catalogues.LANGUAGES).glob("*.po"))
    assert [problem for path in paths for problem in dev_catalogues.problems(path, texts)] == []


def test_no_text_is_counted_in_one_place_and_not_in_another(texts: Sequence[Text]) -> None:
    """A catalogue has one entry for both, and its plural form would be shown for the plain text."""
    counted = {text.english: text.several for text in texts if text.several}
    assert {text.english for text in texts if text.several != counted.get(text.english, text.several)} == set()
