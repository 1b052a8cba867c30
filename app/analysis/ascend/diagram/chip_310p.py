"""The Ascend 310P: one core with everything (Ascend operator files, sections 3.1 and 3.2)."""

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

WIDTH, HEIGHT = 936.0, 276.0
TOP = MARGIN
L1 = Rect(360, TOP + 26, 70, 112)
L0A, L0B = Rect(510, TOP + 26, 72, 40), Rect(510, TOP + 98, 72, 40)
CUBE, L0C = Rect(662, TOP + 26, 110, 112), Rect(852, TOP + 26, 64, 112)
UB, VECTOR = Rect(320, TOP + 196, 320, 54), Rect(720, TOP + 196, 196, 54)


def diagram() -> Diagram:
    """The only diagram of this chip, whatever the operator type."""
    boxes = (
        Box("L1", L1, "cube"),
        Box("L0A", L0A, "cube"),
        Box("L0B", L0B, "cube"),
        Box(tr("Cube"), CUBE, "cube", "cube"),
        Box("L0C", L0C, "cube"),
        Box("UB", UB, "vector"),
        Box(tr("Vector"), VECTOR, "vector", "vector"),
    )
    frame = Frame(tr("AI core"), Rect(FRAME, TOP, WIDTH - MARGIN - FRAME, HEIGHT - 2 * MARGIN))
    arrows = (*parts.arrows(HEIGHT), *_into_l1_and_l0(), *_around_cube(), *_around_buffer())
    return Diagram("310p", tr("AI core of the 310P"), WIDTH, HEIGHT, (frame,), (*parts.boxes(HEIGHT), *boxes), arrows)


def _into_l1_and_l0() -> list[Arrow]:
    room = L1.right + CLEAR, L0A.x - CLEAR
    into_l1, to_a, to_b, under = TOP + 82, TOP + 46, TOP + 118, TOP + 152
    return [
        Arrow(
            20,
            (
                Line(((L2_RIGHT, into_l1), (L1.x, into_l1))),
                Line(((340, UB.y), (340, into_l1)), head=False),
            ),
            above(LABELS, 334, into_l1),
        ),
        rightwards(21, L1.right, L0A.x, to_a, above(*room, to_a)),
        Arrow(
            22,
            (
                Line(((L1.right, to_b), (L0B.x, to_b))),
                Line(((L2_RIGHT, under), (490, under), (490, to_b)), head=False),
            ),
            above(*room, to_b),
        ),
    ]


def _around_cube() -> list[Arrow]:
    into_cube = L0A.right + CLEAR, CUBE.x - CLEAR
    upper, lower = TOP + 160, TOP + 184
    return [
        rightwards(6, L0A.right, CUBE.x, TOP + 46, above(*into_cube, TOP + 46)),
        rightwards(7, L0B.right, CUBE.x, TOP + 118, above(*into_cube, TOP + 118)),
        rightwards(8, CUBE.right, L0C.x, TOP + 82, above(CUBE.right + CLEAR, L0C.x - CLEAR, TOP + 82)),
        bent(23, above(670, 770, upper), (596, UB.y), (596, upper), (L0C.x + 14, upper), (L0C.x + 14, L0C.bottom)),
        bent(24, above(670, 770, lower), (L0C.x + 38, L0C.bottom), (L0C.x + 38, lower), (620, lower), (620, UB.y)),
    ]


def _around_buffer() -> list[Arrow]:
    there, back = TOP + 214, TOP + 232
    return [
        Arrow(
            25,
            (
                Line(((L2_RIGHT, there), (UB.x, there))),
                Line(((L1.x + 35, L1.bottom), (L1.x + 35, UB.y))),
            ),
            above(LABELS, UB.x - CLEAR, there),
        ),
        rightwards(13, UB.x, L2_RIGHT, back, below(LABELS, UB.x - CLEAR, back)),
        *to_and_fro(14, 15, UB.right, VECTOR.x, TOP + 223),
    ]
