"""While a file is being read, no panel says that the file lacks something: it says that it reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.formats.collect import read
from app.formats.registry import by_id, plan
from app.panels.panel import READING, Panel
from app.panels.registry import PANELS
from app.panels.spec import PanelSpec
from app.profile.profile import Profile
from app.widgets.context import Context
from app.widgets.empty import EmptyState
from app.widgets.refresh import Refresh
from app.widgets.remarks import NotCompared
from generators import many_profiles

CLAIM = re.compile(
    r"\b(file|files|profile|report|log|folder|metadata|timeline|map|block|plan)\b[^.]*"
    r"\b(no|not|none|contains? only|empty)\b|^There (is|are) no\b|^No\b",
    re.IGNORECASE,
)
"""What says that the files lack something."""
TRUE = re.compile(r"^The file does not state how long some of these took|^No event contains a report|^no single bound")
"""What is said of data that has arrived."""
REQUEST = re.compile(r"not part of this installation|^Nothing is selected|^Compare this profile|^Write a statement")
"""What does not depend on the files, but on the user."""


@pytest.fixture(scope="module")
def profiles(tmp_path_factory: pytest.TempPathFactory, root: Path) -> list[Profile]:
    """One of each format and choice of sections."""
    folder = tmp_path_factory.mktemp("profiles")
    many_profiles.write(folder, 8)
    jobs = [*plan([folder])[0], *plan([root / "resources" / "samples"])[0]]
    found = [profile for job in jobs for profile in read(by_id(job.format.id), job.paths)]
    return list({(profile.origin.format, *profile.filled()): profile for profile in reversed(found)}.values())


def said(panel: Panel) -> list[str]:
    """The texts of a panel, without those of its controls and of other profiles."""
    labels = [label for label in panel.findChildren(QLabel) if label.isVisible()]
    others = list(panel.findChildren(NotCompared))
    return [
        line
        for label in labels
        if not isinstance(label.parent(), QPushButton) and not any(_within(label, other) for other in others)
        for line in label.text().splitlines()
        if line
    ]


def _within(widget: QWidget, other: QWidget) -> bool:
    return widget is other or other.isAncestorOf(widget)


def claims(panel: Panel) -> list[str]:
    return [text for text in said(panel) if CLAIM.search(text) and not TRUE.search(text)]


def settle(panel: Panel, qtbot: QtBot) -> None:
    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # pages of before; all are looked through otherwise
    for refresh in panel.findChildren(Refresh):
        refresh.now()
    qtbot.waitUntil(lambda: not panel.filling)


def portions(spec: PanelSpec, profile: Profile) -> Iterator[list[str]]:
    """Names of the sections that have arrived: one alone, then all but one."""
    filled = [name for name in profile.filled() if not spec.shown or name in spec.shown]
    yield from ([name] for name in filled)
    if len(filled) > 2:
        yield from ([other for other in filled if other != name] for name in filled)


@pytest.mark.parametrize("spec", PANELS, ids=lambda spec: spec.id)
def test_no_panel_says_that_a_file_lacks_what_may_still_arrive(
    qtbot: QtBot, context: Context, profiles: list[Profile], spec: PanelSpec
) -> None:
    panel = spec.load()(context)
    assert isinstance(panel, Panel)
    qtbot.addWidget(panel)
    panel.resize(900, 500)
    panel.show()
    document = context.document
    for profile in profiles:
        bare = replace(profile, **dict.fromkeys(profile.filled()), issues=())
        entry = document.add(bare, job=1)
        settle(panel, qtbot)
        empty = [one.text for one in panel.findChildren(EmptyState) if one.isVisible()]
        assert all(text.startswith(READING) or REQUEST.search(text) for text in empty), empty
        for names in portions(spec, profile):
            arrived = {name: getattr(profile, name) for name in names}
            document.grow(entry, replace(bare, **arrived), frozenset(profile.filled()))
            settle(panel, qtbot)
            assert not claims(panel), (profile.name, names)
        document.grow(entry, bare, frozenset(profile.filled()))
        document.finish(entry)
        settle(panel, qtbot)
        assert not any(text.startswith("Reading") for text in said(panel))
        document.close(entry)
