"""Reads the databases of one rank (Ascend captures, section 3): that of a profiler, and the analysis beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.formats.ascend_capture import database_analysis as analysis
from app.formats.ascend_capture import database_communication as communication
from app.formats.ascend_capture import database_memory as memory
from app.formats.ascend_capture import database_operators as host
from app.formats.ascend_capture import database_tasks as device
from app.formats.ascend_capture.database_safe import Database
from app.formats.ascend_capture.database_texts import Found, Texts, group_hash
from app.formats.ascend_capture.database_timeline import Device, timeline
from app.formats.ascend_capture.identity import RankData, RankFacts
from app.formats.errors import FormatError
from app.formats.events import Sink
from app.formats.json.problems import Problems
from app.language import plural, tr
from app.profile.arrays import F64, I64, Bool, among, combine_at, distinct, sealed
from app.profile.ascend_capture import Collectives, Kernels, TrainingSteps
from app.profile.issue import Issue
from app.profile.profile import Section
from app.profile.timeline import Timeline

_PRODUCERS: Final = (
    ("ascend_pytorch", "torch_npu"),
    ("ascend_mindspore", "mindspore"),
    ("msprof", "msprof"),
    ("msmonitor", "msmonitor"),
)
"""(how the name of a file begins, who wrote it), in the order in which they are preferred."""
_AGREE: Final = 1e-6
"""Seconds by which the times of tasks may differ from those of the producer's analysis."""
_MOST_METADATA: Final = 10_000


def read_database(paths: Sequence[Path], sink: Sink, tell: Callable[[int], None] = lambda _: None) -> RankData:
    """What the databases of one rank hold. ``sink`` gets the issues; ``tell`` the bytes of all files that are done,
    about every 30 ms, and may raise Cancelled. A file that cannot be read is an issue; FormatError is raised where none
    can. Of several captures of the rank the best known is read, and an issue names the others."""
    with ExitStack() as stack:
        opened = _opened(paths, sink, tell, stack)
        main = next((one for one in opened if _is_capture(one)), None)
        beside = next((one for one in opened if one.has(*analysis.RANK_TABLES)), None)
        for one in opened:
            if one not in (main, beside):
                sink(Issue("info", one.path.name, tr("this database repeats another one of its rank and is not read")))
        reading = _Reading(main, beside)
        return reading.data()


def _opened(paths: Sequence[Path], sink: Sink, tell: Callable[[int], None], stack: ExitStack) -> list[Database]:
    """The databases that can be read, the best known first; those that cannot are reported."""
    opened: list[Database] = []
    failed: list[FormatError] = []
    progress = _Progress(tell)
    for path in sorted(paths, key=_preferred):
        problems = Problems(sink, path.name)
        stack.callback(problems.finish)
        try:
            database = Database(path, problems, partial(progress, path))
        except FormatError as error:
            failed.append(error)
            continue
        stack.enter_context(database)
        if _is_capture(database) or database.has(*analysis.RANK_TABLES):
            opened.append(database)
        else:
            failed.append(FormatError(tr("this database has no table of a capture"), path=str(path)))
    if not opened:
        raise failed[0] if failed else FormatError(tr("there is no database to read"))
    for failure in failed:
        sink(Issue("error", Path(failure.path).name, failure.located))
    return opened


class _Progress:
    """Adds what is done of several files, which are read in turns."""

    def __init__(self, tell: Callable[[int], None]) -> None:
        self._tell = tell
        self._done: dict[Path, int] = {}

    def __call__(self, path: Path, done: int) -> None:
        self._done[path] = done
        self._tell(sum(self._done.values()))


def _preferred(path: Path) -> tuple[int, str]:
    name = path.name.lower()
    place = next((at for at, (begin, _) in enumerate(_PRODUCERS) if name.startswith(begin)), len(_PRODUCERS))
    return place, name


def _is_capture(database: Database) -> bool:
    return database.has("STRING_IDS") and database.has("TASK", "CANN_API", "PYTORCH_API", "MSTX_EVENTS")


