"""Column files that another program truncates while a script uses the profile: an error, not zeros."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.store import lost_pages
from generators import poplar

SCRIPT = """
import sys
from pathlib import Path
import app as tilesight
from app.formats.poplar import read as poplar_reader
from app.store import codec, lost_pages

vars(poplar_reader)["HEAVY_BYTES"] = vars(codec)["IN_MEMORY"] = 0
with tilesight.open(sys.argv[1]) as profile:
    name = "tile-memory"
    whole = profile.table(name)
    assert profile.figures and len(whole)
    comparison = tilesight.compare(profile, profile)
    for file in lost_pages._GUARD.files():
        file.path.chmod(0o600)
        with file.path.open("r+b") as opened:
            opened.truncate(file.path.stat().st_size // 3)
    reads = {
        "figures": lambda: profile.figures,
        "tables": lambda: profile.tables,
        "table": lambda: profile.table(name),
        "column": lambda: whole["total"],
        "rows": lambda: list(whole.rows()),
        "query": lambda: profile.query("select * from tile_memory"),
        "findings": lambda: profile.findings(),
        "compared": lambda: comparison.table(name),
        "compared figures": lambda: comparison.figures,
    }
    for kind, read in reads.items():
        try:
            read()
        except tilesight.FormatError as error:
            assert sys.argv[1] in str(error) and "truncated" in str(error), error
            print(kind)
"""


@pytest.mark.skipif(not lost_pages.SUPPORTED, reason="lost pages are replaced on Linux only")
def test_what_reads_truncated_columns_fails(tmp_path: Path, root: Path) -> None:
    poplar.write_pair(tmp_path, poplar.Scale(tiles_per_ipu=24, compute_sets=4, mode="COMPUTE_SETS", estimates=True))
    command = [sys.executable, "-c", SCRIPT, str(tmp_path)]
    done = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)
    kinds = ["figures", "tables", "table", "column", "rows", "query", "findings", "compared", "compared figures"]
    assert done.stdout.splitlines() == kinds
