"""A profile: where it came from, and its sections."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import ClassVar, Protocol, cast

from msgspec import Struct, field
from msgspec.structs import replace

from app.profile.blobs import Blobs
from app.profile.byte_matrices import ComputeSetBytes, VertexTypeBytes
from app.profile.cache import Cache
from app.profile.compute_sets import ComputeSets
from app.profile.core_load import CoreLoad
from app.profile.entries import Entries
from app.profile.exchanges import Exchanges
from app.profile.execution import Execution
from app.profile.graph import Graph
from app.profile.host_events import HostEvents
from app.profile.instructions import Instructions
from app.profile.issue import Issue
from app.profile.live_variables import LiveVariables
from app.profile.liveness import Liveness
from app.profile.measured_cycles import MeasuredCycles
from app.profile.memory_accesses import MemoryAccesses
from app.profile.memory_paths import MemoryPaths
from app.profile.memory_tables import MemoryTables
from app.profile.mismatch import Mismatch
from app.profile.model import Model
from app.profile.notes import Notes
from app.profile.onchip import Onchip
from app.profile.operator import Operator
from app.profile.programs import Programs
from app.profile.raw_blocks import RawBlocks
from app.profile.report_files import ReportFiles
from app.profile.report_tables import ReportTables
from app.profile.roofline import Roofline
from app.profile.sources import Lines, Sources
from app.profile.stall_reasons import StallReasons
from app.profile.steps import Steps
from app.profile.target import Target
from app.profile.tensor_map import TensorMap
from app.profile.texts import Texts
from app.profile.tile_memory import TileMemory
from app.profile.timeline import Timeline
from app.profile.variables import Variables
from app.profile.vertex_types import VertexTypes
from app.profile.workload import Workload


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


SECTION_NAMES: tuple[str, ...] = tuple(
    name for name in Profile.__struct_fields__ if name not in ("name", "origin", "issues", "portions")
)
