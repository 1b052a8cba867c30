"""Catalogues of translations: `dev.py texts [--update]`.

The template (every marked text) goes to build/texts/tilesight.pot. Each resources/languages/LANGUAGE.po is compared
with it; ``--update`` brings it up to date and compiles what the program loads, LANGUAGE.mo. A new language begins with
an empty LANGUAGE.po and ``--update``. The template says where a text is; a catalogue does not, so that moving code
changes none.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import dev_texts_pages
from dev_texts import Text, marked

LANGUAGES = Path("resources", "languages")
TEMPLATE = Path("build", "texts", "tilesight.pot")


def main(words: Sequence[str], root: Path) -> int:
    """Exit status: 0 when every catalogue is complete and compiled, 1 when not, 2 for unknown words."""
    if list(words) not in ([], ["--update"]):
        print(__doc__, file=sys.stderr)
        return 2
    texts = template(root)
    write(texts, root / TEMPLATE)
    print(f"{TEMPLATE}: {len(texts):,} texts")
    complete = True
    for path in sorted((root / LANGUAGES).glob("*.po")):
        if words:
            update(path, texts)
        found = list(problems(path, texts))
        complete = complete and not found
        print("\n".join([f"{path.name}: {len(found):,} problems", *found]))
    return 0 if complete else 1


def template(root: Path) -> Catalog:
    """All marked texts of the program, with their places."""
    catalog = Catalog(project="Tilesight", fuzzy=False)
    for text in texts_of(root):
        name = (text.english, text.several) if text.several else text.english
        flags = ["python-brace-format"] if places(text.english) or text.several else []
        catalog.add(name, locations=[(text.path, text.line)], flags=flags)
    return catalog


def texts_of(root: Path) -> Iterator[Text]:
    """The marked texts of all modules, then those of the templates of pages."""
    for path in sorted((root / "app").rglob("*.py")):
        yield from marked(path, root)
    for path in dev_texts_pages.pages(root):
        yield from dev_texts_pages.marked(path, root)


def update(path: Path, texts: Catalog) -> None:
    """Adds what is new, drops what is gone, and compiles it."""
    catalog = read(path)
    catalog.update(texts, no_fuzzy_matching=True)
    catalog.obsolete.clear()
    write(catalog, path)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalog)


def problems(path: Path, texts: Catalog) -> Iterator[str]:
    """What keeps a catalogue from being shown: texts that are not translated, places that differ, a compiled file that
    is out of date."""
    catalog = read(path)
    for message in texts:
        own = catalog.get(message.id)
        forms = [] if own is None else [own.string] if isinstance(own.string, str) else list(own.string or ())
        english = message.id if isinstance(message.id, str) else message.id[1]
        if not english:
            continue
        if not forms or not all(forms) or (own is not None and own.fuzzy):
            yield f"{path.name}: not translated: {english}"
        elif any(places(form) != places(english) for form in forms):
            yield f"{path.name}: other places: {english}"
    compiled = path.with_suffix(".mo")
    if not compiled.is_file() or compiled.read_bytes() != as_mo(catalog):
        yield f"{compiled.name} is out of date"


def places(text: str) -> set[str]:
    """The places of a text, with their formats."""
    return {f"{name}:{form}" for _, name, form, _ in Formatter().parse(text) if name is not None}


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.stem)


def write(catalog: Catalog, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=120, no_location=path.suffix == ".po", sort_output=True, include_lineno=False)


def as_mo(catalog: Catalog) -> bytes:
    memory = io.BytesIO()
    write_mo(memory, catalog)
    return memory.getvalue()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path(__file__).resolve().parent.parent))