class _Reading:
    """``main``: the database of a profiler, None without one; ``beside``: its analysis, None without one."""

    def __init__(self, main: Database | None, beside: Database | None) -> None:
        self._main = main
        self._beside = beside
        if beside is not None:
            beside.expect()

    def data(self) -> RankData:
        """Everything of the rank."""
        steps = None if self._beside is None else analysis.steps_of_rank(self._beside)
        stated = None if self._beside is None else analysis.communication_times(self._beside, "COMMANALYZERTIME")
        shown: Timeline | None = None
        parts: list[tuple[RankFacts, list[Section | None]]] = [(RankFacts(), [stated])]
        if self._main is not None:
            parts, shown = self._captured(self._main, stated)
        if self._beside is not None:
            parts[0][1].append(analysis.packets(self._beside, "COMMANALYZERBANDWIDTH"))
            parts[0][1].append(analysis.links(self._beside, "COMMANALYZERMATRIX"))
        first, *others = (
            RankData(facts=facts, sections=_with_steps(own, None if place else steps))
            for place, (facts, own) in enumerate(parts)
        )
        return replace(first, timeline=shown, others=tuple(others))

    def _captured(
        self, main: Database, stated: Collectives | None
    ) -> tuple[list[tuple[RankFacts, list[Section | None]]], Timeline | None]:
        """(who each device is, and its sections; the timeline of all). What no device is stated of is with the first.
        Each table is read when it is needed, and released with the last part of the capture that needs it."""
        main.expect()
        texts = Texts(main)
        tasks = device.read_tasks(main)
        compute = device.read_compute(main)
        transfers = communication.read_transfers(main, texts)
        operations = communication.read_operations(main)
        calls = device.read_calls(main)
        kinds = device.kinds_of(tasks, compute.number, transfers.columns["globalTaskId"])
        levels = texts.enumeration("ENUM_API_TYPE")
        numbers = distinct(tasks.device[tasks.device >= 0]).tolist()
        whole = _Device(None, (), tasks, kinds, compute, operations, calls)
        if len(numbers) < 2:
            made = [whole.sections(main, texts, transfers, stated)]
        else:
            made = [one.sections(main, texts, transfers, stated) for one in whole.split(numbers, transfers)]
        made[0][1].append(memory.calls(calls, texts, levels))
        compute = compute.only("name", "taskType")
        read = Device(tasks, kinds, compute, operations, transfers, calls, host.read_framework(main))
        del whole, tasks, kinds, compute, operations, transfers, calls
        spent = host.launched(read.tasks, read.kinds, read.compute, texts, _launched(read.operations))
        made[0][1].append(host.framework_operators(main, read.framework, texts, levels, spent))
        del spent
        shown = timeline(main, texts, read, levels)
        texts.finish()
        return made, shown


class _Device(Struct, frozen=True, eq=False):
    """What is known of one device. ``number``: None for the only one; ``others``: those whose rows are not its own."""

    number: int | None
    others: tuple[int, ...]
    tasks: device.Tasks
    kinds: device.Kinds
    compute: device.Compute
    operations: communication.Operations
    calls: device.HostCalls

    def split(self, numbers: Sequence[int], transfers: communication.Transfers) -> Iterator[_Device]:
        """Each device by itself. Rows that no task states a device of are of the first."""
        row = Found(self.tasks.number).row(self.compute.number)
        of_compute = np.where(row < 0, numbers[0], self.tasks.device[row])
        of_operation = self.operations.devices(transfers, self.tasks)
        of_operation = np.where(among(of_operation, numbers), of_operation, numbers[0])
        for number in numbers:
            others = tuple(one for one in numbers if one != number)
            tasks, compute = self.tasks.at(self.tasks.device == number), self.compute.at(of_compute == number)
            operations = self.operations.at(of_operation == number) if len(self.operations) else self.operations
            kinds = device.kinds_of(tasks, compute.number, transfers.columns["globalTaskId"])
            yield _Device(number, others, tasks, kinds, compute, operations, self.calls)

    def _owns(self, numbers: I64) -> Bool:
        """bool: the rows of the device; what no device is stated of is with the lowest."""
        lowest = self.number is None or self.number < min(self.others)
        return ~among(numbers, self.others) if lowest else numbers == self.number

    def sections(
        self, main: Database, texts: Texts, transfers: communication.Transfers, stated: Collectives | None
    ) -> tuple[RankFacts, list[Section | None]]:
        """Who it is, and all but what the host did. ``stated``: times of collectives by the producer."""
        tasks, kinds, operations = self.tasks, self.kinds, self.operations
        steps = device.read_steps(main, tasks, self.calls)
        collectives = None
        if len(operations):
            own = communication.spent(operations, transfers, tasks, kinds)
            types = texts.enumeration("ENUM_HCCL_DATA_TYPE")
            collectives = communication.collectives(operations, texts, types, steps, own)
            if collectives is not None and stated is not None:
                collectives = _checked(collectives, stated, main)
        others = (operations.start, operations.end)
        return _facts(main, tasks, texts, operations, self.number), [
            device.kernels(main, texts, tasks, kinds, self.compute, steps, others),
            collectives,
            _marked(steps),
            memory.memory_record(main, texts, self._owns),
            memory.memory_operators(main, texts, self._owns),
        ]


