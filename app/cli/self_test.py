"""`--self-test` checks the installation: every bundled sample is read by the real readers, in the worker process and in
the window; each panel is drawn, a table and a plot are exported. It needs no display and no user files."""

from __future__ import annotations

import os
import platform
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from app import __version__, program
from app.formats.collect import Collector
from app.formats.errors import FormatError
from app.formats.registry import Job, plan
from app.language import plural, tr
from app.profile.profile import Profile
from app.store.load import run_worker
from app.store.token import Token
from app.window.samples import Sample, samples

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

PLACES = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "LOCALAPPDATA", "APPDATA")
"""Folders of settings and caches: replaced by a temporary folder during the test."""


class Results:
    """Prints results and records whether something failed."""

    def __init__(self) -> None:
        self.failed = False

    def done(self, what: str, text: str) -> None:
        print(f"ok      {what:9} {text}", flush=True)

    def fail(self, what: str, text: str) -> None:
        self.failed = True
        print(f"FAILED  {what:9} {text}", flush=True)


def run(export: Callable[[Sequence[str]], int]) -> int:
    """Status 0 if everything works, else 1. ``export`` runs arguments of the command line."""
    results, began = Results(), time.perf_counter()
    how = "installed" if program.is_installed() else tr("from source")
    print(
        tr(
            "Tilesight {version} ({how}), Python {python_version}, {platform}",
            version=__version__,
            how=how,
            python_version=platform.python_version(),
            platform=platform.platform(),
        ),
        flush=True,
    )
    with ExitStack() as stack:
        # Windows cannot delete columns that are still mapped, which is not a failure of the program
        temporary = tempfile.TemporaryDirectory(prefix="tilesight-self-test-", ignore_cleanup_errors=True)
        folder = Path(stack.enter_context(temporary))
        stack.callback(_put_back, dict(os.environ))
        os.environ.update(dict.fromkeys(PLACES, str(folder)), QT_QPA_PLATFORM="offscreen")
        bundled = samples()
        if not bundled:
            results.fail("samples", tr("no sample profiles are bundled"))
        profiles = [profile for sample in bundled for profile in _decode(sample, folder, results)]
        _licences(results)
        _draw(bundled, results)
        _export(bundled, profiles, folder, export, results)
        del profiles
    took = time.perf_counter() - began
    seconds = f"{took:.1f}"
    failure = tr("self-test failed in {seconds} s", seconds=seconds) if results.failed else None
    print(failure or tr("self-test passed in {seconds} s", seconds=seconds), flush=True)
    return int(results.failed)


def _decode(sample: Sample, folder: Path, results: Results) -> list[Profile]:
    """The sample's profiles, decoded in a worker process."""
    jobs, refused = plan(sample.paths())
    for refusal in refused:
        results.fail("worker", f"{refusal.path}: {refusal.error}")
    return [profile for job in jobs for profile in _in_worker(sample, job, folder, results)]


def _in_worker(sample: Sample, job: Job, folder: Path, results: Results) -> list[Profile]:
    collector = Collector(job.format.id)
    try:
        run_worker(job, Path(tempfile.mkdtemp(dir=folder)), collector, Token())
    except FormatError as error:
        results.fail("worker", f"{sample.title}: {error}")
        return []
    for profile in collector.profiles:
        filled = profile.filled()
        wrong = [issue for issue in profile.issues if issue.severity != "info"]
        if not filled or wrong:
            results.fail(
                "worker",
                plural(
                    "{sample}: {count:,} section, issues: {issues}",
                    "{sample}: {count:,} sections, issues: {issues}",
                    count=len(filled),
                    sample=sample.title,
                    issues=wrong,
                ),
            )
        else:
            results.done(
                "worker",
                plural(
                    "{sample}: {id}, {count:,} section: {filled}",
                    "{sample}: {id}, {count:,} sections: {filled}",
                    count=len(filled),
                    sample=sample.title,
                    id=job.format.id,
                    filled=", ".join(filled),
                ),
            )
    return collector.profiles


