"""Tables in the pages that are made from the program's own lists, so that they never differ from what it does.

A line ``{{name: argument}}`` of a page is replaced by what the directive ``name`` returns. Keys and the command line
are known to higher layers, which pass their directives to ``expanded``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from app.help.markdown import escaped, table
from app.help.pages import CHAPTERS, Page, page
from app.language import joined, tr
from app.panels.registry import PANELS
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.analysis.findings.finding import Rule

Directive: TypeAlias = Callable[[str], str]
"""Returns the Markdown for an argument ("" without one); KeyError for an unknown argument."""

_FAMILIES: Mapping[str, str] = {
    "poplar": tr("Poplar"),
    "ascend": tr("Ascend"),
    "tensorflow": tr("TensorFlow"),
    "trace": tr("Traces with launches"),
    "file": tr("Any file"),
    "compare": tr("With a baseline"),
}
_EACH = re.compile(r", (core\d+\.\w+|ALL)$")
"""The end of the titles of columns that exist for each core."""
_LINE = re.compile(r"^\{\{([a-z-]+)(?:: *([^}]*))?\}\}$", re.MULTILINE)


def expanded(shown: Page, further: Mapping[str, Directive]) -> str:
    """The Markdown of a page with its directives replaced. KeyError for an unknown directive or argument."""
    known = {**DIRECTIVES, **further}
    return _LINE.sub(lambda match: known[match[1]]((match[2] or "").strip()), shown.text)


def directives(text: str) -> Iterator[tuple[str, str]]:
    """Name and argument of every directive in the Markdown of a page."""
    for match in _LINE.finditer(text):
        yield match[1], (match[2] or "").strip()


def _intro(panel: str) -> str:
    """What the window says about a panel."""
    spec = _spec(panel)
    return escaped(spec.help)


def _needs(panel: str) -> str:
    spec = _spec(panel)
    if not spec.missing:
        return tr("Every profile has it.")
    return escaped(tr("Needs {missing}.", missing=spec.missing))


def _columns(argument: str) -> str:
    """The columns of a table: what they hold, in which unit, and where it comes from."""
    from app.help.examples import example

    shown = example(argument)
    rows: dict[str, tuple[str, str, str]] = {}
    for column in shown.columns:
        unit = column.unit if column.units is None else tr("per row")
        title = _EACH.sub("", column.title or column.key)
        if title != column.title and column.title:
            title = tr("{column}, for each core", column=title)
        shown_title = escaped(title)
        if title == column.title and column.key != title.casefold():
            shown_title = f"{shown_title} (`{column.key}`)"
        rows.setdefault(title, (shown_title, escaped(unit), escaped(column.help or column.share_of)))
    heading = escaped(tr("Table {title} ({name})", title=shown.title, name=argument))
    return f"**{heading}**\n\n{table((tr('Column'), tr('Unit'), tr('Meaning')), rows.values())}"


def _figures(argument: str) -> str:
    """The main figures whose names begin with ``argument``."""
    from app.analysis.figures import figures
    from app.help.examples import profiles

    rows: dict[str, tuple[str, ...]] = {}
    for profile in profiles():
        for figure in figures(profile):
            if figure.label and figure.name.partition(".")[0] in argument.split():
                rows.setdefault(figure.name, (f"`{figure.name}`", escaped(figure.label), escaped(figure.help)))
    if not rows:
        raise KeyError(argument)
    return table((tr("Figure"), tr("Name"), tr("Where it comes from")), rows.values())


def _rules(_: str) -> str:
    """The rules of findings, family by family."""
    from app.analysis.findings.compared import ROWS, TOTALS
    from app.analysis.findings.rules import RULES

    families: dict[str, list[Rule]] = {}
    for rule in (*RULES, TOTALS, ROWS):
        families.setdefault(rule.id.partition(".")[0], []).append(rule)
    header = (tr("Rule"), tr("What it looks for"), tr("How it decides"))
    parts = []
    for family, own in families.items():
        rows = [(f"`{rule.id}`", escaped(rule.title), escaped(rule.help)) for rule in own]
        parts += [f"## {_FAMILIES.get(family, family)}", table(header, rows)]
    return "\n\n".join(parts)


def _thresholds(_: str) -> str:
    from app.analysis.findings.thresholds import DEFAULT, LIMITS

    rows = [
        (
            escaped(limit.title),
            f"`{name}`",
            f"{getattr(DEFAULT, name):g} {limit.unit}".rstrip(),
            escaped(limit.help),
            escaped(limit.reason),
        )
        for name, limit in LIMITS.items()
    ]
    return table((tr("Threshold"), tr("Command line"), tr("Default"), tr("What it is compared with"), tr("Why")), rows)


def _matching(_: str) -> str:
    """The rules of matching, in the order in which they are applied."""
    from app.analysis.compare.matched import RULES

    rows = [(str(number), escaped(rule.title), escaped(rule.help)) for number, rule in enumerate(RULES, 1)]
    return table(("", tr("Rule"), tr("What it means")), rows)


def _panels(_: str) -> str:
    rows = [(f"[{escaped(spec.title)}]({spec.id}.md)", escaped(_first_sentence(spec.help))) for spec in PANELS]
    return table((tr("Panel"), tr("What it shows")), rows)


def _topics(_: str) -> str:
    """All pages, chapter by chapter."""
    lines = []
    for chapter in CHAPTERS:
        pages = joined(", ", [f"[{escaped(page(topic).title)}]({topic}.md)" for topic in chapter.topics])
        lines.append(f"- **{chapter.title}**: {pages}")
    return "\n".join(lines)


def _spec(panel: str) -> PanelSpec:
    for spec in PANELS:
        if spec.id == panel:
            return spec
    raise KeyError(panel)


def _first_sentence(text: str) -> str:
    end = re.search(r"[.:。] ?(?=\S)|[.。]$", text)
    return text if end is None else text[: end.start()].rstrip() + "."


DIRECTIVES: Mapping[str, Directive] = {
    "intro": _intro,
    "needs": _needs,
    "columns": _columns,
    "figures": _figures,
    "rules": _rules,
    "thresholds": _thresholds,
    "matching": _matching,
    "panels": _panels,
    "topics": _topics,
}
