"""The Ascend 910B: cube cores and vector cores apart (Ascend operator files, sections 3.1 and 3.2)."""

from __future__ import annotations

from app.analysis.ascend.diagram import parts
from app.analysis.ascend.diagram.parts import (
    CLEAR,
    FRAME,
    L2_RIGHT,
    LABELS,
    MARGIN,
    Arrow,
    Box,
    Diagram,
    Frame,
    Line,
    Rect,
    above,
    below,
    bent,
    rightwards,
    to_and_fro,
)
from app.language import tr

WIDTH = 894.0
RIGHT = WIDTH - MARGIN
L1, L0, CUBE, L0C = (318.0, 70.0), (468.0, 72.0), (620.0, 110.0), (810.0, 64.0)
CUBE_HEIGHT = 208.0
VECTOR_HEIGHT = 80.0
GAP = 6.0
BEND = 440.0
"""Where paths around L1 turn to L0A and L0B."""


def vector() -> Diagram:
    """One vector core."""
    height = 128.0
    frame, boxes, arrows = vector_core(
        (height - VECTOR_HEIGHT) / 2, tr("Vector core"), ("UB", tr("Vector")), (12, 13, 14, 15)
    )
    return Diagram(
        "910b-vector",
        tr("Vector core of the 910B"),
        WIDTH,
        height,
        (frame,),
        (*parts.boxes(height), *boxes),
        (*parts.arrows(height), *arrows),
    )


def cube(v2: bool) -> Diagram:
    """One cube core; ``v2``: paths into L0A and L0B are distinguished by where they come from."""
    height = CUBE_HEIGHT + 2 * MARGIN
    frame, boxes, arrows = cube_core(MARGIN, v2)
    return Diagram(
        "910b-cube-v2" if v2 else "910b-cube",
        tr("Cube core of the 910B"),
        WIDTH,
        height,
        (frame,),
        (*parts.boxes(height), *boxes),
        (*parts.arrows(height), *arrows),
    )


def mix(v2: bool) -> Diagram:
    """A cube core with its two vector cores."""
    height = CUBE_HEIGHT + 2 * (GAP + VECTOR_HEIGHT) + 2 * MARGIN
    first = MARGIN + CUBE_HEIGHT + GAP
    cores = (
        cube_core(MARGIN, v2),
        vector_core(first, tr("Vector core 0"), ("UB 0", tr("Vector 0")), (12, 13, 14, 15)),
        vector_core(first + VECTOR_HEIGHT + GAP, tr("Vector core 1"), ("UB 1", tr("Vector 1")), (16, 17, 18, 19)),
    )
    return Diagram(
        "910b-mix-v2" if v2 else "910b-mix",
        tr("Cube and vector cores of the 910B"),
        WIDTH,
        height,
        tuple(frame for frame, _, _ in cores),
        (*parts.boxes(height), *(box for _, boxes, _ in cores for box in boxes)),
        (*parts.arrows(height), *(arrow for _, _, arrows in cores for arrow in arrows)),
    )


def vector_core(
    top: float, title: str, names: tuple[str, str], paths: tuple[int, int, int, int]
) -> tuple[Frame, list[Box], list[Arrow]]:
    """``paths``: L2 to UB, UB to L2, UB to Vector, Vector to UB."""
    buffer, unit = Rect(L1[0], top + 20, L0[0] + L0[1] - L1[0], 54), Rect(CUBE[0], top + 20, RIGHT - 12 - CUBE[0], 54)
    boxes = [
        Box(names[0], buffer, "vector"),
        Box(names[1], unit, "vector", "vector1" if paths[0] == 16 else "vector"),
    ]
    arrows = to_and_fro(paths[0], paths[1], L2_RIGHT, buffer.x, top + 47, LABELS)
    arrows += to_and_fro(paths[2], paths[3], buffer.right, unit.x, top + 47)
    return Frame(title, Rect(FRAME, top, RIGHT - FRAME, VECTOR_HEIGHT)), boxes, arrows


