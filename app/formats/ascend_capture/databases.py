"""Databases of a rank, read where its text files are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.formats.ascend_capture.rank import RankData
from app.formats.ascend_capture.rank_text import File, Reading
from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.source import Unreadable
from app.language import tr

if TYPE_CHECKING:
    from app.formats.ascend_capture.database_analysis import ClusterRows


def read_cluster(file: File, reading: Reading) -> ClusterRows | None:
    """What the database of a cluster's output holds; None where it cannot be read, which is reported."""
    from app.formats.ascend_capture.database_analysis import read_cluster as rows_of

    made: list[ClusterRows] = []
    reading.take_json(file, lambda file, _: made.append(rows_of(file.source.path, reading.sink, reading.moved)))
    return made[0] if made else None


def read(files: Sequence[File], reading: Reading) -> RankData | None:
    """What the databases of one rank hold; None where none can be read, which is reported."""
    from app.formats.ascend_capture.database import read_database

    readable = [file for file in files if not isinstance(file.source, Unreadable)]
    if not readable:
        return None
    try:
        data = read_database([file.source.path for file in readable], reading.sink, reading.moved)
        reading.read.update(file.number for file in readable)
        return data
    except FormatError as error:
        problems = Problems(reading.sink, readable[0].name)
        problems.add("error", tr("files that cannot be read"), error.offset, error.text)
        return None
    finally:
        reading.done += sum(file.source.size for file in readable)
