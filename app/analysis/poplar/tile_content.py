"""The contents of a set of tiles' memory: categories, variables, compute sets, exchanges and vertex types.

Each of these five lists is computed independently and adds up to the bytes in use: the difference (bytes that no item
accounts for, or that several count) is a named remainder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final

import numpy as np
from msgspec import Struct, field

from app.analysis.memory import GAPS_HELP, used
from app.analysis.poplar.matrices import SHARED
from app.analysis.poplar.names import all_exchange_names, compute_set_names, vertex_type_names
from app.analysis.poplar.tile_amounts import Amounts, covered, of_matrices, of_parts, of_pieces, rows_on
from app.analysis.table import Coded
from app.language import joined, tr
from app.profile.arrays import I64, Integers, among
from app.profile.poplar import BYTE_KINDS, EXCHANGE_KINDS, TOTAL_BYTES, TileMemory
from app.profile.profile import Profile
from app.profile.selection import Kind
from app.profile.strings import Strings

NO_VARIABLES: Final = tr(
    "The report has no variables. Compile with Poplar's engine option debug.loweredVarDumpFile set to "
    "vars.json, and open that file together with graph.json."
)
SORTING: Final = 64
"""Sorting one variable takes about as long as adding this many numbers."""
AT_LEAST: Final = tr(
    "Used bytes minus the bytes of the list. Code shared by several entries is counted in each, so the actual "
    "remainder may be larger."
)
TWICE: Final = tr("Used bytes minus the bytes of the list. Code shared by several entries is counted in each.")


class Rest(Struct, frozen=True):
    """Bytes in use that no item of a list accounts for; negative if several items count the same bytes."""

    title: str
    bytes: int
    help: str


class TileItems(Struct, frozen=True, eq=False):
    """Items on the tiles, largest first. ``items``: int64, indices of ``kind``; ``bytes``: None if the file does not
    have them (-1: unknown for that item); ``others``: further amounts of each, by key. ``used``: bytes in use on the
    tiles (None: not in the file), the sum of ``bytes`` and ``rests``."""

    kind: Kind
    items: I64
    names: Coded
    bytes: Amounts | None
    used: int | None
    rests: tuple[Rest, ...] = ()
    others: dict[str, I64] = field(default_factory=dict)


class TileContents:
    """The contents of tiles of one profile; exchange names are cached. Tiles must be ascending, unique, and below
    ``tiles``."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile

    @property
    def tiles(self) -> int:
        """The number of tiles with memory in the file."""
        memory = self.profile.tile_memory
        return 0 if memory is None else memory.tiles

    def used(self, tiles: I64) -> int | None:
        """Bytes in use on the tiles, including gaps, which is what must fit."""
        memory = self.profile.tile_memory
        return None if memory is None else _on(used(memory), tiles)

    def taken(self, kind: Kind, tiles: I64) -> TileItems | None:
        """What occupies ``tiles``, as a list of the CONTENTS kind ``kind``; None if the file does not say, or without
        tiles."""
        return CONTENTS[kind].taken(self, tiles) if len(tiles) else None

    def has(self, kind: Kind) -> bool:
        """Whether the files have this list at all; cheap."""
        return CONTENTS[kind].has(self.profile)

    def cost(self, kind: Kind, tiles: int) -> int:
        """Roughly how many numbers are added up for a list; variables are sorted, which counts as more."""
        return CONTENTS[kind].cost(self.profile) * tiles

    # -- the five lists -----------------------------------------------------------------------------------

    def categories(self, tiles: I64) -> TileItems | None:
        """By category: bytes that no two variables share, and separately those that overlap. If the file has only the
        total of a category, that total; how much of it overlaps is then unknown."""
        memory = self.profile.tile_memory
        parts = None if memory is None else memory.categories
        if memory is None or parts is None:
            return None
        own, shared = (
            of_parts(parts.bytes, np.flatnonzero(chosen), parts.category, len(parts.names), tiles)
            for chosen in (~parts.overlapped, parts.overlapped)
        )
        alone = np.flatnonzero(~among(parts.total_of, parts.category))
        own.put_at(parts.total_of[alone], of_matrices([parts.totals[alone]], tiles))
        shared.put_at(parts.total_of[alone], Amounts.unknown(len(alone)))
        there = np.flatnonzero((own.total > 0) | (shared.total > 0)).astype(np.int64)
        there = there[np.lexsort((-shared.total[there], -own.total[there]))]
        whole = self.used(tiles)
        rests = [*_category_rests(memory, tiles, int(own.total.sum()), overlapped=bool(shared.known.any()))]
        names = Coded(there, Strings.of(parts.names))
        others = {"overlapped": shared.total[there]}
        return TileItems("category", there, names, own.rows(there), whole, tuple(rests), others)

    def variables(self, tiles: I64) -> TileItems | None:
        """By variable; on several tiles variables of the same name are merged and represented by the largest of
        them."""
        variables = self.profile.variables
        if variables is None:
            return None
        rows, on = rows_on(variables, tiles)
        placed = (variables.allocated[rows] | (variables.offset[rows] >= 0)) & (variables.size[rows] > 0)
        rows, on = rows[placed], on[placed]
        size = variables.size[rows]
        items, amounts = rows, Amounts(size, size, on, np.ones(len(rows), np.int64))
        if len(tiles) > 1:
            largest = np.argsort(-size, kind="stable")
            _, first = np.unique(variables.name[rows][largest], return_index=True)
            items = rows[largest[first]]
            _, amounts = of_pieces(variables.name[rows].astype(np.int64), size, on)
        order = np.argsort(-amounts.total, kind="stable")
        items, amounts = items[order], amounts.rows(order)
        whole = self.used(tiles)
        rests = _variable_rests(int(size.sum()), covered(variables, rows, on), whole)
        return TileItems("variable", items, Coded(variables.name[items], variables.strings), amounts, whole, rests)

    def compute_sets(self, tiles: I64) -> TileItems | None:
        return self._of_matrices("compute_set", _set_matrices(self.profile), tiles, compute_set_names)

    def vertex_types(self, tiles: I64) -> TileItems | None:
        return self._of_matrices("vertex_type", _type_matrices(self.profile), tiles, vertex_type_names)

    def exchanges(self, tiles: I64) -> TileItems | None:
        """By exchange: the bytes of its code, and separately what the tiles send and receive."""
        count = len(self.profile.exchanges or ())
        sums: dict[str, Amounts] = {}
        for key, first, matrix in _transfers(self.profile):
            sums.setdefault(key, Amounts.unknown(count)).put(first, of_matrices([matrix], tiles))
        if not sums:
            return None
        code = sums.pop("code", None)
        moved = np.sum([np.zeros(count, np.int64), *(amounts.known for amounts in sums.values())], axis=0)
        weight = np.zeros(count, np.int64) if code is None else code.total
        there = np.flatnonzero((weight > 0) | (moved > 0)).astype(np.int64)
        there = there[np.lexsort((-moved[there], -weight[there]))]
        whole = self.used(tiles)
        rests: tuple[Rest, ...] = ()
        if code is not None and whole is not None:
            title = tr("Not exchange code") if (code.total >= 0).all() else tr("Not code of internal exchanges")
            rests = (Rest(title, whole - int(code.known.sum()), tr("Used bytes minus the bytes of the list.")),)
        others = {key: amounts.total[there] for key, amounts in sums.items()}
        taken = None if code is None else code.rows(there)
        return TileItems("exchange", there, Coded(there, self._exchange_names), taken, whole, rests, others)

    # -- helpers ------------------------------------------------------------------------------------------

    @cached_property
    def _exchange_names(self) -> Strings:
        return all_exchange_names(self.profile)

    def _of_matrices(
        self, kind: Kind, matrices: dict[str, Integers], tiles: I64, names: Callable[[Profile, int], Strings]
    ) -> TileItems | None:
        what = CONTENTS[kind].title.lower()
        summed = _summed(matrices)
        if not summed:
            return None
        amounts = of_matrices(summed, tiles)
        there = np.flatnonzero(amounts.total > 0).astype(np.int64)
        there = there[np.argsort(-amounts.total[there], kind="stable")]
        whole, counted = self.used(tiles), int(amounts.total.sum())
        rests: tuple[Rest, ...] = ()
        if whole is not None and whole >= counted:
            rests = (Rest(tr("Not in {what}, at least", what=what), whole - counted, AT_LEAST),)
        elif whole is not None:
            rests = (Rest(tr("Code counted in several {what}, at least", what=what), whole - counted, TWICE),)
        code = matrices.get("codeBytes")
        others = {} if code is None else {"code": of_matrices([code], tiles).total[there]}
        texts = names(self.profile, len(amounts.total))
        return TileItems(kind, there, Coded(there, texts), amounts.rows(there), whole, rests, others)


