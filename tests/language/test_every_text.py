"""Every text that a person reads passes a marker, and every marked text can be extracted and filled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import dev_texts
import dev_texts_pages
from dev_texts import Text
from dev_texts_exempt import EXEMPT


def modules(root: Path) -> list[Path]:
    return sorted((root / "app").rglob("*.py"))


def test_no_text_escapes_the_marker(root: Path) -> None:
    assert [place for path in modules(root) for place in dev_texts.unmarked(path, root)] == []


def test_marked_texts_are_literals_whose_places_are_filled(root: Path, texts: Sequence[Text]) -> None:
    assert len({(text.english, text.several) for text in texts}) > 1000
    assert {path.name for path in dev_texts_pages.pages(root)} == {"page.html"}
    assert "Provenance" in {text.english for text in texts if text.path.endswith("page.html")}


def test_no_text_of_a_page_escapes_the_marker(root: Path) -> None:
    assert [place for path in dev_texts_pages.pages(root) for place in dev_texts_pages.unmarked(path, root)] == []


@pytest.mark.parametrize(
    "page",
    ["<p>{{ x }} rows</p>", '<img alt="Chart of {{ x }}">', "{% if x %}<b>Nothing</b>{% endif %}", "<td>no data</td>"],
)
def test_what_a_person_reads_on_a_page_is_seen(tmp_path: Path, page: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(f'<td{{% if x %}} class="some name"{{% endif %}}>{{{{ tr("Rows") }}}}</td>{page}')
    assert len(list(dev_texts_pages.unmarked(path, tmp_path))) == 1
    assert [text.english for text in dev_texts_pages.marked(path, tmp_path)] == ["Rows"]


@pytest.mark.parametrize("call", ["tr(x)", "tr('{a} rows')", "tr('rows', a=1)", "plural('{count:,} row', count=2)"])
def test_marked_texts_of_pages_that_cannot_be_extracted_are_refused(tmp_path: Path, call: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(f"<p>{{{{ {call} }}}}</p>")
    with pytest.raises(ValueError, match=r"page\.html:1"):
        list(dev_texts_pages.marked(path, tmp_path))


def test_no_exemption_is_left_over(root: Path) -> None:
    names = [path.relative_to(root).as_posix() for path in modules(root)]
    assert [path for path, _, reason in EXEMPT if not any(re.match(path, name) for name in names)] == []


@pytest.mark.parametrize(
    "line",
    [
        'Column("a", "Size")',
        'label.setText(f"{count} tiles")',
        'title = "Live memory"',
        'words = {"a": "the largest first"}',
        'raise ValueError("this is no number")',
        'print(f"{name}: {count:,} rows")',
        'what = "a row"',
        "text = f\"{x} {'tile is' if n == 1 else 'tiles are'}\"",
    ],
)
def test_what_a_person_reads_is_seen(tmp_path: Path, line: str) -> None:
    path = tmp_path / "module.py"
    path.write_text(line)
    assert list(dev_texts.unmarked(path, tmp_path))


@pytest.mark.parametrize(
    "line",
    [
        'Column("size", tr("Size"))',
        'tr("{tiles}", tiles=plural("{count:,} tile", "{count:,} tiles", count=2))',
        'log.info("the cache is not used")',
        '"""About this module."""',
        'x = data["Address Range"]',
        'if key == "Address Range": pass',
        'x = {"Address Range": 1}',
        'f"{name} ({path}): {value:,} B"',
        'x: Literal["Memory unit"] = y',
        'name = "StreamCopy"',
        'box.setObjectName("Some name")',
    ],
)
def test_what_programs_read_is_left_alone(tmp_path: Path, line: str) -> None:
    path = tmp_path / "module.py"
    path.write_text(line)
    assert list(dev_texts.unmarked(path, tmp_path)) == []


@pytest.mark.parametrize(
    "line",
    [
        'tr(f"{a} rows")',
        "tr(name)",
        'tr("{a} rows")',
        'tr("rows", a=1)',
        'tr("{a:.1f}", a=1)',
        'tr("{a!r}", a=1)',
        'tr("{}", a=1)',
        'plural("{a}", "b", a=1)',
        'plural("one", count=1)',
    ],
)
def test_marked_texts_that_cannot_be_extracted_are_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "module.py"
    path.write_text(line)
    with pytest.raises(ValueError, match=r"module\.py:1"):
        list(dev_texts.marked(path, tmp_path))
