"""What each file of a capture holds, by its content (Ascend captures, sections 1 and 2)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, Literal, TypeAlias

from app.formats.foreign import SQLITE, VIEWER_CACHE
from app.formats.json.tolerant import head_text

Kind: TypeAlias = Literal[
    "info",
    "metadata",
    "kernels",
    "communication",
    "matrix",
    "steps",
    "memory",
    "memory_operators",
    "calls",
    "operators",
    "types",
    "table",
    "trace",
    "database",
    "cluster_steps",
    "cluster_communication",
    "cluster_matrix",
    "cluster_groups",
    "cluster_database",
]
CLUSTER_KINDS: Final[frozenset[Kind]] = frozenset(
    ("cluster_steps", "cluster_communication", "cluster_matrix", "cluster_groups", "cluster_database")
)
_HEADERS: Final[tuple[tuple[Kind, frozenset[str]], ...]] = (
    ("kernels", frozenset(("name", "duration(us)", "acceleratorcore"))),
    ("kernels", frozenset(("opname", "tasktype", "taskduration(us)", "taskstarttime(us)"))),
    ("cluster_steps", frozenset(("step", "type", "index", "computing"))),
    ("steps", frozenset(("step", "computing", "communication(notoverlapped)", "free"))),
    ("memory_operators", frozenset(("name", "size(kb)", "allocationtime(us)"))),
    ("operators", frozenset(("name", "hostselfduration(us)", "deviceselfduration(us)"))),
    ("calls", frozenset(("level", "apiname", "time(us)", "count"))),
    ("types", frozenset(("optype", "coretype", "count", "totaltime(us)"))),
    ("table", frozenset(("streamid", "taskid", "hitrate"))),
    ("table", frozenset(("opname", "modelname", "graphid", "size(kb)"))),
)
_MEMORY: Final = re.compile(r"totalreserved\((kb|mb)\)")
_BOTH: Final = (b'"p2p"', b'"collective"')
_STEP: Final = re.compile(rb'\s*\{\s*"step\d*"\s*:\s*\{')
_CLUSTER: Final = re.compile(rb'\s*\{\s*"(?:p2p|collective|\([0-9, ]*\))"\s*:')
_GROUPS: Final = re.compile(
    rb'\s*\{\s*"(?:p2p|collective)"\s*:\s*\[|\s*\[\s*\{[^\[\]{}]*"(?:rank_set|group_name|pg_name)"\s*:'
)
_INFO: Final = re.compile(rb'"(?:common_config|experimental_config|torch_npu_version|cann_version|start_info)"\s*:')
_METADATA: Final = re.compile(rb'"(?:distributed_args|parallel_group_info|ENV_VARIABLES)"\s*:')
_TABLES: Final = re.compile(
    rb"CREATE TABLE (?:IF NOT EXISTS )?[\"'\[`]?(STRING_IDS|StepTraceTime|CommAnalyzer\w+|Cluster\w+"
    rb"|CommunicationGroupMapping)\b",
    re.IGNORECASE,
)
_DATABASE_NAME: Final = re.compile(
    r"ascend_(pytorch|mindspore)_profiler(_-?\d+)?\.db|analysis\.db|cluster_analysis\.db|msprof_\d+\.db"
    r"|msmonitor_\d+_\d+_-?\d+\.db",
    re.IGNORECASE,
)
TRACE_NAME: Final = re.compile(r"(trace_view|msprof(_slice_\d+)?(_\d+)*)\.json", re.IGNORECASE)
"""Names of the traces of a capture. Their content alone does not say what they are: the names of processes may stand
anywhere in them."""


def kind_of(head: bytes, path: Path) -> Kind | None:
    """What the file that begins with ``head`` holds; None if it is no file of a capture. A trace is not looked for."""
    if head.startswith(SQLITE):
        return _database(head, path)
    text = head_text(head)
    if text[:1] in (b"{", b"["):
        return _json(text)
    return _table(text)


def _database(head: bytes, path: Path) -> Kind | None:
    if VIEWER_CACHE.fullmatch(path.name):
        return None
    tables = {name.lower() for name in _TABLES.findall(head)}
    if any(name.startswith(b"cluster") or name == b"communicationgroupmapping" for name in tables):
        return "cluster_database"
    if tables:
        return "database"
    if not _DATABASE_NAME.fullmatch(path.name):
        return None
    return "cluster_database" if path.name.lower() == "cluster_analysis.db" else "database"


def _json(text: bytes) -> Kind | None:
    if _GROUPS.match(text):
        return "cluster_groups"
    if _STEP.match(text) and any(kind in text for kind in _BOTH):
        if b'"Communication Time Info"' in text or b'"Communication Bandwidth Info"' in text:
            return "communication"
        return "matrix" if b'"Transport Type"' in text or b'"Transit Size(MB)"' in text else "communication"
    if _CLUSTER.match(text):
        if b'"Communication Time Info"' in text or b'"Communication Bandwidth Info"' in text:
            return "cluster_communication"
        if b'"Transport Type"' in text or b'"Transit Size(MB)"' in text:
            return "cluster_matrix"
    if text.startswith(b"{") and b'"traceEvents"' not in text and b'"ph"' not in text:
        if _INFO.search(text):
            return "info"
        if _METADATA.search(text):
            return "metadata"
    return None


def _table(text: bytes) -> Kind | None:
    line = text[:8192].split(b"\n", 1)[0]
    separator = max((b",", b"\t", b";"), key=line.count)
    if separator not in line or b"\0" in line:
        return None
    cells = line.decode("utf-8", "replace").split(separator.decode())
    titles = {title.strip().strip('"').lower().replace(" ", "") for title in cells}
    for kind, wanted in _HEADERS:
        if wanted <= titles:
            return kind
    if {"component", "timestamp(us)"} <= titles and any(map(_MEMORY.fullmatch, titles)):
        return "memory" if any(title.startswith("totalallocated(") for title in titles) else "table"
    return None
