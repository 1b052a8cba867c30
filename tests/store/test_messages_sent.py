"""What a worker tells and a manifest keeps is shown in the language of whoever reads it."""

from __future__ import annotations

import gettext
from pathlib import Path

import msgspec
import pytest

from app import language
from app.formats.events import Progress
from app.language import tr
from app.profile.issue import Issue
from app.store import wire

FILES = (Path("a.bin"),)


class German(gettext.NullTranslations):
    def gettext(self, message: str) -> str:
        return {"{file}: byte {offset:,}": "{file}: Byte {offset:,}", "the file is empty": "die Datei ist leer"}.get(
            message, message
        )


@pytest.mark.parametrize(
    ("told", "field", "shown"),
    [
        (Issue("error", tr("{file}: byte {offset:,}", file="a", offset=5), tr("x")), "where", "a: Byte 5"),
        (Issue("error", "a", tr("the file is empty")), "text", "die Datei ist leer"),
        (Issue("error", "a.json: memory", "plain"), "where", "a.json: memory"),
        (wire.Failed(tr("the file is empty"), "", None), "text", "die Datei ist leer"),
        (Progress(1, 2, tr("the file is empty")), "phase", "die Datei ist leer"),
    ],
)
def test_messages_are_shown_in_the_language_of_the_reader(
    monkeypatch: pytest.MonkeyPatch, told: wire.Message, field: str, shown: str
) -> None:
    sent = wire.encode(told, FILES)
    monkeypatch.setattr(language, "_catalogue", German())
    assert getattr(wire.decode(sent, FILES), field) == shown


@pytest.mark.parametrize("text", [["{a.b}", "", {"a": "x"}], ["{a}", "", {}], 5, [1, 2]])
def test_messages_that_make_no_sense_are_no_messages(text: object) -> None:
    sent = msgspec.msgpack.encode(("Issue", {"severity": "error", "where": "a", "text": text}))
    with pytest.raises(msgspec.MsgspecError):
        wire.decode(sent, FILES)
