"""Writes the reference of ``import tilesight``, ``resources/help/api.md``, from the docstrings of ``api``."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "resources" / "help" / "api.md"


def reference() -> str:
    """The page as Markdown."""
    from app import api

    lines = ["# Tilesight in Python", "", inspect.cleandoc(api.__doc__ or ""), ""]
    for name in api.__all__:
        lines += _entry(name, getattr(api, name))
    return "\n".join(lines).rstrip() + "\n"


def _entry(name: str, thing: Any) -> Iterator[str]:
    """A heading, the docstring, and the public members of a class."""
    if not inspect.isclass(thing):
        yield from (f"## `tilesight.{name}{_signature(thing)}`", "", *_text(thing))
        return
    yield from (f"## `tilesight.{name}`", "", *_text(thing))
    if issubclass(thing, msgspec.Struct):
        fields = ", ".join(f"`{field.name}`" for field in msgspec.structs.fields(thing))
        yield from (f"Fields: {fields}.", "")
        return
    for member, value in vars(thing).items():
        function = value.fget if isinstance(value, property) else value
        if member.startswith("_") or not inspect.isfunction(function):
            continue
        signature = "" if isinstance(value, property) else _signature(function)
        yield from (f"### `{name}.{member}{signature}`", "", *_text(function))
    if "__getitem__" in vars(thing):
        yield from (f"### `{name}[name]`", "", *_text(vars(thing)["__getitem__"]))


def _signature(function: Any) -> str:
    own = inspect.signature(function)
    parameters = [entry for entry in own.parameters.values() if entry.name != "self"]
    return str(own.replace(parameters=parameters, return_annotation=inspect.Signature.empty)).replace("'", "")


def _text(thing: Any) -> Iterator[str]:
    text = inspect.cleandoc(thing.__doc__ or "")
    if text:
        yield from (text.replace("``", "`"), "")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(reference(), encoding="utf-8")
