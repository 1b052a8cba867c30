"""The Ascend A5 (950): FIXP between cube and vector cores, caches for SIMT.

Ascend operator files, sections 3.1 and 3.2.
"""

from __future__ import annotations

from typing import NamedTuple

from app.analysis.ascend.diagram import parts
from app.analysis.ascend.diagram.parts import (
    CLEAR,
    FRAME,
    L2_RIGHT,
    LABEL,
    LABELS,
    MARGIN,
    Arrow,
    Box,
    Diagram,
    Figure,
    Frame,
    Rect,
    above,
    bent,
    rightwards,
    to_and_fro,
)
from app.language import tr

WIDTH = 1066.0
NARROW = 894.0
RIGHT = WIDTH - MARGIN
CUBE_HEIGHT = 212.0
BETWEEN = 24.0
"""Space between the frame of the cube core and those of the vector cores, for labels of the paths between them."""
VECTOR_HEIGHT = 136.0
GAP = 6.0
L1 = Rect(330, MARGIN + 24, 230, 106)
L0A, L0B = Rect(640, MARGIN + 24, 72, 40), Rect(640, MARGIN + 90, 72, 40)
CUBE, L0C = Rect(792, MARGIN + 24, 110, 106), Rect(982, MARGIN + 24, 64, 106)
FIXP = Rect(580, MARGIN + 166, 466, 38)
PAST = 672.0
"""Where the path from FIXP to vector core 1 passes vector core 0."""


class Core(NamedTuple):
    """A vector core: the names of its boxes, its paths, and the extents of its boxes."""

    title: str
    names: tuple[str, str, str]
    paths: tuple[int, int, int, int]
    """L2 to UB, UB to L2, UB to Vector, Vector to UB."""
    cached: tuple[int, int | None, int, int]
    """L2 to Dcache, Dcache to L2 (only where measured), Dcache to Vector, Vector to Dcache."""
    buffers: tuple[float, float]
    unit: tuple[float, float]
    labels: float
    """Where labels between buffers and unit begin."""


def vector(v2: bool) -> Diagram:
    """One vector core; ``v2``: with the path from its cache back to L2."""
    height = VECTOR_HEIGHT + 2 * MARGIN
    core = Core(
        tr("Vector core"),
        ("UB", tr("Dcache (SIMT)"), tr("Vector")),
        (12, 13, 14, 15),
        (48, 50 if v2 else None, 54, 52),
        *((330, 540), (640, NARROW - MARGIN - 12), 0),
    )
    frame, boxes, arrows = vector_core(MARGIN, core, NARROW - MARGIN)
    return Diagram(
        "a5-vector-v2" if v2 else "a5-vector",
        tr("Vector core of the A5"),
        NARROW,
        height,
        (frame,),
        (*parts.boxes(height), *boxes),
        (*parts.arrows(height), *arrows),
    )


def cube() -> Diagram:
    """One cube core."""
    height = CUBE_HEIGHT + 2 * MARGIN
    frame, boxes, arrows = cube_core()
    return Diagram(
        "a5-cube",
        tr("Cube core of the A5"),
        WIDTH,
        height,
        (frame,),
        (*parts.boxes(height), *boxes),
        (*parts.arrows(height), *arrows),
    )


def mix(v2: bool) -> Diagram:
    """A cube core with its two vector cores; ``v2``: with the paths that only newer tools measure."""
    first = MARGIN + CUBE_HEIGHT + BETWEEN
    second = first + VECTOR_HEIGHT + GAP
    height = second + VECTOR_HEIGHT + MARGIN
    unit = (770.0, RIGHT - 12)
    core_0 = Core(
        tr("Vector core 0"),
        ("UB 0", tr("Dcache 0 (SIMT)"), tr("Vector 0")),
        (12, 13, 14, 15),
        (48, 50 if v2 else None, 54, 52),
        *((480, 650), unit, 690),
    )
    core_1 = Core(
        tr("Vector core 1"),
        ("UB 1", tr("Dcache 1 (SIMT)"), tr("Vector 1")),
        (16, 17, 18, 19),
        (49, 51 if v2 else None, 55, 53),
        *((330, 690), unit, 0),
    )
    cores = (cube_core(), vector_core(first, core_0, RIGHT), vector_core(second, core_1, RIGHT))
    return Diagram(
        "a5-mix-v2" if v2 else "a5-mix",
        tr("Cube and vector cores of the A5"),
        WIDTH,
        height,
        tuple(frame for frame, _, _ in cores),
        (*parts.boxes(height), *(box for _, boxes, _ in cores for box in boxes)),
        (
            *parts.arrows(height),
            *(arrow for _, _, arrows in cores for arrow in arrows),
            *_between(first, second, v2),
        ),
    )


