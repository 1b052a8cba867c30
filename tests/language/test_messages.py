"""A text remembers what it was made from: it can be stored, sent and shown in another language."""

from __future__ import annotations

import copy
import gettext
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from app import language
from app.formats.errors import FormatError
from app.language import Message, capitalised, joined, pack, plural, tr, unpack
from app.preferred_language import VARIABLE
from app.profile.issue import Issue


class German(gettext.NullTranslations):
    def gettext(self, message: str) -> str:
        return {"{file} is gone": "{file} fehlt", "row {row:,}": "Zeile {row:,}"}.get(message, message)

    def ngettext(self, one: str, several: str, count: int) -> str:
        return "{count:,} Kachel" if count == 1 else "{count:,} Kacheln"


def test_places_are_filled_by_name() -> None:
    assert tr("{file}: byte {offset:,}", file="a.bin", offset=12_345) == "a.bin: byte 12,345"
    assert tr("braces {{}} stay") == "braces {} stay"
    assert tr("{path} {{}}", path="a{b}") == "a{b} {}"


@pytest.mark.parametrize(("count", "shown"), [(0, "0 tiles"), (1, "1 tile"), (2, "2 tiles"), (4_096, "4,096 tiles")])
def test_there_is_one_of_one_alone(count: int, shown: str) -> None:
    assert plural("{count:,} tile", "{count:,} tiles", count=count) == shown


def test_what_was_stored_is_shown_in_the_language_of_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    where = tr("row {row:,}", row=1_000)
    tiles = plural("{count:,} tile", "{count:,} tiles", count=2)
    error = ValueError(tr("{file} is gone", file=where))
    texts = (
        tr("{file} is gone", file=where),
        tiles,
        "as it is",
        joined("; ", [tiles, where, "x"]),
        tr("{e}!", e=error),
    )
    stored = [pack(text) for text in texts]
    monkeypatch.setattr(language, "_catalogue", German())
    gone = "Zeile 1,000 fehlt"
    assert [unpack(text) for text in stored] == [gone, "2 Kacheln", "as it is", "2 Kacheln; Zeile 1,000; x", f"{gone}!"]


def test_stored_texts_are_builtin(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = pack(tr("{path} {share} {row}", path=Path("a"), share=np.float64(0.5), row=np.int32(7)))
    assert packed == ["{path} {share} {row}", "", {"path": "a", "share": 0.5, "row": 7}]
    assert {type(value) for value in packed[2].values()} == {str, float, int}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "packed",
    [
        None,
        {"a": 1},
        ["a"],
        ["{a}", "", {}],
        ["{a.__class__}", "", {"a": "x"}],
        ["{a[0]}", "", {"a": "x"}],
        ["{a:>999999999}", "", {"a": "x"}],
        ["{a!r}", "", {"a": "x"}],
        ["{a:,}", "", {"a": "x"}],
        ["{", "", {}],
        ["{a} {", "", {"a": 1}],
        ["a", "b", {}],
        ["{a}", "", {"a": ["{b.c}", "", {"b": "x"}]}],
    ],
)
def test_stored_texts_that_make_no_sense_are_refused(packed: object) -> None:
    with pytest.raises(ValueError, match="text"):
        unpack(packed)


def test_issues_and_errors_stay_texts_of_any_language() -> None:
    issue = Issue("error", tr("{file}: byte {offset:,}", file="a\nb", offset=5), tr("{file} is gone", file="a\nb"))
    assert (issue.where, issue.text) == (r"a\nb: byte 5", r"a\nb is gone")
    assert pack(issue.text) == ["{file} is gone", "", {"file": r"a\nb"}]
    assert isinstance(FormatError(tr("{file} is gone", file="\x00")).text, Message)


def test_copies_remember_too() -> None:
    text = plural("{count:,} tile", "{count:,} tiles", count=2)
    for copied in (copy.deepcopy(text), pickle.loads(pickle.dumps(text))):
        assert pack(copied) == pack(text)


@pytest.mark.parametrize(
    ("chosen", "shown"),
    [
        ("", "Fit {all} 2 rows"),
        ("pseudo", "⟦Fît {all} ⟦2 röws⟧⟧"),
        ("no_such", "Fit {all} 2 rows"),
        ("../x", "Fit {all} 2 rows"),
    ],
)
def test_the_language_is_chosen_when_the_program_starts(root: Path, chosen: str, shown: str) -> None:
    code = (
        "import sys; from app.language import tr, plural; rows = plural('{count} row', '{count} rows', count=2);"
        "sys.stdout.reconfigure(encoding='utf-8'); print(tr('Fit {{all}} {rows}', rows=rows))"
    )
    environment = os.environ | {VARIABLE: chosen}
    done = subprocess.run([sys.executable, "-c", code], cwd=root, env=environment, capture_output=True, check=True)
    assert done.stdout.decode().strip() == shown


def test_a_text_that_could_not_be_unpacked_is_refused_where_it_is_packed() -> None:
    share = 0.5
    with pytest.raises(ValueError, match="places that cannot be sent"):
        pack(Message("{share:.0%} of it", "", {"share": share}))


class Chinese:
    def gettext(self, message: str, /) -> str:
        texts = {"{kind} took {time}": "{kind} 在芯片上用时 {time}的时间", "mix operator": "Mix 算子"}
        return texts.get(message, message)

    def ngettext(self, one: str, several: str, count: int, /) -> str:
        return "{count} 个{what}中"


def test_chinese_texts_meet_with_the_right_space(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_catalogue", Chinese())
    monkeypatch.setattr(language, "_chinese", True)
    kind = tr("mix operator")
    assert tr("{kind} took {time}", kind=kind, time="5 %") == "Mix 算子在芯片上用时 5 % 的时间"
    assert tr("{kind} took {time}", kind="名称", time="x") == "名称 在芯片上用时 x 的时间"  # a name from a file
    assert plural("{count} {what}", "{count} {what}s", count=2, what="AI Core") == "2 个 AI Core 中"
    assert plural("{count} {what}", "{count} {what}s", count=2, what="泳道") == "2 个泳道中"
    assert joined(" ", [tr("估算。"), kind, tr("（见下）")]) == "估算。Mix 算子（见下）"
    assert joined("", [kind, tr("x")]) == "Mix 算子x"
    assert joined(": ", [kind, tr("x")]) == "Mix 算子：x"
    assert joined(", ", [kind, tr("x")]) == "Mix 算子，x"
    assert joined("; ", ["名称", "x"]) == "名称; x"


def test_only_english_lines_begin_with_a_capital(monkeypatch: pytest.MonkeyPatch) -> None:
    assert capitalised("tile") == "Tile"
    monkeypatch.setattr(language, "_chinese", True)
    assert capitalised("tile") == "tile"