def _set_matrices(profile: Profile) -> dict[str, Integers]:
    return profile.compute_set_bytes.matrices if profile.compute_set_bytes is not None else {}


def _type_matrices(profile: Profile) -> dict[str, Integers]:
    return profile.vertex_type_bytes.matrices if profile.vertex_type_bytes is not None else {}


def _transfers(profile: Profile) -> Iterator[tuple[str, int, Integers]]:
    """(key, number of the first exchange, matrix) for every matrix of exchange bytes."""
    exchanges = profile.exchanges
    for kind in EXCHANGE_KINDS if exchanges is not None else ():
        own = exchanges.of(kind) if exchanges is not None else None
        for key in ("code", "sent", "received") if own is not None else ():
            matrix: Integers | None = getattr(own, key)
            if matrix is not None and exchanges is not None:
                yield key, exchanges.first(kind), matrix


def _summed(matrices: dict[str, Integers]) -> list[Integers]:
    """The matrices whose sum is all bytes: the total alone if the file has it."""
    if TOTAL_BYTES in matrices:
        return [matrices[TOTAL_BYTES]]
    parts = [matrices[key] for key in BYTE_KINDS if key in matrices]
    return [part for part in parts if part.shape == parts[0].shape]


def _category_rests(memory: TileMemory, tiles: I64, counted: int, *, overlapped: bool) -> Iterator[Rest]:
    """The remainders between the ``counted`` bytes of all categories and the bytes in use with gaps."""
    total, whole = (_on(values, tiles) for values in (memory.total, used(memory)))
    if total is not None and total != counted:
        title, help_ = tr("In no category"), tr("Used bytes without gaps, minus those of all categories.")
        if total < counted:
            title, help_ = (
                tr("Counted in several categories"),
                tr("{help} The categories add up to more than the bytes in use on the tile.", help=help_),
            )
        elif overlapped:
            title, help_ = (
                tr("Space shared by variables"),
                tr("{help} The overlapped bytes, each counted once.", help=help_),
            )
        yield Rest(title, total - counted, help_)
        counted = total
    if whole is None or whole == counted:
        return
    wide = (memory.interleaved_with_gaps, memory.non_interleaved_with_gaps, memory.overflowed_with_gaps)
    regions = [_on(values, tiles) for values in wide]
    inside = sum(region for region in regions if region is not None)
    if None in regions or total is None or not counted <= inside <= whole:
        yield Rest(tr("Gaps"), whole - counted, GAPS_HELP)
        return
    for title, bytes_, help_ in (
        (
            tr("Gaps in the regions"),
            inside - counted,
            tr("Bytes of the regions with gaps, minus their bytes without gaps."),
        ),
        (
            tr("Between the regions"),
            whole - inside,
            tr("Used bytes with gaps, minus the bytes of the regions with gaps."),
        ),
    ):
        if bytes_:
            yield Rest(title, bytes_, help_)


