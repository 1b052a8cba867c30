"""A profile: where it came from, the hardware it was made on, and its sections."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import ClassVar, Protocol, cast

from msgspec import Struct, field
from msgspec.structs import replace

from app.profile.arrays import Integers
from app.profile.ascend import (
    Cache,
    CoreLoad,
    Instructions,
    Lines,
    MemoryAccesses,
    MemoryPaths,
    MemoryTables,
    Operator,
    RawBlocks,
    Roofline,
    Sources,
    StallReasons,
    Workload,
)
from app.profile.ascend_capture import (
    Calls,
    Capture,
    Collectives,
    FrameworkOperators,
    Kernels,
    Links,
    MemoryOperators,
    MemoryRecord,
    Packets,
    TrainingSteps,
)
from app.profile.ascend_report import Entries, Onchip, ReportTables
from app.profile.issue import Issue
from app.profile.popef import Blobs, Model
from app.profile.poplar import (
    ComputeSetBytes,
    ComputeSets,
    Exchanges,
    Execution,
    Graph,
    Liveness,
    LiveVariables,
    MeasuredCycles,
    Notes,
    Programs,
    ReportFiles,
    Steps,
    Texts,
    TileMemory,
    Variables,
    VertexTypeBytes,
    VertexTypes,
)
from app.profile.pypto import CoreTasks
from app.profile.tensorflow import HostEvents, TensorMap
from app.profile.tenstorrent import CoreMemoryReport, DeviceRun, NocTransfers, Operations, WorkerCores
from app.profile.timeline import Timeline


class Mismatch(Struct, frozen=True, eq=False):
    """``places``: indices of the profile's original paths that are not part of it (they form a separate profile);
    ``why``: one line that names the files and the contradiction."""

    SECTION: ClassVar[str] = "mismatch"
    places: tuple[int, ...]
    why: str


class Target(Struct, frozen=True, eq=False, kw_only=True):
    """The hardware as described in the file; None for what it does not state.

    Poplar (profiling data format, 7.1.1): ``kind`` is CPU, IPU or IPU_MODEL; ``tiles`` is the total over all IPUs;
    bytes are per tile, per IPU and in total; ``min_sync_delay`` and ``relative_sync_delay`` (integers [tiles_per_ipu],
    the same on every IPU) are cycles and add up to the sync delay of a tile. ``first_tile``: of an IPU or replica as a
    part of a profile, the number that its tile 0 has in the whole.

    Ascend (operator files, base information): ``kind`` is Ascend; ``soc`` its name, ``block_dim`` the number of
    launched blocks, ``device`` the number of the card, ``clock_hz`` the clock during the run.
    """

    SECTION: ClassVar[str] = "target"
    kind: str
    clock_hz: float | None = None

    ipus: int | None = None
    tiles: int | None = None
    tiles_per_ipu: int | None = None
    bytes_per_tile: int | None = None
    bytes_per_ipu: int | None = None
    total_bytes: int | None = None
    min_sync_delay: int | None = None
    relative_sync_delay: Integers | None = None
    first_tile: int = 0

    soc: str | None = None
    block_dim: int | None = None
    mix_block_dim: int | None = None
    device: int | None = None

    def seconds(self, cycles: float) -> float | None:
        """``cycles`` in seconds, or None without a clock."""
        return cycles / self.clock_hz if self.clock_hz else None


class Section(Protocol):
    """A frozen Struct of columns; ``SECTION`` is the field of Profile that holds it."""

    SECTION: ClassVar[str]


class Origin(Struct, frozen=True):
    """``format``: id of the format that read it; ``writer``: the producer named in the file, or ""; ``apart``: files
    that were opened with these but do not belong to them; ``part``: which part of the files' profile it is
    (``block=3``), "" for the whole."""

    format: str
    paths: tuple[Path, ...]
    writer: str = ""
    apart: tuple[Path, ...] = ()
    part: str = ""

    def without(self, places: Collection[int]) -> Origin:
        """A copy in which the paths at ``places`` are apart."""
        paths = tuple(path for place, path in enumerate(self.paths) if place not in places)
        apart = tuple(path for place, path in enumerate(self.paths) if place in places)
        return replace(self, paths=paths, apart=(*self.apart, *apart))


class Profile(Struct, frozen=True, eq=False, kw_only=True):
    """Immutable. A section that is not in the files is None, and panels that need it are not offered. ``portions``:
    what there is of sections that are not read to their end, by name ("the first 100 slices")."""

    name: str
    origin: Origin
    issues: tuple[Issue, ...] = ()
    portions: Mapping[str, str] = field(default_factory=dict)

    target: Target | None = None
    graph: Graph | None = None
    vertex_types: VertexTypes | None = None
    compute_sets: ComputeSets | None = None
    exchanges: Exchanges | None = None
    programs: Programs | None = None
    tile_memory: TileMemory | None = None
    compute_set_bytes: ComputeSetBytes | None = None
    vertex_type_bytes: VertexTypeBytes | None = None
    liveness: Liveness | None = None
    live_variables: LiveVariables | None = None
    execution: Execution | None = None
    measured_cycles: MeasuredCycles | None = None
    steps: Steps | None = None
    timeline: Timeline | None = None
    mismatch: Mismatch | None = None
    report_files: ReportFiles | None = None
    notes: Notes | None = None
    texts: Texts | None = None
    variables: Variables | None = None
    operator: Operator | None = None
    sources: Sources | None = None
    lines: Lines | None = None
    instructions: Instructions | None = None
    workload: Workload | None = None
    core_load: CoreLoad | None = None
    memory_paths: MemoryPaths | None = None
    memory_tables: MemoryTables | None = None
    roofline: Roofline | None = None
    cache: Cache | None = None
    memory_accesses: MemoryAccesses | None = None
    stall_reasons: StallReasons | None = None
    raw_blocks: RawBlocks | None = None
    entries: Entries | None = None
    report_tables: ReportTables | None = None
    onchip: Onchip | None = None
    blobs: Blobs | None = None
    model: Model | None = None
    host_events: HostEvents | None = None
    tensor_map: TensorMap | None = None
    capture: Capture | None = None
    kernels: Kernels | None = None
    collectives: Collectives | None = None
    packets: Packets | None = None
    links: Links | None = None
    training_steps: TrainingSteps | None = None
    memory_record: MemoryRecord | None = None
    memory_operators: MemoryOperators | None = None
    calls: Calls | None = None
    framework_operators: FrameworkOperators | None = None
    core_tasks: CoreTasks | None = None
    worker_cores: WorkerCores | None = None
    operations: Operations | None = None
    device_run: DeviceRun | None = None
    noc_transfers: NocTransfers | None = None
    core_memory: CoreMemoryReport | None = None

    def with_section(self, section: Section, portion: str = "") -> Profile:
        """A copy that also has ``section``, or that ``portion`` of it; files that a mismatch names are no longer part
        of it."""
        origin = self.origin.without(section.places) if isinstance(section, Mismatch) else self.origin
        portions = {name: text for name, text in self.portions.items() if name != section.SECTION}
        if portion:
            portions[section.SECTION] = portion
        return replace(self, origin=origin, portions=portions, **{section.SECTION: section})

    def without_portions(self) -> Profile:
        """A copy without the sections that are not read to their end."""
        return replace(self, portions={}, **dict.fromkeys(self.portions)) if self.portions else self

    def with_issue(self, issue: Issue) -> Profile:
        return replace(self, issues=(*self.issues, issue))

    def section(self, name: str) -> Section | None:
        return cast("Section | None", getattr(self, name))

    def filled(self) -> tuple[str, ...]:
        """Names of the sections that exist, in declaration order."""
        return tuple(name for name in SECTION_NAMES if getattr(self, name) is not None)

    def families(self) -> frozenset[str]:
        """The modules of this package that hold the types of its sections: ``ascend``, ``popef``, ``timeline``, …"""
        return frozenset(type(getattr(self, name)).__module__.rpartition(".")[2] for name in self.filled())


SECTION_NAMES: tuple[str, ...] = tuple(
    name for name in Profile.__struct_fields__ if name not in ("name", "origin", "issues", "portions")
)
