"""The design document's questions about the file, its sources and its instructions, answered from the model."""

from __future__ import annotations

from typing import Any

import numpy as np
import orjson

from app.analysis.ascend.cores import core_in, core_names
from app.profile.profile import Profile
from app.profile.sources import Lines
from app.profile.typed import TypedColumn

Body = dict[str, Any]

BINARY = "ascend-bin"


def import_action(profile: Profile) -> Body:
    """import/action: what an opened file is. Operator files are what MindStudio Insight calls simulations, whether
    they come from a simulator or not; ``coreList`` are the cores that sources and instructions have columns for,
    ``sourceList`` the sorted paths of the source texts (Ascend operator files, section 2.2)."""
    paths = [str(path) for path in profile.origin.paths]
    return {
        "isCluster": False,
        "reset": True,
        "isSimulation": profile.origin.format.startswith("ascend-"),
        "isBinary": profile.origin.format == BINARY,
        "isIpynb": False,
        "coreList": list(core_names(profile)),
        "sourceList": sorted(profile.sources.paths) if profile.sources is not None else [],
        "result": [
            {
                "cardName": profile.name,
                "rankId": profile.name,
                "cardPath": paths[0] if paths else profile.name,
                "result": True,
            }
        ],
    }


def code_file(profile: Profile, source: str) -> Body:
    """source/code/file: the text of a source, "" where the file does not hold it."""
    found = profile.sources
    paths = found.paths.tolist() if found is not None else []
    return {"fileContent": found.texts[paths.index(source)] if found is not None and source in paths else ""}


def api_line(profile: Profile, source: str, core: str = "") -> Body:
    """source/api/line: the measured lines of a source for one core (the first for an unknown name). A value without
    data is null."""
    found = profile.lines
    if found is None:
        return {"lines": []}
    place = core_in(core_names(profile), core)
    names = found.paths.tolist()
    rows = np.flatnonzero(found.file == names.index(source)).tolist() if source in names else []
    return {"lines": [_line(found, row, place) for row in rows]}


def api_instructions(profile: Profile) -> Body:
    """source/api/instructions: all instructions with their values for every core, as JSON text."""
    found = profile.instructions
    if found is None:
        return {"instructions": ""}
    strings, records = found.strings, []
    for row in range(len(found.address)):
        file, line = strings.get(int(found.file[row])), int(found.line[row])
        address = int(found.address[row])
        records.append(
            {
                "Address": hex(address) if address >= 0 else "",
                "AscendC Inner Code": f"{file}:{line}" if line >= 0 else file,
                "Pipe": strings.get(int(found.pipe[row])),
                "Source": strings.get(int(found.text[row])),
                **{column.name: [_value(column, row, core) for core in _cores(column)] for column in found.columns},
            }
        )
    return {"instructions": orjson.dumps({"Cores": list(found.cores), "Instructions": records}).decode()}


def _line(found: Lines, row: int, core: int) -> Body:
    ranges = range(int(found.first_range[row]), int(found.first_range[row + 1]))
    return {
        "Line": int(found.line[row]),
        **{column.name: _value(column, row, core) for column in found.columns},
        "Address Range": [[hex(int(found.range_start[at])), hex(int(found.range_end[at]))] for at in ranges],
    }


def _cores(column: TypedColumn) -> range:
    return range(column.values.shape[1])


def _value(column: TypedColumn, row: int, core: int) -> Any:
    """A cell as the file would spell it; None for no data."""
    cell = column.of_core(core)[row].item()
    if column.strings is not None:
        return column.strings.get(cell) if cell >= 0 else None
    if cell != cell or cell < 0:
        return None
    if column.details is None:
        return cell
    width = column.values.shape[1]
    place = row * width + (core if 0 <= core < width else 0)
    part = slice(int(column.details.first[place]), int(column.details.first[place + 1]))
    reasons = [column.details.reasons.get(code) for code in column.details.reason[part].tolist()]
    counts = column.details.count[part].tolist()
    return {"Percent": cell / 100.0, "Details": dict(zip(reasons, counts, strict=True))}