def _on(values: Integers | None, tiles: I64) -> int | None:
    return None if values is None else int(values[tiles].sum(dtype=np.int64))


def _variable_rests(sizes: int, room: int | None, whole: int | None) -> tuple[Rest, ...]:
    """``sizes``: sum over all variables; ``room``: bytes of the addresses that they cover, each counted once."""
    if whole is None:
        return ()
    if room is None:
        help_ = tr("Used bytes minus the sizes of the list. Variables without an address in the file may share memory.")
        return (Rest(tr("Not in variables"), whole - sizes, help_),)
    rests = []
    if room != sizes:
        help_ = tr("Variables that are never live at the same time may share addresses, which are counted once here.")
        rests.append(Rest(tr("Shared addresses"), room - sizes, help_))
    if whole != room:
        help_ = tr("Used bytes minus the addresses covered by variables: gaps, and variables missing in the file.")
        rests.append(Rest(tr("Not in variables"), whole - room, help_))
    return tuple(rests)


def _has_categories(profile: Profile) -> bool:
    return profile.tile_memory is not None and profile.tile_memory.categories is not None


def _parts(profile: Profile) -> int:
    parts = None if profile.tile_memory is None else profile.tile_memory.categories
    return 0 if parts is None else len(parts.bytes) + len(parts.totals)


