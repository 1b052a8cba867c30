"""A window whose column files are truncated while it is open, in a separate process, because a signal would also end
the tests.

``python -m fakes.truncated_window FOLDER BYTES`` opens the graph and the execution in FOLDER, whose column files of
more than BYTES are mapped, truncates every column file, draws every panel, exports every table, waits until the window
has read the files again, if it says that it must, draws and exports again, and prints what became of it as JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from app.analysis.export import export
from app.analysis.tables import available
from app.document.document import Document
from app.document.loader import Loader
from app.formats.poplar import read as poplar_reader
from app.profile.profile import Profile
from app.store import codec
from app.store.cache.limit import CacheLimit
from app.widgets.display import Display
from app.window.application import make_application, quieten
from app.window.file_notices import ChangedFiles
from app.window.main_window import MainWindow
from app.window.screenshot import read_all, settle
from app.window.self_test import SelfTestResult, _draw, _errors_into
from app.window.settings import SettingsFile
from fakes.changed_window import wait


def main(folder: Path, in_memory: int) -> None:
    quieten()
    vars(poplar_reader)["HEAVY_BYTES"] = 0  # small files come from the column store, too
    vars(codec)["IN_MEMORY"] = in_memory
    application = make_application()
    document = Document()
    loader = Loader(document, choice=CacheLimit(0))
    window = MainWindow(SettingsFile())
    window.fill(loader, document, Display(parent=application))
    window.resize(1280, 800)
    window.show()
    window.prepare()
    changed = ChangedFiles(window)
    window.open(sorted(folder.glob("*.json")))
    read_all(window)
    (entry,) = document.entries
    whole, told, notices = exported(entry.profile), SelfTestResult(), list[str]()
    loader.failed.connect(lambda failure: notices.append(failure.text))
    window.notices.add = lambda notice: notices.append(notice.text)  # type: ignore[method-assign]
    files = columns(loader, entry.job)
    for path in files:
        path.chmod(0o600)
        with path.open("r+b") as file:
            file.truncate(path.stat().st_size // 3)
    with _errors_into(told.trouble):
        touch(window, told.trouble)
    differ = exported(entry.profile) != whole
    changed.watcher.look()
    wait(lambda: not changed.watcher._background.busy)
    read_all(window)
    (again,) = document.entries
    trouble = list(told.trouble)
    told.trouble.clear()
    with _errors_into(told.trouble):
        _draw(window, told)
    print(
        json.dumps(
            {
                "files": len(files),
                "differed": differ,
                "trouble meanwhile": trouble,
                "notices": notices,
                "read again": again.job != entry.job,
                "same": exported(again.profile) == whole,
                "trouble": told.trouble,
            }
        )
    )
    window.close()
    loader.close()


def columns(loader: Loader, job: int) -> list[Path]:
    """The column files of an open profile that are not empty."""
    loaded = loader.loaded(job)
    assert loaded is not None
    return [path for path in loaded.stored.folder.glob("*.columns") if path.stat().st_size]


def touch(window: MainWindow, trouble: list[str]) -> None:
    """Draws every panel. What is left of the columns makes no sense, so that some cannot be drawn."""
    for name in window.prepare().offered:
        try:
            window.show_panel(name)
            settle(window)
            window.grab()
        except Exception as error:
            trouble.append(repr(error))


def exported(profile: Profile) -> dict[str, str]:
    """Every table as CSV; the error, if one cannot be made."""
    try:
        return {table.id: "".join(export(table, "csv")) for table in available(profile)}
    except Exception as error:
        return {"error": repr(error)}


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
