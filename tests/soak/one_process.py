"""The process that reads damaged or hostile files, one after another, under a memory limit.

``python -m soak.one_process CASE END FOLDER`` prints a line of JSON when it begins and when it ends each case (from
CASE to number END), so that its parent knows the current case when the process crashes or hangs.
"""

from __future__ import annotations

import faulthandler
import json
import shutil
import sys
from pathlib import Path
from typing import Any

from msgspec.structs import replace

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
    """The result of a case; ``wrong`` says what must not happen, "" if nothing did."""
    return costs.examined(one, folder) if one.hostile else one_reader.examined(one, folder)


def _tell(words: dict[str, Any]) -> None:
    print(json.dumps(words), flush=True)


if __name__ == "__main__":
    main(Id.of(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
