"""What the files of a PyPTO run hold, each by itself, as plain columns (PyPTO, sections 2 to 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

import msgspec
import numpy as np
from msgspec import Struct

from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.json.tolerant import text_start
from app.formats.json.walk import JsonWalk
from app.formats.source import Source
from app.formats.walk import Batch, Broken
from app.language import plural, tr
from app.profile.arrays import I64
from app.profile.orders import by_integers
from app.profile.strings import Interner

LATEST: Final = 1 << 60
"""Times, tokens and numbers above are damaged: sums of a few must fit into 64 bits."""
MOST_CORES: Final = 4096
"""More cores than any chip has: a number of cores above it is not believed."""
MOST_THREADS: Final = 1024
NONE: Final = np.empty(0, np.int64)
Made = TypeVar("Made", bound=Struct)
Moved = Callable[[int], None]


class Phase(Struct, gc=False):
    """What a scheduler or an orchestrator does."""

    kind: str = ""
    start_cycles: int = -1
    end_cycles: int = -1


class Phases(Struct):
    """Phases of one thread called ``name``: int64 columns in the order of the file; ``kind``: index of ``kinds``."""

    name: str
    kinds: list[str]
    kind: I64
    start: I64
    end: I64


class Rows(Struct):
    """Blocks as int64 columns; -1 no data. ``register``: with core and run, what joins a block with its dispatch.
    ``function``: names, by block, where the file has them."""

    core: I64
    token: I64
    register: I64
    start: I64
    end: I64
    setup: I64
    run: I64
    function: list[str] | None = None


class Records(Struct):
    """``cores``: number -> kind ("aic", "aiv", ""); ``thread``: number -> scheduler; ``handed``: int64[rows, 5],
    core, register, dispatch, finish, run; ``left_out``: parts that are not read."""

    level: int = 0
    clock_hz: float | None = None
    cores: dict[int, str] = {}
    thread: dict[int, int] = {}
    rows: Rows | None = None
    handed: I64 = NONE.reshape(0, 5)
    phases: list[Phases] = []
    left_out: list[str] = []


def number(value: object) -> int:
    """An integer of JSON, or a text of digits (files write 64-bit numbers so); -1 for anything else."""
    if isinstance(value, str):
        value = int(value) if len(value) <= 20 and value.isascii() and value.isdigit() else -1
    return value if type(value) is int and 0 <= value < LATEST else -1


def _walk(source: Source, problems: Problems, moved: Moved) -> JsonWalk:
    return JsonWalk(source, problems, moved, text_start(source))


def _careful(walk: JsonWalk, problems: Problems, read: Callable[[str], None]) -> None:
    """Calls ``read`` with each key of an object. Damage is reported, and what can be read is."""
    try:
        for key in walk.members():
            try:
                read(key)
            except Broken:
                raise
            except FormatError as error:
                text = tr("{key} cannot be read: {error}", key=key[:80], error=error.text)
                problems.add("error", tr("parts that cannot be read"), error.offset, text)
    except Broken as error:
        text = tr("{error}; what comes before it is shown", error=error.text)
        problems.add("error", tr("truncated files"), error.offset, text)


def _rescue(shape: type[Made]) -> Callable[[Any], Made]:
    def made(value: Any) -> Made:
        try:
            return msgspec.convert(value, shape, strict=False)
        except msgspec.ValidationError as error:
            raise ValueError(tr("its fields have other types than expected")) from error

    return made


def _all(walk: JsonWalk, shape: type[Made]) -> Iterator[Made]:
    batch: Batch[Made]
    for batch in walk.records(shape, _rescue(shape)):
        yield from batch.records


# -- chip_swimlane_records.json ---------------------------------------------------------------------------


def read_records(source: Source, problems: Problems, moved: Moved) -> Records:
    """The records of the runtime. Raises FormatError if there is no object."""
    walk, made = _walk(source, problems, moved), Records()

    def read(key: str) -> None:
        match key:
            case "chip_swimlane_level" | "l2_swimlane_level":
                made.level = max(number(walk.value()), 0)
            case "metadata":
                _metadata(walk.value(), made, problems)
            case "aicore_tasks":
                made.rows = _blocks(_integers(source, walk, problems, moved), problems)
            case "aicpu_tasks":
                made.handed = _handed(_integers(source, walk, problems, moved), made.handed, problems)
            case "scheduler_tasks":
                for inner in walk.members():
                    if inner == "records":
                        made.handed = _handed(_integers(source, walk, problems, moved), made.handed, problems)
            case "aicpu_scheduler_phases" | "aicpu_orchestrator_phases":
                made.phases = [*made.phases, *_threads(walk, key == "aicpu_orchestrator_phases")]
            case "scheduler_records":
                made.phases = [*made.phases, *_streams(walk, problems)]
            case "host_orchestrator_phases" | "aicore_resolve_phases" | "aicpu_lifecycle_records":
                made.left_out = [*made.left_out, key]
            case _:
                pass

    _careful(walk, problems, read)
    return made


def _metadata(value: object, made: Records, problems: Problems) -> None:
    if not isinstance(value, dict):
        raise FormatError(tr("it is not an object"))
    clock = value.get("clock_freq_hz")
    if isinstance(clock, int | float) and not isinstance(clock, bool) and 1e3 <= clock <= 1e12:
        made.clock_hz = float(clock)
    else:
        text = tr("metadata.clock_freq_hz is not a frequency, so times are shown in cycles")
        problems.add("error", tr("missing frequencies"), None, text)
    stated, kinds, threads = number(value.get("num_cores")), value.get("core_types"), value.get("core_to_thread")
    kinds = kinds[:MOST_CORES] if isinstance(kinds, list) else []
    if stated != len(kinds):
        text = tr(
            "metadata.num_cores ({count:,}) is not the length of core_types ({kinds:,})", count=stated, kinds=len(kinds)
        )
        problems.add("warning", tr("contradictions"), None, text)
    made.cores = dict.fromkeys(range(stated if stated <= MOST_CORES else 0), "")
    made.cores |= {core: kind.lower() if isinstance(kind, str) else "" for core, kind in enumerate(kinds)}
    made.thread = {core: number(thread) for core, thread in enumerate(threads if isinstance(threads, list) else [])}
    capture = value.get("host_capture")
    dropped = number(capture.get("dropped_records")) if isinstance(capture, dict) else 0
    if dropped > 0:
        text = plural("{count:,} record was lost", "{count:,} records were lost", count=dropped)
        problems.add("warning", tr("lost records"), None, text)


def _integers(source: Source, walk: JsonWalk, problems: Problems, moved: Moved) -> I64:
    """int64[rows, width] of an array of rows of integers; those of other widths than most are reported. Of a damaged
    array, the rows that can be read."""
    begin = walk.offset
    try:
        rows = walk.rows()
        lengths, items, first = rows.lengths, rows.items, rows.first
        width = int(np.bincount(lengths, minlength=1).argmax()) if len(lengths) and lengths.max() < 64 else 0
        good = np.flatnonzero(lengths == width)
        wrong = len(lengths) - len(good)
        if wrong:
            items = items[first[good][:, None] + np.arange(width)]
        made = items.reshape(-1, width).astype(np.int64, order="F") if width else NONE.reshape(0, 0)
    except FormatError:
        made, wrong = _one_by_one(JsonWalk(source, problems, moved, begin))
    moved(walk.offset)
    if wrong:
        text = plural(
            "{count:,} row is skipped: it is not a list of integers, or has another length than most",
            "{count:,} rows are skipped: they are not lists of integers, or have another length than most",
            count=wrong,
        )
        problems.add("error", tr("skipped rows"), begin, text)
    return made


def _one_by_one(walk: JsonWalk) -> tuple[I64, int]:
    """The same, slowly: (the rows; how many are wrong)."""
    by_width: dict[int, list[list[int]]] = {}
    wrong = 0
    try:
        for several in walk.several(1 << 16):
            for row in [None] if isinstance(several, FormatError) else several:
                if isinstance(row, list) and all(type(one) is int and -1 <= one < LATEST for one in row):
                    by_width.setdefault(len(row), []).append(row)
                else:
                    wrong += 1
    except Broken:
        wrong += 1
    best = max(by_width.values(), key=len, default=[])
    wrong += sum(map(len, by_width.values())) - len(best)
    return np.array(best, np.int64).reshape(len(best), -1) if best and best[0] else NONE.reshape(0, 0), wrong


def _blocks(table: I64, problems: Problems) -> Rows | None:
    """Rows of aicore_tasks (section 2): five values, then the time from receive to start, then the run."""
    if table.shape[1] not in (5, 6, 7):
        if len(table):
            text = tr("rows of this length are unknown ({width:,}): 5 to 7 are expected", width=table.shape[1])
            problems.add("error", tr("unknown rows"), None, text)
        return None
    core, token, register, start, end = table[:, :5].T
    possible = (table[:, :5].min(axis=1, initial=0) >= 0) & (table[:, :5].max(axis=1, initial=0) < LATEST)
    possible &= (end >= start) & (core < 1 << 31)
    if not possible.all():
        text = plural(
            "{count:,} row is skipped: it ends before it starts, or has a number that cannot be",
            "{count:,} rows are skipped: they end before they start, or have a number that cannot be",
            count=int((~possible).sum()),
        )
        problems.add("error", tr("impossible rows"), None, text)
        table = table[possible]
        core, token, register, start, end = table[:, :5].T
    none = np.full(len(table), -1, np.int64)
    setup = table[:, 5] if table.shape[1] > 5 else none
    run = table[:, 6] if table.shape[1] > 6 else none
    return Rows(core, token, register, start, end, np.where((setup >= 0) & (setup <= start), setup, -1), run)


def _handed(table: I64, before: I64, problems: Problems) -> I64:
    """Rows of dispatch and finish: int64[rows, 5], the last is the run (-1 none)."""
    if table.shape[1] not in (4, 5):
        return before
    if len(before):
        text = tr("aicpu_tasks and scheduler_tasks are both there; the first counts")
        problems.add("error", tr("contradictions"), None, text)
        return before
    return table if table.shape[1] == 5 else np.concatenate((table, np.full((len(table), 1), -1)), axis=1)


def _threads(walk: JsonWalk, orchestrates: bool) -> list[Phases]:
    made = []
    for place, _ in enumerate(walk.items()):
        if place < MOST_THREADS:
            name = f"Orch_{place}" if orchestrates else f"Sched_{place}"
            made.append(_phases(name, walk, "orchestrate" if orchestrates else ""))
    return made


def _streams(walk: JsonWalk, problems: Problems) -> list[Phases]:
    """The later layout: an object for each stream."""
    made: list[Phases] = []
    for key in walk.members():
        if key != "streams":
            continue
        for place, _ in enumerate(walk.items()):
            name, phases = f"Sched_{place}", Phases("", [], NONE, NONE, NONE)
            for inner in walk.members():
                if inner == "scheduler_id":
                    name = f"Sched_{number(walk.value())}"
                elif inner == "records":
                    phases = _phases("", walk, "")
                elif inner == "capture":
                    _lost(walk.value(), problems)
            phases.name = name
            made += [phases] if place < MOST_THREADS else []
    return made


def _lost(capture: object, problems: Problems) -> None:
    dropped = number(capture.get("dropped")) if isinstance(capture, dict) else 0
    if dropped > 0:
        text = plural("{count:,} record was lost", "{count:,} records were lost", count=dropped)
        problems.add("warning", tr("lost records"), None, text)


def _phases(name: str, walk: JsonWalk, otherwise: str) -> Phases:
    """The phases of an array. ``otherwise``: the kind of those without one."""
    kinds, made = Interner(), [np.empty((3, 0), np.int64)]
    for batch in walk.records(Phase, _rescue(Phase)):
        rows = batch.records
        kind = _ids(kinds, [one.kind for one in rows], 200, otherwise)
        start, end = _numbers([one.start_cycles for one in rows]), _numbers([one.end_cycles for one in rows])
        made.append(np.stack((kind, start, end))[:, (start >= 0) & (end >= start)])
    return Phases(name, list(kinds.ids), *np.concatenate(made, axis=1))


def _ids(strings: Interner, texts: list[str], most: int, otherwise: str = "") -> I64:
    """int64: the number of each text, of at most ``most`` characters, and of ``otherwise`` for an empty one (-1 where
    that is empty, too)."""
    known = {text: strings(text[:most] or otherwise) if text or otherwise else -1 for text in dict.fromkeys(texts)}
    return np.fromiter(map(known.__getitem__, texts), np.int64, len(texts))


# -- tilefwk_prof_data.json -------------------------------------------------------------------------------


class FrameworkTask(Struct, rename="camel", gc=False):
    task_id: int = -1
    seq_no: int = 0
    sub_graph_id: int = -1
    leaf_index: int = -1
    exec_start: int = -1
    exec_end: int = -1


def read_framework(source: Source, problems: Problems, moved: Moved) -> Records:
    """The record of the tile framework: a list of cores, times in cycles of an unknown frequency (section 6)."""
    walk, made = _walk(source, problems, moved), Records()
    columns: list[I64] = []
    names: list[str] = []

    def read_core() -> None:
        core, kind, own = -1, "", list[FrameworkTask]()
        for key in walk.members():
            if key == "blockIdx":
                core = number(walk.value())
            elif key == "coreType":
                value = walk.value()
                kind = value.lower()[:3] if isinstance(value, str) else ""
            elif key == "tasks":
                own = list(_all(walk, FrameworkTask))
        if not 0 <= core < 1 << 31 or len(made.cores) >= MOST_CORES:
            raise FormatError(tr("blockIdx is not the number of a core"))
        made.cores[core] = kind
        good = [one for one in own if 0 <= one.exec_start <= one.exec_end < LATEST and 0 <= one.task_id < 1 << 32]
        if len(good) < len(own):
            text = tr("core {core}: tasks without an id or times are skipped", core=core)
            problems.add("error", tr("impossible rows"), None, text)
        tokens = [(max(one.seq_no, 0) & 0xFFFFFFF) << 32 | one.task_id for one in good]
        numbers = [(core, token, one.exec_start, one.exec_end) for token, one in zip(tokens, good, strict=True)]
        columns.append(np.array(numbers, np.int64).reshape(len(good), 4))
        names.extend(
            f"leaf_{one.leaf_index}" if one.leaf_index >= 0 else f"subgraph_{one.sub_graph_id}" for one in good
        )

    made.cores = {}
    try:
        for _ in walk.items():
            try:
                read_core()
            except Broken:
                raise
            except FormatError as error:
                problems.add("error", tr("cores that cannot be read"), error.offset, error.text)
    except Broken as error:
        text = tr("{error}; what comes before it is shown", error=error.text)
        problems.add("error", tr("truncated files"), error.offset, text)
    core, token, start, end = np.concatenate([*columns, NONE.reshape(0, 4)]).T
    none = np.full(len(core), -1, np.int64)
    made.rows = Rows(core, token, none, start, end, none, none, names)
    return made


# -- deps.json, name maps ---------------------------------------------------------------------------------


class GraphTask(Struct, gc=False):
    task_id: str | int = -1
    kernel_ids: list[int] = []
    block_num: int = -1


class Edge(Struct, gc=False):
    pred: str | int = -1
    succ: str | int = -1
    arg: int = -1
    source: str = ""


class TaskGraph(Struct):
    """deps.json. int64 columns: ``token``, ``kernel`` (-1 none) and ``blocks`` of each task; ``before``, ``after``:
    tokens; ``source``: names in ``sources``."""

    token: I64
    kernel: I64
    blocks: I64
    before: I64
    after: I64
    argument: I64
    source: I64
    sources: Interner


def read_graph(source: Source, problems: Problems, moved: Moved) -> TaskGraph:
    """The graph of tasks. Raises FormatError if there is no object, or neither tasks nor edges."""
    walk, sources = _walk(source, problems, moved), Interner()
    tasks, edges = [np.empty((3, 0), np.int64)], [np.empty((4, 0), np.int64)]
    found = False

    def read(key: str) -> None:
        nonlocal found
        if key == "tasks":
            found = True
            for batch in walk.records(GraphTask, _rescue(GraphTask)):
                rows = batch.records
                kernels = [_kernel(row.kernel_ids) for row in rows]
                columns = [row.task_id for row in rows], kernels, [row.block_num for row in rows]
                tasks.append(np.stack([_numbers(column) for column in columns]))
        elif key == "edges":
            found = True
            for some in walk.records(Edge, _rescue(Edge)):
                before, after = [one.pred for one in some.records], [one.succ for one in some.records]
                places = [one.arg for one in some.records]
                names = _ids(sources, [one.source for one in some.records], 80)
                edges.append(np.stack([_numbers(before), _numbers(after), _numbers(places), names]))

    _careful(walk, problems, read)
    if not found:
        raise FormatError(tr("it has neither tasks nor edges"))
    moved(source.size)
    token, kernel, blocks = _named(tasks, 1, problems)
    moved(source.size)
    before, after, argument, names = _named(edges, 2, problems)
    return TaskGraph(token, kernel, blocks, before, after, argument, names, sources)


def _kernel(ids: list[int]) -> int:
    """The first kernel of a task, -1 none."""
    if ids and ids[0] >= 0:
        return ids[0]
    return next((one for one in ids[:3] if one >= 0), -1)


def _numbers(values: Sequence[str | int]) -> I64:
    """int64: ``number`` of each value, many at once."""
    try:
        made = np.fromiter(map(int, values), np.int64, len(values))
    except (ValueError, OverflowError):
        made = np.array(list(map(number, values)), np.int64)
    return np.where((made >= 0) & (made < LATEST), made, -1)


def _named(batches: list[I64], names: int, problems: Problems) -> I64:
    """int64[columns, entries] of these batches, without those where one of the first ``names`` columns has no task."""
    right = [(batch[:names] >= 0).all(axis=0) for batch in batches]
    wrong = sum(int((~good).sum()) for good in right)
    if wrong:
        batches = [batch[:, good] for batch, good in zip(batches, right, strict=True)]
        text = plural(
            "{count:,} entry is skipped: it names no task",
            "{count:,} entries are skipped: they name no task",
            count=wrong,
        )
        problems.add("warning", tr("skipped entries"), None, text)
    return np.concatenate(batches, axis=1)


def read_names(source: Source, problems: Problems, moved: Moved) -> tuple[dict[int, str], str]:
    """(names of kernels by id; that of the program, "" none)."""
    walk = _walk(source, problems, moved)
    names: dict[int, str] = {}
    program = ""

    def read(key: str) -> None:
        nonlocal program
        if key == "callable_id_to_name":
            value = walk.value()
            for name_of, name in value.items() if isinstance(value, dict) else ():
                if isinstance(name, str) and name and number(name_of) >= 0:
                    names[number(name_of)] = name
        elif key == "orchestrator_name":
            value = walk.value()
            program = value if isinstance(value, str) else ""

    _careful(walk, problems, read)
    return names, program


def rows_of(own: Sequence[I64], others: Sequence[I64], look: Callable[[], None] = lambda: None) -> I64:
    """int64: the row of ``others`` with the same numbers as each row of ``own``, the k-th to the k-th; -1 for none.
    ``look`` may raise Cancelled."""
    count = len(own[0])
    both = [np.concatenate(columns) for columns in zip(own, others, strict=True)]
    look()
    order = by_integers(*both)
    look()
    new = np.ones(len(order), np.bool_)
    for column in both:
        new[1:] &= column[order[1:]] == column[order[:-1]]
    new[1:] = ~new[1:]
    look()
    begin, group = np.append(np.flatnonzero(new), len(order)), np.cumsum(new) - 1
    mine = np.flatnonzero(order < count)  # first of those with the same numbers
    partner = mine + np.bincount(group[mine], minlength=len(begin))[group[mine]]
    there = partner < begin[group[mine] + 1]
    found = np.full(count, -1, np.int64)
    found[order[mine[there]]] = order[partner[there]] - count
    return found
