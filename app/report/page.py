"""The page as HTML. Values come from strangers' files: the template escapes all of them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from itertools import groupby

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app import __version__
from app.language import tr
from app.report.contents import ReportText
from app.resources import resource
from app.views.pages.document import Block


def html(report: ReportText) -> str:
    """One page without references to anything outside it."""
    environment = Environment(
        loader=FileSystemLoader(resource("report")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["picture"] = _picture
    environment.filters["runs"] = _runs
    environment.globals["tr"] = tr
    program = tr("Tilesight {version}", version=__version__)
    return environment.get_template("page.html").render(report=report, program=program)


def _runs(blocks: Sequence[Block]) -> list[tuple[str, list[Block]]]:
    """Blocks that follow each other and are of one kind, with the name of the kind."""
    return [(kind.__name__, list(group)) for kind, group in groupby(blocks, type)]


def _picture(svg: bytes) -> str:
    """An address that contains the picture: as an image it cannot run scripts, and its names cannot clash."""
    return f"data:image/svg+xml;base64,{b64encode(svg).decode('ascii')}"