def cube_core(top: float, v2: bool) -> tuple[Frame, list[Box], list[Arrow]]:
    """Frame, boxes and arrows of a cube core, with all of its paths."""
    l1 = Rect(L1[0], top + 78, L1[1], 112)
    l0a, l0b = Rect(L0[0], top + 78, L0[1], 40), Rect(L0[0], top + 146, L0[1], 40)
    unit, l0c = Rect(CUBE[0], top + 78, CUBE[1], 112), Rect(L0C[0], top + 78, L0C[1], 112)
    boxes = [
        Box("L1", l1, "cube"),
        Box("L0A", l0a, "cube"),
        Box("L0B", l0b, "cube"),
        Box(tr("Cube"), unit, "cube", "cube"),
        Box("L0C", l0c, "cube"),
    ]
    into_cube = l0a.right + CLEAR, unit.x - CLEAR
    out_of_cube = unit.right + CLEAR, l0c.x - CLEAR
    before_l1 = LABELS, l1.x - CLEAR
    over = 580.0, 680.0
    arrows = [
        rightwards(2, L2_RIGHT, l1.x, top + 112, above(*before_l1, top + 112)),
        rightwards(3, l1.x, L2_RIGHT, top + 134, below(*before_l1, top + 134)),
        *_around_l1(top, l1, l0a, l0b, v2),
        rightwards(6, l0a.right, unit.x, top + 98, above(*into_cube, top + 98)),
        rightwards(7, l0b.right, unit.x, top + 166, above(*into_cube, top + 166)),
        rightwards(8, unit.right, l0c.x, top + 120, above(*out_of_cube, top + 120)),
        rightwards(11, l0c.x, unit.right, top + 146, below(*out_of_cube, top + 146)),
        bent(
            *(9, above(*over, top + 48)),
            *((l0c.x + 20, l0c.y), (l0c.x + 20, top + 48), (l1.x + 48, top + 48), (l1.x + 48, l1.y)),
        ),
        bent(
            *(10, above(*over, top + 26)),
            *((l0c.x + 44, l0c.y), (l0c.x + 44, top + 26), (L2_RIGHT, top + 26)),
        ),
    ]
    return Frame(tr("Cube core"), Rect(FRAME, top, RIGHT - FRAME, CUBE_HEIGHT)), boxes, arrows


def _around_l1(top: float, l1: Rect, l0a: Rect, l0b: Rect, v2: bool) -> list[Arrow]:
    """Paths into L0A and L0B, from L1 and around it."""
    over, under = top + 70, top + 200
    room = l1.right + CLEAR, l0a.x - CLEAR
    if v2:
        before_l1 = LABELS, l1.x - CLEAR
        high, low = l0a.y + 8, l0b.bottom - 10
        return [
            bent(35, above(*before_l1, over), (L2_RIGHT, over), (BEND, over), (BEND, high), (l0a.x, high)),
            rightwards(37, l1.right, l0a.x, top + 106, below(*room, top + 106)),
            rightwards(38, l1.right, l0b.x, top + 158, above(*room, top + 158)),
            bent(36, above(*before_l1, under), (L2_RIGHT, under), (BEND, under), (BEND, low), (l0b.x, low)),
        ]
    to_a, to_b = top + 98, top + 166
    return [
        Arrow(
            4,
            (
                Line(((l1.right, to_a), (l0a.x, to_a))),
                Line(((L2_RIGHT, over), (BEND, over), (BEND, to_a)), head=False),
            ),
            below(*room, to_a),
        ),
        Arrow(
            5,
            (
                Line(((l1.right, to_b), (l0b.x, to_b))),
                Line(((L2_RIGHT, under), (BEND, under), (BEND, to_b)), head=False),
            ),
            above(*room, to_b),
        ),
    ]
