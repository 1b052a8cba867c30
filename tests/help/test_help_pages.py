"""Every panel, command, rule and table has its help; links and directives of the pages lead somewhere."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from app.analysis.compare.matched import RULES as MATCHING_RULES
from app.analysis.findings.thresholds import LIMITS
from app.analysis.tables import TABLES
from app.cli.command_names import COMMANDS as WORDS
from app.cli.findings import ALL
from app.cli.help import known_directives
from app.cli.words import parser_of
from app.help import examples
from app.help.directives import directives, expanded
from app.help.markdown import blocks, plain
from app.help.pages import ENGLISH, PYTHON, page, search, searchable, topics
from app.help.plain_text import as_text
from app.panels.registry import PANELS
from app.resources import resource
from app.window.commands import COMMANDS
from app.window.samples import samples

PANEL_SECTIONS = ["What it answers", "How to read it", "Where the figures come from", "Keys", "Limits"]
OLD_PHRASES = (
    *(
        "view before",
        "view after",
        "let it go",
        "let all",
        "as the system",
        "as many as fit",
        "in all ·",
        "live besides",
    ),
    *("too much", "none (of", "what is known of the thing", "passed over", "one behind the other", "come along in"),
    *(
        "cannot be meant",
        "drawn again",
        "wrong words",
        "nobody knows",
        "told of",
        "is told",
        "latency bound:",
        "put away",
    ),
)


@cache
def shown(topic: str) -> str:
    """The page as it is shown, without directives."""
    return expanded(page(topic), known_directives(parser_of))


@pytest.mark.parametrize("panel", PANELS, ids=lambda spec: spec.id)
def test_each_panel_has_a_page_with_its_sections(panel: object) -> None:
    spec = next(spec for spec in PANELS if spec is panel)
    own = page(spec.id)
    assert own.title == spec.title
    headings = [block.text for block in blocks(own.text) if block.kind == "heading" and block.level == 2]
    assert headings == PANEL_SECTIONS
    assert {("intro", spec.id), ("needs", spec.id)} <= set(directives(own.text))
    assert 30 <= len(own.text.splitlines()) <= 90


def test_directives_and_links_resolve() -> None:
    panels, commands = {spec.id for spec in PANELS}, {command.id for command in COMMANDS}
    known = {
        *(f"{topic}.md" for topic in topics()),
        *(f"panel:{name}" for name in panels),
        *(f"command:{name}" for name in commands),
        *(f"sample:{sample.id}" for sample in samples()),
    }
    lost = {}
    for topic in topics():
        text = shown(topic)
        assert "{{" not in text
        links = {link for link in re.findall(r"\]\(([^)\s]+)\)", text) if not link.startswith("select:")} - known
        if links:
            lost[topic] = links
    assert lost == {}


def test_each_page_is_reached_from_the_first_one() -> None:
    reached, waiting = set(), ["index"]
    while waiting:
        topic = waiting.pop()
        if topic not in reached:
            reached.add(topic)
            waiting += [link.removesuffix(".md") for link in re.findall(r"\]\(([\w-]+\.md)\)", shown(topic))]
    assert reached == set(topics())


def test_each_table_command_rule_and_threshold_is_explained() -> None:
    described = {argument for topic in topics() for name, argument in directives(page(topic).text) if name == "columns"}
    assert {spec.id for spec in TABLES} - described == set()
    keys, words, rules, matching = (plain(shown(topic)) for topic in ("keys", "command-line", "rules", "matching"))
    assert [command.id for command in COMMANDS if command.text not in keys] == []
    assert [name for name in WORDS if f"tilesight {name}" not in words] == []
    assert [rule.id for rule in ALL if rule.id not in rules or rule.help not in rules] == []
    assert [name for name in LIMITS if name not in rules] == []
    assert [rule.id for rule in MATCHING_RULES if rule.help not in matching] == []


def test_the_first_example_of_a_table_has_most_of_its_columns() -> None:
    widest = {spec.id: 0 for spec in TABLES}
    for profile in examples.profiles():
        for spec in TABLES:
            widest[spec.id] = max([widest[spec.id], *(len(table.columns) for table in spec.tables(profile))])
    shorter = [name for name, columns in widest.items() if len(examples.example(name).columns) < columns]
    assert [name for name in shorter if name not in ("report-table", "tile-memory", "tile-memory-ipus")] == []


def test_no_old_phrase_is_left() -> None:
    places = [(topic, old) for topic in topics() for old in OLD_PHRASES if old in page(topic).text.casefold()]
    assert places == []


def test_translated_pages_have_the_names_of_the_english_ones() -> None:
    names = {f"{topic}.md" for topic in topics() if topic != PYTHON}
    folders = [path for path in resource("help").iterdir() if path.is_dir() and path.name != "examples"]
    assert ENGLISH in {folder.name for folder in folders}
    for folder in folders:
        own = {path.name for path in folder.iterdir()}
        assert own == names if folder.name == ENGLISH else own <= names


def test_plain_text_keeps_to_its_width_and_loses_nothing() -> None:
    text = "# Head\n\nA [link](a.md), **bold** and `code_here`.\n\n- one\n- two\n  more\n\n    x = y\n\n" + (
        "| Name | What it is |\n|---|---|\n| `a\\|b` | long words to be wrapped here |\n"
    )
    assert list(as_text(text, 24)) == [
        *("Head", "====", "", "A link, bold and", "code_here.", "", "• one", "• two more", "", "    x = y", ""),
        *("Name  What it is", "----  ------------------", "a|b   long words to be", "      wrapped here"),
    ]
    wide = [line for topic in topics() for line in as_text(shown(topic), 80) if len(line) > 80]
    assert [line for line in wide if not line.startswith("    ") and "  " in line.strip() and len(line) > 110] == []


def test_search_lists_pages_with_hits_in_context() -> None:
    pages = [searchable(topic, shown(topic)) for topic in topics()]
    first, *others = search(pages, "ROOFLINE")
    assert first.topic == "roofline"
    assert first.count > 3
    assert first.hit.casefold() == "roofline"
    assert {"rules", "format-ascend"} <= {hits.topic for hits in others}
    assert search(pages, "  ") == search(pages, "no such words anywhere") == []
    assert search(pages, "fullest tile")[0].before.endswith(" ") or search(pages, "fullest tile")[0].before == ""


def test_pages_are_installed(root: Path) -> None:
    from installer import prune

    for path in (root / "resources" / "help").rglob("*.*"):
        name = path.relative_to(root).as_posix()
        assert prune.wanted(name) == (path.name != ".gitattributes"), name
