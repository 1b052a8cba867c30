"""The package is renamed in import statements, and nothing else may name it."""

from __future__ import annotations

import pytest

from package_name import renamed


@pytest.mark.parametrize(
    ("source", "installed"),
    [
        ("from app import __version__\n", "from tilesight import __version__\n"),
        ("from app.profile.issue import (\n    Issue,\n)\n", "from tilesight.profile.issue import (\n    Issue,\n)\n"),
        ("import os, app.document  # first\n", "import os, tilesight.document  # first\n"),
        ("import app.cli.words as app\napp.run()\n", "import tilesight.cli.words as app\napp.run()\n"),
        ("def f():\n    µ = 1; from app.a import b\n", "def f():\n    µ = 1; from tilesight.a import b\n"),
        ("from apple import app\nfrom .app import x\napp.from_app()\n", None),
        ('"""Like app.formats.walk."""\nnames = ["app", "app.json", "the app. And"]\n', None),
    ],
    ids=["package", "module", "side effect", "alias", "inside", "others", "texts"],
)
def test_imports_are_renamed_and_nothing_else(source: str, installed: str | None) -> None:
    assert renamed(source) == (installed or source)


@pytest.mark.parametrize(
    "source",
    [
        'import_module("app.formats.poplar")\n',
        'words = f"-m app.cli {file}"\n',
        "import app.document\napp.document.install()\n",
        "from  app.document import document\n",
        "from \\\n    app.document import document\n",
    ],
)
def test_what_would_keep_the_source_s_name_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match=r"^line [12]: "):
        renamed(source)
