"""What the program works out is the same in every language: in the language for tests, where every text differs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from app.language import PSEUDO
from app.preferred_language import VARIABLE

CODE = """
from pathlib import Path
import numpy as np
from app.analysis.tables.ascend_report import file_name
from app.analysis.hotspots import lines
from app.analysis.part import Amount, sentence
from app.analysis.poplar.columns import max_column
from app.analysis.poplar.matrices import BYTE_IDS
from app.analysis.scaling.doubling import _compared, counts, growing_exchange_code
from app.analysis.source_view import source_paths, source_view
from app.analysis.table import Column, Table
from app.analysis.tables.ascend_memory import _counted_rates
from app.cli.reading import opened
from app.language import tr

with opened([Path("SAMPLE")], 0) as result:
    sample = result.profiles[0]
columns = _compared(np.array([1.0, 1, 1]), np.array([2.0, 1, 9]), 2, "cycles", "")
category = Column("category", "", ("internalExchangeCode", "b", "globalExchangeCode"))
table = Table("scaling-memory", "", (category, Column("exchange_code", "", np.array([True, False, True])), *columns))
print(counts(table), growing_exchange_code(table))
print(lines(sample).ranked_by, source_view(sample, source_paths(sample)[0]).table.columns[1].key)
names = ["hit", "miss", "hit rate"]
rate = _counted_rates([Column(name, name, np.ones(1)) for name in names], names, np.array([[1.0, 3, 9]]))[2]
print(rate.values, rate.unit)
print(file_name(5, 1), sorted(BYTE_IDS.values())[0])
words = sentence(tr("{cycles} in {count:,} steps", cycles=Amount(5, "cycles"), count=1000))
print([type(word).__name__ for word in words])
"""


def test_logic_does_not_depend_on_the_language(root: Path) -> None:
    sample = root / "resources" / "samples" / "matmul_leakyrelu.bin"
    code = CODE.replace("SAMPLE", sample.as_posix())
    environment = os.environ | {VARIABLE: PSEUDO, "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "{'doubles': 1, 'stays': 1, 'grows': 1} ('internalExchangeCode', 'globalExchangeCode')",
        "cycles cycles",
        "[25.] %",
        "block-1-0x05-base-information.json code-bytes",
        "['str', 'Amount', 'str']",
    ]