def _with_steps(sections: Sequence[Section | None], stated: TrainingSteps | None) -> tuple[Section, ...]:
    """The sections that there are, and the steps: those that were marked, and what the producer states."""
    kernels = next((section for section in sections if isinstance(section, Kernels)), None)
    collectives = next((section for section in sections if isinstance(section, Collectives)), None)
    marked = next((section for section in sections if isinstance(section, TrainingSteps)), None)
    steps = _joined(marked, stated, kernels, collectives)
    kept = (section for section in (*sections, steps) if section is not None and section is not marked)
    return tuple(section for section in kept if len(section))  # type: ignore[arg-type]


def _launched(operations: communication.Operations) -> tuple[I64, I64]:
    """(connections, durations) of the collectives that were launched."""
    if not len(operations):
        return operations.start, operations.start
    connection = operations.columns["connectionId"]
    known = connection >= 0
    return connection[known], (operations.end - operations.start)[known]


def _marked(steps: device.Steps) -> TrainingSteps | None:
    """The steps that the framework marked, without what the producer computed."""
    if not len(steps.number):
        return None
    unknown = sealed(np.full(len(steps.number), np.nan))
    return TrainingSteps(
        rank=sealed(np.zeros(len(steps.number), np.int32)),
        step=sealed(steps.number),
        start=sealed(steps.start),
        end=sealed(steps.end),
        device_start=sealed(steps.first),
        device_end=sealed(steps.last),
        **{field: unknown for field, _ in analysis.STEP_FIELDS},
    )


def _joined(
    marked: TrainingSteps | None,
    stated: TrainingSteps | None,
    kernels: Kernels | None,
    collectives: Collectives | None,
) -> TrainingSteps | None:
    """Steps of both databases, by their number, or one for the whole capture where none was marked. On the device a
    step lasts from the first start to the last end of its kernels and collectives."""
    numbers: dict[int, None] = dict.fromkeys([] if marked is None else marked.step.tolist())
    numbers |= dict.fromkeys([] if stated is None else stated.step.tolist())
    if not numbers:
        numbers = {-1: None} if kernels is not None or collectives is not None else {}
    if not numbers:
        return None
    wanted = np.array(list(numbers), np.int64)
    columns: dict[str, Any] = {}
    for field in ("start", "end"):
        columns[field] = _by_number(wanted, marked, field, -1)
    for field, _ in analysis.STEP_FIELDS:
        columns[field] = _by_number(wanted, stated, field, np.nan)
    first, last = _spans(wanted, kernels, collectives)
    order = np.argsort(wanted, kind="stable")
    rank = sealed(np.zeros(len(wanted), np.int32))
    columns |= {"step": wanted, "device_start": first, "device_end": last}
    return TrainingSteps(rank=rank, **{name: sealed(column[order]) for name, column in columns.items()})


def _by_number(wanted: I64, steps: TrainingSteps | None, field: str, absent: float) -> Any:
    kind = np.int64 if absent == -1 else np.float64
    out = np.full(len(wanted), absent, kind)
    if steps is not None:
        row = {number: at for at, number in reversed(list(enumerate(steps.step.tolist())))}
        rows = np.array([row.get(number, -1) for number in wanted.tolist()], np.int64)
        out[rows >= 0] = getattr(steps, field)[rows[rows >= 0]]
    return out


def _spans(wanted: I64, kernels: Kernels | None, collectives: Collectives | None) -> tuple[I64, I64]:
    """(first start, last end) of kernels and collectives of each step, -1 none."""
    empty = np.empty(0, np.int64)
    none = (empty, empty, empty)
    parts = [
        none if kernels is None else (kernels.step, kernels.start, kernels.start + kernels.duration),
        none if collectives is None else (collectives.step, collectives.start, collectives.end),
    ]
    step, start, end = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    order = np.argsort(wanted, kind="stable")
    place = np.minimum(np.searchsorted(wanted[order], step), len(wanted) - 1)
    known = wanted[order][place] == step
    row = order[place[known]]
    low, high = np.full(len(wanted), np.iinfo(np.int64).max), np.full(len(wanted), -1, np.int64)
    combine_at(np.minimum, low, row, start[known])
    combine_at(np.maximum, high, row, end[known])
    return np.where(high < 0, -1, low), high


