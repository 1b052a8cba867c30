"""Recognises packs by their magic bytes, and metric tables by their header line."""

from __future__ import annotations

import codecs
import re
from pathlib import Path
from typing import Final

PACK_MAGICS: Final = (b"cann-rep", b"npu-rep\0")
_METRICS: Final = re.compile(
    rb"""["]?(block_id["]?\s*[,;\t]\s*["]?sub_block_id | Op\ Name["]?\s*[,;\t]\s*["]?Op\ Type
    | instr["]?\s*[,;\t]\s*["]?addr | code["]?\s*[,;\t]\s*["]?call_count | aic_time\(us\)
    | ExecInstrId["]?\s*[,;\t])""",
    re.VERBOSE,
)
_CELLS: Final = (b"block_id", b"sub_block_id", b"aic_total_cycles", b"aiv_total_cycles", b"ExecInstrTickStart")


def sniff(head: bytes, _path: Path) -> int:
    """3 for a pack, 2 for a metric table (CSV) of an operator, else 0."""
    if head.startswith(PACK_MAGICS):
        return 3
    return 2 if is_metric_table(head) else 0


def is_metric_table(head: bytes) -> bool:
    """Whether a text begins with the titles of a metric table (Ascend operator reports, sections 2.2, 3 and 4)."""
    line = head.removeprefix(codecs.BOM_UTF8).lstrip()[:4096].split(b"\n", 1)[0]
    return bool(_METRICS.match(line)) or sum(cell in line for cell in _CELLS) >= 2
