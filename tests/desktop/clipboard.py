"""The clipboard of a desktop, as seen by another program."""

from __future__ import annotations

import subprocess

from desktop.server import Desktop


def text(desktop: Desktop) -> str:
    """The text that pasting would insert; "" if there is none."""
    command = ["xclip", "-selection", "clipboard", "-out", "-target", "UTF8_STRING"]
    done = subprocess.run(command, env=dict(desktop.environment), capture_output=True, check=False, timeout=10)
    return done.stdout.decode("utf-8") if done.returncode == 0 else ""


def columns_of(text: str, keys: list[str]) -> list[str]:
    """The lines of a table, of which ``keys`` are left."""
    header, *lines = (line.split("\t") for line in text.rstrip("\n").split("\n"))
    places = [header.index(key) for key in keys]
    return ["\t".join(line[place] for place in places) for line in (header, *lines)]
