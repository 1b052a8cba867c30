"""In the environment of the source, ``tilesight`` is another name of ``app``, wherever Python is started."""

from __future__ import annotations

from pathlib import Path

import pytest

import dev_environment
from fakes.fresh_environment import FreshEnvironment, fresh_environment

ONE_COPY = """
import sys
import tilesight.profile.issue
from tilesight.formats.registry import FORMATS
from tilesight import __version__
import app.profile.issue, app.formats.registry
assert tilesight.profile.issue is app.profile.issue
assert FORMATS is app.formats.registry.FORMATS
assert app.profile.issue.__name__ == app.profile.issue.__spec__.name == "app.profile.issue"
modules = {}
for module in sys.modules.values():
    modules.setdefault(getattr(module, "__file__", None) or id(module), set()).add(id(module))
print([name for name, copies in modules.items() if len(copies) > 1])
try:
    import tilesight.none_such
except ModuleNotFoundError as error:
    print(error)
"""


@pytest.fixture
def environment(root: Path, tmp_path: Path) -> FreshEnvironment:
    """One beside a source, as dev.py makes it."""
    (tmp_path / "source").mkdir()
    for name in ("app", "resources"):
        (tmp_path / "source" / name).symlink_to(root / name)
    made = fresh_environment(tmp_path / "source" / ".venv")
    dev_environment.alias_source(root, made.folder)
    return made


def test_both_names_are_one_module_beside_another_app(environment: FreshEnvironment, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("raise SystemExit('the wrong app')\n")
    told = environment.run([environment.python, "-c", ONE_COPY], tmp_path)
    assert told == "[]\nNo module named 'tilesight.none_such'\n"
    version = environment.run([environment.python, "-m", "tilesight", "--version"], tmp_path)
    assert version.startswith("tilesight ")


def test_another_app_that_is_loaded_is_named(environment: FreshEnvironment, tmp_path: Path) -> None:
    (tmp_path / "app.py").touch()
    code = "import app\ntry:\n    import tilesight\nexcept ImportError as error:\n    print(error)"
    told = environment.run([environment.python, "-c", code], tmp_path)
    assert told.startswith("another module app is loaded: ")
