"""Where files are, for programs on other computers: relative to the folder of a repository."""

from __future__ import annotations

import argparse
from pathlib import Path
from urllib.parse import quote

from app.cli.common_words import path_of
from app.language import tr


def add_root(parser: argparse.ArgumentParser) -> None:
    """`--root DIR`."""
    parser.add_argument(
        "--root",
        type=_folder,
        metavar="DIR",
        help=tr("write the places of files relative to this folder, such as that of the repository"),
    )


def relative(path: Path, root: Path) -> str:
    """``path`` from ``root`` with slashes; "" if it is not below it."""
    for own, folder in ((path.absolute(), root.absolute()), (path.resolve(), root.resolve())):
        if own.is_relative_to(folder):
            return own.relative_to(folder).as_posix()
    return ""


def location(path: Path, root: Path | None) -> dict[str, str]:
    """The ``artifactLocation`` of SARIF 2.1.0 (section 3.4); absolute for what is not below ``root``."""
    inside = "" if root is None else relative(path, root)
    if inside:
        return {"uri": quote(inside), "uriBaseId": "%SRCROOT%"}
    return {"uri": path.absolute().as_uri()}


def _folder(text: str) -> Path:
    folder = path_of(text)
    if not folder.is_dir():
        raise argparse.ArgumentTypeError(tr("{text} is not a folder", text=f"{text!r}"))
    return folder
