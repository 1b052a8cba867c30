"""The module as users of pandas and of other profilers guess it, and what notebooks show."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import app as tilesight

RESOURCES = Path(__file__).parents[2] / "resources"
MATMUL = RESOURCES / "samples" / "matmul_leakyrelu.bin"
RUN = """
import sys, nbclient, nbformat
book = nbformat.read(sys.argv[1], 4)
nbclient.NotebookClient(book, timeout=600).execute()
kinds = {kind for cell in book.cells for out in cell.get("outputs", ()) for kind in out.get("data", {})}
print(" ".join(sorted(kinds)))
"""


def test_tables_as_they_are_guessed() -> None:
    with tilesight.open([MATMUL]) as profile:
        slices = profile["slices"]
        assert slices.shape == (len(slices), len(slices.columns))
        assert slices.head().shape == (5, len(slices.columns))
        assert list(slices.head(3)["start"]) == list(slices["start"][:3])
        assert slices.head(10**9).shape == slices.shape
        for wrong, kind in ((-1, ValueError), (1.5, TypeError)):
            with pytest.raises(kind):
                slices.head(wrong)  # type: ignore[arg-type]
        assert {"timeline", "roofline"} <= set(profile.plots)
        figure = profile.figure("operator.duration_s")
        assert (figure.value, figure.unit) == (profile.figures["operator.duration_s"], "s")
        assert figure.help


@pytest.mark.parametrize(
    ("guess", "error", "meant"),
    [
        (lambda own: own["slises"], KeyError, "did you mean slices"),
        (lambda own: own["slices"]["durations"], KeyError, "did you mean duration"),
        (lambda own: own.slices, AttributeError, r'did you mean profile\["slices"\]'),
        (lambda own: own.block_details, AttributeError, r'profile\["block-details"\]'),
        (lambda own: own.figuers, AttributeError, "did you mean figures"),
        (lambda own: own.figure("operator.duration"), KeyError, "did you mean operator.duration_s"),
        (lambda own: own.plot("timelin"), KeyError, "did you mean timeline"),
        (lambda own: np.asarray(own["slices"]), TypeError, "to_pandas"),
    ],
)
def test_wrong_guesses_say_what_was_meant(guess: Any, error: type[Exception], meant: str) -> None:
    with tilesight.open(MATMUL) as profile, pytest.raises(error, match=meant):
        guess(profile)


def test_libraries_take_a_table_as_it_is() -> None:
    pyarrow, polars = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    pandas, duckdb = pytest.importorskip("pandas"), pytest.importorskip("duckdb")
    with tilesight.open(MATMUL) as profile:
        slices = profile["slices"]
        total = np.nansum(slices["duration"])
        assert pyarrow.table(slices).shape == slices.shape
        assert polars.DataFrame(slices)["duration"].sum() == pytest.approx(total)
        assert pandas.DataFrame.from_arrow(slices)["duration"].sum() == pytest.approx(total)
        (row,) = duckdb.sql("select sum(duration), count(*) from slices").fetchall()
        assert row == (pytest.approx(total), len(slices))


def test_what_notebooks_show_is_escaped(tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    trace.write_text('{"traceEvents": [{"ph": "X", "ts": 0, "dur": 5, "pid": 1, "tid": 1, "name": "<script>x"}]}')
    with tilesight.open(trace) as profile:
        shown = profile["slices"]._repr_html_()
        assert "&lt;script&gt;x" in shown
        assert "<script" not in shown + profile._repr_html_()
    with tilesight.open(MATMUL) as profile:
        assert "AI cores" in profile.findings()._repr_html_()
        verdict = profile.verdict()
        assert verdict is not None
        assert verdict.evidence[0][:5] in verdict._repr_html_()
        assert profile.plot("timeline")._repr_svg_().lstrip().startswith("<?xml")


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for needed in ("nbclient", "ipykernel", "pandas", "duckdb"):
        pytest.importorskip(needed)
    monkeypatch.setenv("PROFILE", str(MATMUL))
    monkeypatch.chdir(tmp_path)
    words = [sys.executable, "-W", "ignore", "-c", RUN, str(RESOURCES / "examples" / "first_look.ipynb")]
    made = subprocess.run(words, check=False, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    assert {"image/svg+xml", "text/html"} <= set(made.stdout.split())
