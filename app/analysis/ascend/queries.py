"""The commands of the design document's interface tables, each with the function of the model that answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from app.analysis.ascend.queries_details import base_info, compute_workload
from app.analysis.ascend.queries_memory import memory_graph, memory_table
from app.analysis.ascend.queries_source import api_instructions, api_line, code_file, import_action
from app.analysis.ascend.queries_timeline import flows, thread_detail, thread_traces, thread_traces_summary, units
from app.profile.profile import Profile

Params: TypeAlias = Mapping[str, Any]
Body: TypeAlias = dict[str, Any]
Answer: TypeAlias = Callable[[Profile, Params], Body]


def _text(params: Params, *keys: str) -> str:
    return str(next((params[key] for key in keys if key in params), ""))


def _number(params: Params, key: str, default: float) -> float:
    value = params.get(key, default)
    return float(value) if isinstance(value, int | float) else default


def _window(params: Params) -> tuple[float, float, float]:
    return _number(params, "startTime", 0), _number(params, "endTime", float("inf")), _number(params, "timePerPx", 0)


QUERIES: Final[dict[str, Answer]] = {
    "import/action": lambda profile, _: import_action(profile),
    "unit/units": lambda profile, _: units(profile),
    "unit/threadTracesSummary": lambda profile, params: thread_traces_summary(
        profile, _text(params, "processId"), *_window(params)
    ),
    "unit/threadTraces": lambda profile, params: thread_traces(
        profile, _text(params, "processId"), _text(params, "threadId"), *_window(params)
    ),
    "unit/flows": lambda profile, params: flows(profile, _text(params, "id")),
    "unit/threadDetail": lambda profile, params: thread_detail(profile, _text(params, "id"), params.get("record")),
    "source/code/file": lambda profile, params: code_file(profile, _text(params, "sourceName")),
    "source/api/line": lambda profile, params: api_line(
        profile, _text(params, "sourceName"), _text(params, "coreName")
    ),
    "source/api/instructions": lambda profile, _: api_instructions(profile),
    "source/details/baseInfo": lambda profile, _: base_info(profile),
    "source/details/computeworkload": lambda profile, params: compute_workload(profile, _text(params, "blockId")),
    "source/details/memoryGraph": lambda profile, params: memory_graph(profile, _text(params, "blockId")),
    "source/details/memoryTable": lambda profile, params: memory_table(profile, _text(params, "blockId")),
}
"""``unit/units`` is ours: it lists the ids that the others ask for."""


def answer(profile: Profile, command: str, params: Params | None = None) -> Body:
    """The body of the response to ``command``; KeyError for a command that is not known. ``params`` as in the
    document (those that concern a server are passed over); unit/threadDetail also takes the decoded event as
    ``record``."""
    return QUERIES[command](profile, params or {})