def cube_core() -> tuple[Frame, list[Box], list[Arrow]]:
    """Frame, boxes and arrows of the cube core, with every path within it and to L2."""
    boxes = [
        Box("L1", L1, "cube"),
        Box("L0A", L0A, "cube"),
        Box("L0B", L0B, "cube"),
        Box(tr("Cube"), CUBE, "cube", "cube"),
        Box("L0C", L0C, "cube"),
        Box("FIXP", FIXP, "cube"),
    ]
    to_a, to_b, middle = MARGIN + 44, MARGIN + 110, MARGIN + 77
    into_l0, into_cube = (L1.right + CLEAR, L0A.x - CLEAR), (L0A.right + CLEAR, CUBE.x - CLEAR)
    high, low = FIXP.y + 10, FIXP.y + 28
    drop, rise = L0C.x + 32, L1.right - 20
    arrows = [
        rightwards(2, L2_RIGHT, L1.x, middle, above(LABELS, L1.x - CLEAR, middle)),
        rightwards(37, L1.right, L0A.x, to_a, above(*into_l0, to_a)),
        rightwards(38, L1.right, L0B.x, to_b, above(*into_l0, to_b)),
        rightwards(6, L0A.right, CUBE.x, to_a, above(*into_cube, to_a)),
        rightwards(7, L0B.right, CUBE.x, to_b, above(*into_cube, to_b)),
        rightwards(8, CUBE.right, L0C.x, middle, above(CUBE.right + CLEAR, L0C.x - CLEAR, middle)),
        bent(39, Rect(drop - 86, L0C.bottom + 11, 80, LABEL), (drop, L0C.bottom), (drop, FIXP.y), side="right"),
        rightwards(40, FIXP.x, L2_RIGHT, low, above(LABELS, L1.x - CLEAR, low)),
        bent(
            *(41, Rect(rise + 6, L1.bottom + 8, 80, LABEL)),
            *((FIXP.x, high), (rise, high), (rise, L1.bottom)),
            side="left",
        ),
    ]
    return Frame(tr("Cube core"), Rect(FRAME, MARGIN, RIGHT - FRAME, CUBE_HEIGHT)), boxes, arrows


def vector_core(top: float, core: Core, right: float) -> tuple[Frame, list[Box], list[Arrow]]:
    """Frame, boxes and arrows of a vector core: buffer above, cache below, the unit to their right."""
    (left, end), (unit_left, unit_right) = core.buffers, core.unit
    figure: Figure = "vector1" if core.paths[0] == 16 else "vector"
    boxes = [
        Box(core.names[0], Rect(left, top + 24, end - left, 44), "vector"),
        Box(core.names[1], Rect(left, top + 82, end - left, 44), "vector"),
        Box(core.names[2], Rect(unit_left, top + 24, unit_right - unit_left, 102), "vector", figure),
    ]
    arrows = [
        *to_and_fro(core.paths[0], core.paths[1], L2_RIGHT, left, top + 46, LABELS),
        *to_and_fro(core.paths[2], core.paths[3], end, unit_left, top + 46, core.labels),
        *to_and_fro(core.cached[0], core.cached[1], L2_RIGHT, left, top + 104, LABELS),
        *to_and_fro(core.cached[2], core.cached[3], end, unit_left, top + 104, core.labels),
    ]
    arrows = [_narrow(arrow, 330 - CLEAR) if arrow.label.x == LABELS else arrow for arrow in arrows]
    return Frame(core.title, Rect(FRAME, top, right - FRAME, VECTOR_HEIGHT)), boxes, arrows


def _narrow(arrow: Arrow, right: float) -> Arrow:
    """The arrow with a label that ends where other paths may cross it."""
    label = arrow.label
    return Arrow(arrow.path, arrow.lines, Rect(label.x, label.y, min(label.right, right) - label.x, label.height))


def _between(first: float, second: float, v2: bool) -> list[Arrow]:
    """Arrows between the cube core and the buffers of the vector cores, which begin at ``first`` and ``second``."""
    buffer_0, buffer_1 = first + 24, second + 24
    y = first - BETWEEN + 5

    def room(x: float, width: float = 64) -> Rect:
        return Rect(x, y, width, LABEL)

    arrows = [
        bent(44, room(432), (502, L1.bottom), (502, buffer_0), side="right"),
        bent(46, room(530, 56), (524, buffer_0), (524, L1.bottom), side="left"),
        bent(42, room(598, 62), (592, FIXP.bottom), (592, buffer_0), side="left"),
        bent(43, room(PAST + 6), (PAST, FIXP.bottom), (PAST, buffer_1), side="left"),
    ]
    if v2:
        arrows += [
            bent(45, room(270), (340, L1.bottom), (340, buffer_1), side="right"),
            bent(47, room(366), (360, buffer_1), (360, L1.bottom), side="left"),
        ]
    return arrows
