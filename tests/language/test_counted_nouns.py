"""A count before a noun is a real plural ("1 value", "2 values"): texts with a count go through ``plural``."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

APP = Path(__file__).parents[2] / "app"
NOUNS = """
accesses allreduces anchors arrows blobs blocks bytes calls cases cells characters charts columns components
cores counters dimensions edges elements entries events exchanges executions fields files flows frames
functions groups ids images indices instances instants instructions issues items kinds lanes levels lines
loops maps names nodes notes numbers ones others pairs panels parts pieces points problems profiles programs
ranges ratios records repeats replicas rows samples sections sets slices steps tensors texts tiles times
tracks types updates values variables vertices waves
"""
COUNTED = re.compile(r"\{(?P<name>\w+)(?::,)?\}(?P<between>(?: [a-z-]+){0,2}?) (?P<noun>[a-z]+)\b")
BETWEEN = frozenset(
    ("", " more", " other", " such", " different", " active", " identical", " free", " vertex", " compute", " rarer")
)
SEVERAL = {
    "analysis/ascend/diagram/figures.py": 1,
    "analysis/ascend/waves.py": 1,
    "analysis/checks/ascend.py": 1,
    "analysis/checks/popef_links.py": 1,
    "analysis/checks/poplar.py": 1,
    "analysis/checks/task_length.py": 1,
    "analysis/figures/popef.py": 1,
    "analysis/findings/ascend_balance.py": 1,
    "analysis/host_events/why.py": 3,
    "analysis/popef/anchors.py": 1,
    "analysis/popef/slicing.py": 1,
    "analysis/poplar/counting.py": 1,
    "analysis/poplar/parts.py": 1,
    "analysis/scaling/advice/host.py": 2,
    "analysis/scaling/measure.py": 3,
    "analysis/scaling/reduce.py": 1,
    "analysis/tables/ascend_entries.py": 1,
    "analysis/tables/poplar_exchanges.py": 1,
    "analysis/tables/tensor_map.py": 1,
    "analysis/tensor_map/matrix.py": 1,
    "cli/scaling.py": 1,
    "formats/ascend_bin/blocks.py": 1,
    "formats/ascend_bin/columns.py": 1,
    "formats/ascend_bin/operator.py": 1,
    "formats/ascend_bin/reader.py": 2,
    "formats/ascend_report/container.py": 3,
    "formats/popef/framing.py": 1,
    "formats/poplar/matrices.py": 2,
    "formats/tensorflow_events/columns.py": 1,
    "formats/unpacked.py": 1,
    "panels/anchors/details.py": 1,
    "panels/blobs/strip.py": 1,
    "panels/content/words.py": 1,
    "panels/host_events/words.py": 1,
    "panels/onchip/picture.py": 1,
    "panels/scaling/charts.py": 1,
    "panels/statistics/tabs.py": 2,
    "panels/steps/spent_picture.py": 2,
    "store/npy.py": 1,
    "store/table_files/kinds.py": 2,
    "views/stall_reasons.py": 1,
    "widgets/heat/picture.py": 1,
    "widgets/saving.py": 1,
    "widgets/texts.py": 2,
    "widgets/timeline/filters.py": 1,
    "widgets/timeline/note_taking.py": 2,
    "widgets/timeline/words.py": 1,
    "window/chips.py": 1,
}
"""How many texts of each module are shown only where there are several, or have a name or a rate in that place."""


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
    found: Counter[str] = Counter()
    listed: dict[str, list[str]] = {}
    for module in sorted(APP.rglob("*.py")):
        for text, arguments in texts(module):
            if counted(text, arguments):
                where = str(module.relative_to(APP).as_posix())
                found[where] += 1
                listed.setdefault(where, []).append(text)
    more = {where: listed[where] for where, count in found.items() if count > SEVERAL.get(where, 0)}
    assert not more
    fewer = {where: count for where, count in SEVERAL.items() if found[where] < count}
    assert not fewer, "these are no longer needed in SEVERAL"
