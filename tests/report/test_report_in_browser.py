"""The report in a real browser: its script runs, its tables sort and filter."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from app.cli.words import run

MATMUL = Path(__file__).parents[2] / "resources" / "samples" / "matmul_leakyrelu.bin"
ACTIONS = """
<script>
addEventListener("load", () => {
  const table = document.querySelector("#tables table");
  table.tHead.rows[0].cells[0].click();
  const field = document.querySelector("#tables input");
  field.value = "zzz no such row"; field.dispatchEvent(new Event("input"));
  document.execCommand = () => { document.body.dataset.copied = document.activeElement.value; return true; };
  Object.defineProperty(window, "isSecureContext", { value: false });
  document.querySelector("button.link").click();
  document.body.dataset.done = [...table.tBodies[0].rows].every(row => row.hidden);
});
</script>
"""


@pytest.fixture(scope="module")
def browser() -> str:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert path is not None, "no browser; dev.py test installs chromium"
    return path


def test_the_script_of_the_page_sorts_and_filters(browser: str, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    assert run(["report", str(MATMUL), "-o", str(target)]) == 0
    target.write_text(target.read_text("utf-8").replace("</body>", f"{ACTIONS}</body>"), "utf-8")
    words = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--enable-logging=stderr"]
    done = subprocess.run(
        [browser, *words, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", target.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert 'data-done="true"' in done.stdout
    assert 'aria-sort="' in done.stdout
    assert f'data-copied="tilesight://{MATMUL.absolute()}?v=1&amp;content=' in done.stdout
    assert "CONSOLE" not in done.stderr  # no errors of scripts, nothing refused by the policy
