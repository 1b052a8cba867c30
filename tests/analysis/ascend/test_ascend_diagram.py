"""The diagrams of memory paths: every path from its box to its box, nothing over anything else, nothing lost."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from app.analysis.ascend.diagram.figures import block_names, choose, figures_of
from app.analysis.ascend.diagram.parts import Arrow, Diagram, Line, Point, Rect
from app.analysis.ascend.paths import PATHS, ends
from app.formats.ascend_bin import FORMAT
from app.formats.collect import read
from app.profile.ascend import MemoryPaths
from fakes.rects import meets
from generators import ascend_paths
from generators.ascend_paths import KINDS
from generators.reading import profile_of

EXTENT = 1e-6


def diagram(kind: str) -> Diagram:
    soc, operator_type, paths = KINDS[kind]
    return choose(soc, operator_type, frozenset(paths)).diagram


def section(kind: str, **wanted: object) -> MemoryPaths:
    found = profile_of(FORMAT, ascend_paths.file(kind, **wanted)).memory_paths
    assert found is not None
    return found


def on_edge(point: Point, rect: Rect) -> bool:
    x, y = point
    across, down = rect.x <= x <= rect.right, rect.y <= y <= rect.bottom
    return (across and y in (rect.y, rect.bottom)) or (down and x in (rect.x, rect.right))


def boxes_at(shown: Diagram, point: Point) -> list[str]:
    return [box.name for box in shown.boxes if on_edge(point, box.rect)]


def segments(line: Line) -> list[Rect]:
    """The stretches of a line as boxes without breadth; all of them run straight across or down."""
    found = []
    for (ax, ay), (bx, by) in zip(line.points, line.points[1:], strict=False):
        assert ax == bx or ay == by
        found.append(Rect(min(ax, bx), min(ay, by), abs(bx - ax), abs(by - ay)))
    return found


def thick(rect: Rect, by: float) -> Rect:
    return Rect(rect.x - by, rect.y - by, rect.width + 2 * by, rect.height + 2 * by)


def called(name: str, path: int, shown: Diagram) -> set[str]:
    """What the box of one end of a path is called in a diagram."""
    core = "1" if name.endswith(" 1") else "0"
    plain = name.removesuffix(" 1")
    several = any(box.name == "UB 1" for box in shown.boxes)
    if plain in ("UB", "Vector"):
        return {f"{plain} {core}" if several else plain}
    if plain == "Dcache":
        return {f"Dcache {core} (SIMT)" if several else "Dcache (SIMT)"}
    # What comes from main memory comes through the L2 cache on every path but the first two.
    return {"L2 cache" if plain == "L2" or (plain == "GM" and path > 1) else plain}


@pytest.mark.parametrize("kind", KINDS)
def test_the_producer_s_paths_of_each_kind_have_exactly_one_arrow(kind: str) -> None:
    shown = diagram(kind)
    assert shown.id == kind
    assert sorted(arrow.path for arrow in shown.arrows) == sorted(KINDS[kind][2])


@pytest.mark.parametrize("kind", KINDS)
def test_arrows_go_from_the_boxes_that_the_path_is_named_after(kind: str) -> None:
    shown = diagram(kind)
    for arrow in shown.arrows:
        start, stop = ends(arrow.path)
        froms = {box for name in start.split(" or ") for box in called(name, arrow.path, shown)}
        begins = {name for line in arrow.lines for name in boxes_at(shown, line.points[0])}
        assert begins == froms, arrow.path
        heads = [line.points[-1] for line in arrow.lines if line.head]
        assert heads
        for head in heads:
            assert set(boxes_at(shown, head)) == called(stop, arrow.path, shown), arrow.path
        for joining in (line for line in arrow.lines if not line.head):
            x, y = joining.points[-1]
            main = [part for line in arrow.lines if line.head for part in segments(line)]
            assert any(part.x <= x <= part.right and part.y <= y <= part.bottom for part in main), arrow.path


@pytest.mark.parametrize("kind", KINDS)
def test_everything_lies_inside_and_no_place_for_text_is_touched(kind: str) -> None:
    shown = diagram(kind)
    whole = Rect(0, 0, shown.width, shown.height)
    boxes, labels = [box.rect for box in shown.boxes], [arrow.label for arrow in shown.arrows]
    titles = [frame.title_place for frame in shown.frames]
    for rect in (*boxes, *labels, *titles, *(frame.rect for frame in shown.frames)):
        assert rect.x >= 0
        assert rect.y >= 0
        assert rect.right <= whole.right
        assert rect.bottom <= whole.bottom
    for first, second in combinations([*boxes, *titles], 2):
        assert not meets(first, second)
    for place in labels:
        assert not any(meets(place, other) for other in (*boxes, *titles)), place
    for first, second in combinations(labels, 2):
        assert not meets(first, second)


@pytest.mark.parametrize("kind", KINDS)
def test_no_arrow_runs_through_a_box_or_a_label(kind: str) -> None:
    shown = diagram(kind)
    for arrow in shown.arrows:
        for part in (part for line in arrow.lines for part in segments(line)):
            inner = [thick(box.rect, -0.5) for box in shown.boxes]
            assert not any(meets(thick(part, 0.1), box) for box in inner), arrow.path
            assert not any(meets(thick(part, 3.0), other.label) for other in shown.arrows), arrow.path
            assert not any(meets(thick(part, 2.0), frame.title_place) for frame in shown.frames), arrow.path


@pytest.mark.parametrize("kind", KINDS)
def test_arrows_that_run_side_by_side_stay_apart(kind: str) -> None:
    """Two may cross, but never run along one another."""
    shown = diagram(kind)
    parts = [(arrow.path, part) for arrow in shown.arrows for line in arrow.lines for part in segments(line)]
    for (first, a), (second, b) in combinations(parts, 2):
        if first != second and (a.width > a.height) == (b.width > b.height):
            assert not meets(thick(a, 3.5), thick(b, 3.5)), (first, second)


def test_every_number_that_the_vendor_gave_a_path_is_drawn_somewhere() -> None:
    drawn = {path for kind in KINDS for path in diagram(kind).paths}
    assert drawn == set(PATHS)


@pytest.mark.parametrize(
    ("soc", "operator_type", "paths", "expected", "guessed"),
    [
        ("910B", "vector", {12}, "910b-vector", False),
        ("910B", "cube", {4}, "910b-cube", False),
        ("910B", "cube", {35}, "910b-cube-v2", False),
        ("Ascend910B4", "mix", {4}, "910b-mix", False),
        ("910B", "mix", {35}, "910b-mix-v2", False),
        ("910A5", "vector", {48}, "a5-vector", False),
        ("910A5", "vector", {50}, "a5-vector-v2", False),
        ("910A5", "cube", {50}, "a5-cube", False),
        ("910A5", "mix", {42}, "a5-mix", False),
        ("910A5", "mix", {42, 50}, "a5-mix-v2", False),
        ("310P", "AiCore", {20}, "310p", False),
        ("310P", "vector", {20}, "310p", False),
        ("", "", {2, 12}, "910b-mix", True),
        ("", "cube", {2}, "910b-cube", True),
        ("unheard of", "vector", {48}, "a5-vector", True),
        ("", "", {20}, "310p", True),
        ("910B", "", {12}, "910b-vector", True),
        ("", "", set(), "910b-vector", True),
    ],
)
def test_the_diagram_follows_chip_and_type_or_else_the_paths(
    soc: str, operator_type: str, paths: set[int], expected: str, guessed: bool
) -> None:
    choice = choose(soc, operator_type, frozenset(paths))
    assert (choice.diagram.id, choice.guessed) == (expected, guessed)


def test_a_diagram_is_made_once() -> None:
    assert diagram("a5-mix") is diagram("a5-mix")


def test_hidden_repeated_and_unknown_paths_are_all_kept() -> None:
    found = section(
        "910b-vector",
        extra={13: {"display": 0}, 26: {"bandwidth": "7.5"}, -1: {"request": "3"}, 99: {}},
    )
    first = figures_of(found, 0)
    assert set(first.shown) == {0, 1, 12, 14, 15}
    assert [path.path for path in first.hidden] == [13]
    assert sorted(path.path for path in first.elsewhere) == [-1, 26, 99]
    assert {path.bandwidth for path in first.elsewhere if path.path == 26} == {7.5}
    everything = figures_of(found, 0, show_all=True)
    assert 13 in everything.shown
    assert everything.hidden == ()
    rows = [path.row for path in (*everything.shown.values(), *everything.elsewhere)]
    assert sorted(rows) == [row for row, entry in enumerate(found.entry.tolist()) if entry == 0]


def test_thousands_of_paths_are_counted_and_not_all_kept() -> None:
    found = section("910b-vector", blocks=("0",), extra={path: {} for path in range(100, 1000)})
    first = figures_of(found, 0)
    assert len(first.elsewhere) + first.more == 900
    assert first.more == 400


def test_what_is_not_known_is_not_zero() -> None:
    found = section("910b-vector", extra={12: {"peak_ratio": "NA", "bandwidth": "0"}, 13: {"bandwidth": "N/A"}})
    shown = figures_of(found, 0).shown
    assert (shown[12].peak, shown[12].bandwidth) == (None, 0.0)
    assert shown[13].bandwidth is None
    assert not shown[12].idle  # there were requests
    idle = section("910b-vector", extra={12: {"request": "0", "bandwidth": "0"}})
    assert figures_of(idle, 0).shown[12].idle


def test_blocks_are_named_and_told_apart() -> None:
    assert block_names(section("310p", blocks=("NA",))) == ("Mean of all cores",)
    assert block_names(section("910b-mix", blocks=("0", "1"))) == ("Block 0", "Block 1")
    twice = block_names(section("910b-mix", blocks=("0", "0", "")))
    assert twice == ("Block 0 (mix, entry 0)", "Block 0 (mix, entry 1)", "Entry 2")


def test_hit_rate_and_busy_share_are_made_from_counts() -> None:
    cache = {"hit": 13, "miss": 64, "total_request": 77, "hit_ratio": 0.1688}
    found = section("910b-mix", L2cache=cache, Cube={"cycle": 250, "total_cycles": 1000, "ratio": 9}, Vector={})
    boxes = figures_of(found, 0).boxes
    assert boxes["hit_rate"].percent == pytest.approx(1300 / 77)
    assert (boxes["hit_rate"].part, boxes["hit_rate"].other) == (13, 64)
    assert boxes["cube"].percent == pytest.approx(25)
    assert boxes["vector"].percent is None


def test_a_stored_hit_ratio_counts_only_where_its_unit_is_certain() -> None:
    percent = section("910b-mix", L2cache={"hit_ratio": "90.5"})
    fraction = section("910b-mix", L2cache={"hit_ratio": 0.9})
    assert figures_of(percent, 0).boxes["hit_rate"].percent == 90.5
    assert figures_of(fraction, 0).boxes["hit_rate"].percent is None


def test_advice_is_said_once_with_how_often_it_was_given() -> None:
    found = section("910b-mix", advice=["a", "b", "b"])
    assert figures_of(found, 0).advice == ("a", "b (2 times)")


def test_the_mixed_capture_shows_the_file_s_own_figures(shared_samples: Path) -> None:
    (profile,) = read(FORMAT, [shared_samples / "ascend-mix-910B4.bin"])
    assert profile.memory_paths is not None
    first = figures_of(profile.memory_paths, 0)
    assert (first.diagram.id, first.guessed, first.elsewhere) == ("910b-mix", False, ())
    assert sorted(first.shown) == list(range(20))
    assert first.shown[3].bandwidth == pytest.approx(24.867945)
    assert first.shown[3].peak == pytest.approx(18.839386)
    assert first.shown[0].peak is None
    assert first.shown[9].idle
    assert first.boxes["hit_rate"].percent == pytest.approx(100 * 66845 / (66845 + 6976))
    assert first.boxes["vector1"].percent == pytest.approx(100 * 6592 / 408574)


def test_the_vector_capture_has_four_of_six_paths(shared_samples: Path) -> None:
    (profile,) = read(FORMAT, [shared_samples / "ascend-vector-2024-05.bin"])
    assert profile.memory_paths is not None
    assert len(block_names(profile.memory_paths)) == 32
    last = figures_of(profile.memory_paths, 31)
    assert (last.diagram.id, sorted(last.shown)) == ("910b-vector", [12, 13, 14, 15])
    assert last.boxes["vector"].percent is None


def lengths(arrow: Arrow) -> list[float]:
    return [part.width + part.height for line in arrow.lines for part in segments(line)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_arrow_is_long_enough_for_its_head(kind: str) -> None:
    shown = diagram(kind)
    assert min(length for arrow in shown.arrows for length in lengths(arrow)) > 0
    assert min(lengths(arrow)[-1] for arrow in shown.arrows if arrow.lines[-1].head) >= 8


def test_boxes_have_names_of_their_own() -> None:
    for kind in KINDS:
        names = [box.name for box in diagram(kind).boxes]
        assert len(set(names)) == len(names)