def _sorting(profile: Profile) -> int:
    """The cost per tile of sorting its variables, as a count of numbers."""
    tiles = profile.tile_memory.tiles if profile.tile_memory is not None else 0
    return SORTING * len(profile.variables or ()) // max(tiles, 1)


class ContentSpec(Struct, frozen=True, kw_only=True):
    """A breakdown of tile contents: ``taken`` computes it for a set of tiles, ``has`` is a cheap check whether the
    files have it, ``cost`` is roughly how many numbers it adds up per tile. ``one``, ``title``: headings for one item
    and for all; ``table``: id of its table; ``nothing``: why there is none, and what to do. ``bytes_title``,
    ``bytes_help``: of the column of bytes."""

    kind: Kind
    one: str
    title: str
    table: str
    nothing: str
    bytes_help: str
    bytes_title: str = tr("Bytes")
    has: Callable[[Profile], bool]
    cost: Callable[[Profile], int]
    taken: Callable[[TileContents, I64], TileItems | None]


TOTALS: Final = joined(" ", ("totalBytes.", SHARED))
CONTENTS: Final[dict[Kind, ContentSpec]] = {
    spec.kind: spec
    for spec in (
        ContentSpec(
            kind="category",
            one=tr("Category"),
            title=tr("Categories"),
            table="tile-categories",
            nothing=tr("The file does not break memory down by category (memory.byCategory)."),
            bytes_help=tr(
                "Bytes that are not shared between variables (nonOverlapped), or the total if the file has only that."
            ),
            has=_has_categories,
            cost=_parts,
            taken=TileContents.categories,
        ),
        ContentSpec(
            kind="variable",
            one=tr("Variable"),
            title=tr("Variables"),
            table="tile-variables",
            nothing=NO_VARIABLES,
            bytes_help=tr("Size of the variable. Addresses shared by variables are subtracted below."),
            has=lambda profile: profile.variables is not None,
            cost=_sorting,
            taken=TileContents.variables,
        ),
        ContentSpec(
            kind="compute_set",
            one=tr("Compute set"),
            title=tr("Compute sets"),
            table="tile-compute-sets",
            nothing=tr("The file has no bytes of compute sets per tile (memory.byComputeSet)."),
            bytes_help=TOTALS,
            has=lambda profile: bool(_set_matrices(profile)),
            cost=lambda profile: sum(len(matrix) for matrix in _summed(_set_matrices(profile))),
            taken=TileContents.compute_sets,
        ),
        ContentSpec(
            kind="exchange",
            one=tr("Exchange"),
            title=tr("Exchanges"),
            table="tile-exchanges",
            nothing=tr("The file has no bytes of exchanges per tile (exchanges)."),
            bytes_title=tr("Code bytes"),
            bytes_help=tr("Code of the exchange. The file has it only for internal exchanges."),
            has=lambda profile: any(True for _ in _transfers(profile)),
            cost=lambda profile: sum(len(matrix) for _, _, matrix in _transfers(profile)),
            taken=TileContents.exchanges,
        ),
        ContentSpec(
            kind="vertex_type",
            one=tr("Vertex type"),
            title=tr("Vertex types"),
            table="tile-vertex-types",
            nothing=tr("The file has no bytes of vertex types per tile (memory.byVertexType)."),
            bytes_help=TOTALS,
            has=lambda profile: bool(_type_matrices(profile)),
            cost=lambda profile: sum(len(matrix) for matrix in _summed(_type_matrices(profile))),
            taken=TileContents.vertex_types,
        ),
    )
}
"""The breakdowns of tile contents by kind."""