def _checked(own: Collectives, stated: Collectives, main: Database) -> Collectives:
    """The collectives with the times of the producer, where it states them; others are those of their tasks. Where both
    differ, it is said."""
    rows = {(name, group): row for row, (name, group) in enumerate(_named(stated))}
    pairs = [(row, rows[key]) for row, key in enumerate(_named(own)) if key in rows]
    if not pairs:
        return own
    mine, theirs = (np.array(column, np.int64) for column in zip(*pairs, strict=True))
    columns: dict[str, F64] = {}
    differs = np.zeros(len(mine), np.bool_)
    for field in ("transit", "wait", "synchronization", "idle"):
        values, other = getattr(own, field).copy(), getattr(stated, field)[theirs]
        differs |= np.abs(values[mine] - other) > _AGREE
        values[mine] = np.where(np.isnan(other), values[mine], other)
        columns[field] = sealed(values)
    if differs.any():
        text = plural(
            "{count:,} collective has other times of transfer and waiting in the analysis than by its tasks on the "
            "main plane; those of the analysis are shown",
            "{count:,} collectives have other times of transfer and waiting in the analysis than by their tasks on the "
            "main plane; those of the analysis are shown",
            count=int(np.count_nonzero(differs)),
        )
        main.problems.add("info", tr("collectives with two times"), None, text)
    kind = own.kind.copy()
    kind[mine] = stated.kind[theirs]
    return replace(own, kind=sealed(kind), **columns)


def _named(collectives: Collectives) -> list[tuple[str, str]]:
    texts = collectives.strings.tolist()
    pairs = zip(collectives.name.tolist(), collectives.group.tolist(), strict=True)
    return [(texts[name], texts[group] if group >= 0 else "") for name, group in pairs]


def _facts(
    main: Database, tasks: device.Tasks, texts: Texts, operations: communication.Operations, only: int | None
) -> RankFacts:
    """Who the rank is. ``only``: the device that is meant, of several."""
    pairs = main.read("RANK_DEVICE_MAP", {"rankId": "int", "deviceId": "int"})
    ranks = list(zip(pairs.known("rankId").tolist(), pairs.known("deviceId").tolist(), strict=True))
    ranks = ranks if only is None else [pair for pair in ranks if pair[1] == only] or [(-1, only)]
    known = [pair for pair in ranks if 0 <= pair[0] < 1 << 31] or [pair for pair in ranks if pair[1] >= 0]
    rank, number = known[0] if known else (-1, -1)
    devices = tasks.device[(tasks.device >= 0) & (tasks.device < 1 << 16)]
    if number < 0 and len(devices):
        number = int(np.bincount(devices).argmax())
    metadata = _metadata(main)
    hosts = main.read("HOST_INFO", {"hostUid": "text", "hostName": "text"})
    described = _described(metadata)
    names = texts.by_id(operations.columns["groupName"]) if len(operations) else {}
    groups = {group_hash(name): (group_hash(name), "", "") for name in names.values() if name}
    groups |= described
    name = main.path.name.lower()
    return RankFacts(
        rank=rank if rank < 1 << 31 else -1,
        device=number,
        host=next((host for host in hosts.texts("hostUid") if host), "")[:200],
        producer=next((producer for begin, producer in _PRODUCERS if name.startswith(begin)), ""),
        groups=tuple(groups.values()),
    )


def _metadata(main: Database) -> dict[str, Any]:
    """META_DATA: JSON values by name, those that are JSON."""
    fetched = main.read("META_DATA", {"name": "text", "value": "text"})
    found: dict[str, Any] = {}
    for row in range(min(fetched.count, _MOST_METADATA)):
        try:
            found[fetched.texts("name")[row]] = msgspec.json.decode(fetched.texts("value")[row])
        except (msgspec.DecodeError, RecursionError):
            continue
    return found


def _described(metadata: dict[str, Any]) -> dict[str, tuple[str, str, str]]:
    """(name, role, ranks) of the groups of parallel_group_info by the number of their name."""
    told = metadata.get("parallel_group_info")
    found = {}
    for name, facts in told.items() if isinstance(told, dict) else ():
        if isinstance(facts, dict):
            role, ranks = facts.get("group_name"), facts.get("global_ranks")
            numbers = [one for one in ranks if type(one) is int and one >= 0] if isinstance(ranks, list) else []
            key = group_hash(str(name))
            found[key] = (key, role if isinstance(role, str) else "", ", ".join(map(str, numbers)))
    return found
