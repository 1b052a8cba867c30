"""The process that reads damaged or hostile files, one after the other, under a limit of memory.

``python -m soak.one_process CASE END FOLDER`` tells on standard output, as a line of JSON each, which case it begins
(from that one to number ``END``) and how that ended, so that its parent knows what it was at when it dies or hangs.
"""

from __future__ import annotations

import faulthandler
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from soak import costs, one_reader
from soak.case import Id


def main(first: Id, end: int, folder: Path) -> None:
    faulthandler.enable()
    one_reader.limit()
    for number in range(first.number, end):
        one = replace(first, number=number)
        _tell({"begin": number})
        _tell({"end": number, **examined(one, folder / str(one))})
        shutil.rmtree(folder / str(one), ignore_errors=True)


def examined(one: Id, folder: Path) -> dict[str, Any]:
    """What came of a case, and ``wrong`` where that may not be."""
    return costs.examined(one, folder) if one.hostile else one_reader.examined(one, folder)


def _tell(words: dict[str, Any]) -> None:
    print(json.dumps(words), flush=True)


if __name__ == "__main__":
    main(Id.of(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