def _licences(results: Results) -> None:
    """Checks the licences listed under About; a frozen program has its own list, which includes Qt."""
    from app.window.about import components

    listed = components()
    frozen = program.is_frozen()
    silent = [part.name for part in listed if not part.files and (frozen or not part.licence)]
    if silent or (frozen and "Qt" not in {part.name for part in listed}):
        results.fail("licences", tr("missing for {silent}", silent=", ".join(silent) or "Qt"))
    else:
        results.done(
            "licences",
            plural(
                "{count:,} component",
                "{count:,} components",
                count=len(listed),
            ),
        )


def _draw(bundled: Sequence[Sample], results: Results) -> None:
    """Draws the window with each sample in it."""
    try:
        from app.window.application import make_application, quieten
        from app.window.idle import module_imports
        from app.window.self_test import draw_panels, drawings
    except ImportError as error:
        results.fail("window", tr("Qt cannot be loaded here: {error}", error=error))
        return
    quieten()
    application: QApplication = make_application()
    missing = drawings()
    (results.fail if missing else results.done)(
        "icons", tr("cannot be drawn: {missing}", missing=", ".join(missing)) if missing else tr("all drawn")
    )
    for load in module_imports():
        try:
            load()
        except ImportError as error:  # of a library that this package does not contain
            results.fail("window", str(error))
    for sample in bundled:
        drawn = draw_panels(application, sample.paths())
        for line in drawn.trouble:
            results.fail("window", f"{sample.title}: {line}")
        if drawn.panels:
            results.done(
                "window",
                plural(
                    "{sample}: {count:,} panel drawn: {panels}",
                    "{sample}: {count:,} panels drawn: {panels}",
                    count=len(drawn.panels),
                    sample=sample.title,
                    panels=", ".join(drawn.panels),
                ),
            )


def _export(
    bundled: Sequence[Sample],
    profiles: Sequence[Profile],
    folder: Path,
    export: Callable[[Sequence[str]], int],
    results: Results,
) -> None:
    """Exports the first table that has rows and the first plot, and all tables of each sample, with the arguments that
    a user would type."""
    from app.analysis.tables import listed

    if not bundled or not profiles:
        return
    from app.panels.picture import plots

    source = str(bundled[0].paths()[0])
    table = next((table for table in listed(profiles[0]) if table.rows), None)
    plot = next(iter(plots(profiles[0])), None)
    for kind, id_, suffix in (("table", table and table.id, ".csv"), ("plot", plot and plot.id, ".png")):
        target = folder / f"exported{suffix}"
        status = export(["export", source, f"--{kind}", str(id_), "-o", str(target)])
        if status or not target.is_file() or not target.stat().st_size:
            results.fail(
                "export", tr("{kind} {id}: status {status}, nothing written", kind=kind, id=id_, status=status)
            )
        else:
            results.done(
                "export",
                plural(
                    "{kind} {id} of {bundled}: {count:,} byte",
                    "{kind} {id} of {bundled}: {count:,} bytes",
                    count=target.stat().st_size,
                    kind=kind,
                    id=id_,
                    bundled=bundled[0].title,
                ),
            )
    for sample in bundled:
        target = folder / f"exported-{sample.id}"
        paths = [str(path) for path in sample.paths()]
        with redirect_stdout(StringIO()):
            status = export(["export", *paths, "--all", "--plots", "none", "-o", str(target)])
        if status or not (target / "index.json").is_file():
            results.fail(
                "export", tr("export --all of {sample}: exit status {status}", sample=sample.title, status=status)
            )
        else:
            results.done(
                "export",
                plural(
                    "export --all of {sample}: {count:,} file",
                    "export --all of {sample}: {count:,} files",
                    count=len(list(target.iterdir())),
                    sample=sample.title,
                ),
            )


def _put_back(before: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(before)
