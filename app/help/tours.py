"""The tours: which page of the help explains which sample, and the steps of such a page.

A step is a paragraph below a heading of the second level that links to a panel: that of its first ``panel:`` link. The
first ``select:`` or ``command:`` link is what the window can do for the user."""

from __future__ import annotations

import re

from msgspec import Struct

from app.help.markdown import blocks, plain
from app.language import tr

_PANEL = re.compile(r"\]\(panel:([^)\s]+)\)")
_ACTION = re.compile(r"\]\(((?:select|command):[^)\s]+)\)")
_NUMBER = re.compile(r"^\d+\. *")


class Tour(Struct, frozen=True):
    """``topic``: its page; ``sample``: id of the sample that it explains; ``title``: that of the page."""

    topic: str
    sample: str
    title: str

    @property
    def command(self) -> str:
        """The id of the command that starts it."""
        return f"help.{self.topic}"


TOURS: tuple[Tour, ...] = (
    Tour("tour-poplar", "poplar", tr("Tour: a Poplar program")),
    Tour("tour-ascend", "ascend", tr("Tour: an Ascend operator")),
    Tour("tour-report", "ascend-report", tr("Tour: a report of msprof")),
    Tour("tour-capture", "capture", tr("Tour: a training on four ranks")),
    Tour("tour-trace", "trace", tr("Tour: a trace of a training")),
    Tour("tour-popef", "popef", tr("Tour: a PopEF model")),
    Tour("tour-tensorflow", "tensorflow", tr("Tour: a log of TensorFlow")),
    Tour("tour-pypto", "pypto", tr("Tour: tasks of a PyPTO run")),
    Tour("tour-tenstorrent", "tenstorrent", tr("Tour: a capture of Tenstorrent")),
    Tour("tour-aie", "aie", tr("Tour: tiles of an AMD AI Engine")),
)


class Step(Struct, frozen=True):
    """``heading``: the plain text of the heading above; ``text``: Markdown; ``panel``: id of the panel that it is
    about; ``action``: the link that does what it asks for, "" for none."""

    heading: str
    text: str
    panel: str
    action: str


def steps(markdown: str) -> tuple[Step, ...]:
    """The steps of a page, in their order."""
    heading, made = "", list[Step]()
    for block in blocks(markdown):
        if block.kind == "heading":
            heading = _NUMBER.sub("", plain(block.text)) if block.level == 2 else ""
        elif heading and block.kind == "paragraph" and (panel := _PANEL.search(block.text)):
            action = _ACTION.search(block.text)
            made.append(Step(heading, block.text, panel[1], "" if action is None else action[1]))
    return tuple(made)
