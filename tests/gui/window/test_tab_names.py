"""Names and widths of tabs, as plain functions."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from app.views.names_apart import ProfileIdentity, differing_folders
from app.window.profile_tabs import (
    TabName,
    differ_at_the_start,
    shared_widths,
    tab_names,
)


def named(path: str, name: str = "trace", *, at: datetime | None = None) -> ProfileIdentity:
    return ProfileIdentity(name, "Ascend", Path(path), 0 if at is None else int(at.timestamp() * 1e9))


def full(*profiles: ProfileIdentity) -> list[str]:
    return [name.full for name in tab_names(profiles)]


def test_different_names_say_nothing_more() -> None:
    assert full(named("/a/x.json", "x"), named("/a/y.json", "y"), ProfileIdentity("z", "", None)) == [
        "x · Ascend",
        "y · Ascend",
        "z",
    ]


def test_equal_names_say_the_folder_that_differs() -> None:
    runs = [named("/runs/a/out/trace.json"), named("/runs/b/out/trace.json"), named("/x.json", "x")]
    assert full(*runs) == ["trace · Ascend · a", "trace · Ascend · b", "x · Ascend"]
    assert [name.short for name in tab_names(runs)] == ["a · trace", "b · trace", "x"]
    deeper = [named("/1/a/out/t.json"), named("/2/a/out/t.json"), named("/1/b/out/t.json")]
    assert full(*deeper) == ["trace · Ascend · 1/a", "trace · Ascend · 2/a", "trace · Ascend · 1/b"]


def test_equal_folders_say_when_the_file_was_written() -> None:
    first, second = datetime(2026, 3, 1, 14, 5, 1), datetime(2026, 3, 1, 14, 9, 30)
    same = named("/runs/trace.json", at=first), named("/runs/trace.json", at=second)
    assert full(*same) == ["trace · Ascend · 14:05:01", "trace · Ascend · 14:09:30"]
    later = named("/runs/trace.json", at=datetime(2026, 3, 2, 14, 5, 1))
    assert full(same[0], later) == ["trace · Ascend · 2026-03-01 14:05", "trace · Ascend · 2026-03-02 14:05"]


def test_what_is_the_same_in_everything_is_numbered() -> None:
    unknown = named("/runs/trace.json")
    assert full(unknown, unknown) == ["trace · Ascend · (1)", "trace · Ascend · (2)"]
    assert full(unknown, unknown, named("/b/trace.json")) == [
        "trace · Ascend · runs · (1)",
        "trace · Ascend · runs · (2)",
        "trace · Ascend · b",
    ]


folders = st.lists(st.lists(st.sampled_from("abc"), max_size=4).map(tuple), min_size=2, max_size=6)


@given(folders)
def test_folders_differ_where_they_are_different(found: list[tuple[str, ...]]) -> None:
    shown = differing_folders(found)
    assert len(set(shown)) == len(set(found)) or "" in shown


def test_the_end_of_names_that_begin_alike_is_seen() -> None:
    begun_alike = [TabName("", f"profile_of_the_run_{number}") for number in range(9)]
    assert not differ_at_the_start(begun_alike, 10)
    ended_alike = [TabName("", f"core{number:04}/trace.json") for number in range(99)]
    assert differ_at_the_start(ended_alike, 10)


def test_tabs_share_what_there_is_not_enough_of() -> None:
    assert shared_widths([100, 200], 300, least=50) == [100, 200]
    assert shared_widths([100, 400, 400], 500, least=50) == [100, 200, 200]
    assert shared_widths([300, 300, 300], 450, least=50, shown=1) == [112, 225, 112]  # half the room for the shown
    assert shared_widths([300] * 20, 500, least=50, shown=0) == [250, *[50] * 19]  # the bar scrolls
    assert shared_widths([], 500, least=50) == []


@given(st.lists(st.integers(10, 500), min_size=1, max_size=30), st.integers(50, 2000), st.data())
def test_no_tab_is_wider_than_it_wants_or_narrower_than_the_least(
    wanted: list[int], room: int, data: st.DataObject
) -> None:
    shown = data.draw(st.integers(-1, len(wanted) - 1))
    widths = shared_widths(wanted, room, least=50, shown=shown)
    assert all(min(50, want) <= width <= want for width, want in zip(widths, wanted, strict=True))
    if any(width > 50 for place, width in enumerate(widths) if place != shown):
        assert sum(widths) <= room
