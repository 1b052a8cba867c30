"""Makes ``tilesight`` importable in the source's environment, where ``dev.py`` installs this file as ``tilesight.py``.

``tilesight.x`` is the module ``app.x`` of the source beside the environment: the same object under two names, never a
second copy. The working folder and modules named ``app`` in it have no effect.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

SOURCE, NAME = "app", "tilesight"
ROOT = Path(sys.prefix).parent


class Alias(MetaPathFinder, Loader):
    """Imports ``tilesight.x`` by importing ``app.x``."""

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        is_alias = fullname.startswith(f"{NAME}.") and importlib.util.find_spec(original(fullname)) is not None
        return importlib.util.spec_from_loader(fullname, self) if is_alias else None

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = importlib.import_module(original(module.__name__))


def original(name: str) -> str:
    """The name of a module of ``tilesight`` in the source."""
    return SOURCE + name.removeprefix(NAME)


def load_source() -> ModuleType:
    """The package ``app`` of the source; ImportError if another module of that name is loaded."""
    if SOURCE not in sys.modules:
        spec = PathFinder.find_spec(SOURCE, [str(ROOT)])
        if spec is None or spec.loader is None:
            raise ImportError(f"there is no package {SOURCE} in {ROOT}", name=NAME)
        sys.modules[SOURCE] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[SOURCE])
    loaded = sys.modules[SOURCE]
    if Path(loaded.__file__ or "").resolve() != (ROOT / SOURCE / "__init__.py").resolve():
        raise ImportError(f"another module {SOURCE} is loaded: {loaded.__file__}", name=NAME)
    return loaded


sys.modules[NAME] = load_source()
if not any(isinstance(finder, Alias) for finder in sys.meta_path):
    sys.meta_path.insert(0, Alias())
if __name__ == "__main__":
    sys.exit(importlib.import_module(f"{SOURCE}.cli").main(sys.argv[1:]))
