"""Packs of operator reports: all variants, packs inside packs, and damaged ones."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats.ascend_report import FORMAT
from app.formats.ascend_report.read import DEEPEST, MOST_TABLES
from app.formats.collect import Collector
from app.formats.collect import read as read_file
from app.formats.errors import FormatError
from app.formats.registry import plan, sniff
from app.profile.ascend_report import NOT_READ, PROFILE, TIMELINE, Entries
from app.profile.profile import Profile
from generators import ascend_hostile, ascend_report
from generators.ascend_report import VARIANTS, Entry, Variant, device_files, entries_of, nested, pack, pack_of
from generators.memory_source import MemorySource
from generators.reading import profile_of, profiles_of

FILES = device_files()
NAMES = list(FILES)
SAMPLE = Path(__file__).resolve().parents[4] / "shared" / "samples" / "ascend-report-add_custom.rep"


def entries(profile: Profile) -> Entries:
    assert profile.entries is not None
    return profile.entries


def names(profile: Profile) -> list[str]:
    own = entries(profile)
    return [own.strings.get(index) for index in own.name.tolist()]


def issues(profile: Profile, severity: str) -> list[str]:
    return [f"{issue.where}: {issue.text}" for issue in profile.issues if issue.severity == severity]


def damaged(*some: Entry, variant: Variant = "cann", **head: int) -> Profile:
    return profile_of(FORMAT, pack(some, variant, **head), "a.rep")


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_lists_and_shows_the_same(variant: Variant) -> None:
    content = pack_of(FILES, variant)
    profile = profile_of(FORMAT, content, "add_custom.rep")
    own = entries(profile)
    assert names(profile) == NAMES
    assert own.container == ("cann-rep" if variant == "cann" else f"npu-rep {variant}")
    for row, name in enumerate(NAMES):
        begin, size = int(own.offset[row]), int(own.size[row])
        assert content[begin : begin + size] == FILES[name]
        assert content[int(own.header[row]) + 8 :].startswith(name.encode())
    assert own.use[NAMES.index("trace.json")] == TIMELINE
    assert profile.timeline is not None
    assert len(profile.timeline.slices.start) == 3
    assert issues(profile, "error") == issues(profile, "warning") == []
    unverified = [issue for issue in profile.issues if "was not verified" in issue.text]
    assert len(unverified) == (variant != "cann")


def test_the_magic_decides_not_the_name(tmp_path: Path) -> None:
    for name in ("report.rep", "report.json", "visualize_data.bin", "no ending"):
        path = tmp_path / name
        path.write_bytes(pack_of(FILES))
        assert sniff(path).id == "ascend-report"
    (tmp_path / "text.rep").write_bytes(b"nothing of the kind")
    with pytest.raises(FormatError):
        sniff(tmp_path / "text.rep")
    assert len(plan([tmp_path])[0]) == 4


@pytest.mark.parametrize("variant", VARIANTS)
def test_packs_inside_are_profiles_of_their_own(variant: Variant) -> None:
    operators = {"op1": device_files("op1"), "op2": device_files("op2", 1)}
    first, second, outer = profiles_of(FORMAT, nested(operators, variant), "several.npu-rep")
    assert [first.name, second.name, outer.name] == ["op1", "op2", "several"]
    assert names(first) == names(second) == NAMES
    assert first.timeline is not None
    assert second.timeline is not None
    assert second.timeline.slices.start[0] == pytest.approx(first.timeline.slices.start[0] + 0.1)
    assert names(outer) == ["op1.npu.rep", "op2.npu.rep"]
    assert entries(outer).use.tolist() == [PROFILE, PROFILE]


def test_an_operator_beside_packs_comes_first() -> None:
    files = {**FILES, "more.npu.rep": pack_of(device_files("more"), "160")}
    outer, inner = profiles_of(FORMAT, pack_of(files, "160"), "all.npu-rep")
    assert inner.name == "more"
    assert names(outer)[-1] == "more.npu.rep"


def test_a_damaged_pack_inside_is_an_issue_of_the_outer_one() -> None:
    files = {**FILES, "cut.npu.rep": b"npu-rep\0" + bytes(5)}
    profile = profile_of(FORMAT, pack_of(files, "160"), "all.npu-rep")
    assert any("cut.npu.rep cannot be opened" in text for text in issues(profile, "error"))
    assert entries(profile).use[names(profile).index("cut.npu.rep")] == NOT_READ


def test_depth_is_limited() -> None:
    content = pack_of(FILES, "160")
    for level in range(DEEPEST + 3):
        content = pack_of({f"level{level}.npu.rep": content}, "160")
    profiles = profiles_of(FORMAT, content, "deep.npu-rep")
    assert len(profiles) == DEEPEST + 1
    assert any("nested too deeply" in issue.text for profile in profiles for issue in profile.issues)


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (Entry(b"../x.csv", b"1"), "contains folders"),
        (Entry(b"a\\x.csv", b"1"), "contains folders"),
        (Entry(b"..", b"1"), "no usable name"),
        (Entry(b"", b"1"), "no usable name"),
        (Entry(b"\xff.csv", b"1"), "not UTF-8"),
        (Entry(b"a\nb.csv", b"1"), "invisible characters"),
        (Entry(b"x.csv", b"1", size=1 << 63), "not inside the pack"),
        (Entry(b"x.csv", b"1", offset=(1 << 64) - 1), "not inside the pack"),
        (Entry(b"x.csv", b"1", offset=40), "not inside the pack"),
        (Entry(b"x.csv", b"1", magic=b"whatever"), "does not start like an entry"),
    ],
)
def test_a_damaged_entry_is_left_out_and_the_rest_shown(entry: Entry, text: str) -> None:
    profile = damaged(*entries_of(FILES, "cann"), entry)
    assert names(profile) == NAMES
    (error,) = issues(profile, "error")
    assert text in error
    assert "entry 5 is skipped" in error


def test_of_entries_that_overlap_as_many_as_possible_remain() -> None:
    listed = entries_of(FILES, "cann")
    begin = 36 + 160 * (len(listed) + 1)
    all_of_it = Entry(b"all.csv", b"", offset=begin, size=sum(len(content) for content in FILES.values()))
    profile = damaged(all_of_it, *listed)
    assert names(profile) == NAMES
    assert "all.csv is skipped: its bytes overlap" in issues(profile, "error")[0]


def test_of_very_many_tables_the_first_are_read() -> None:
    """20,000 take a second; each entry is looked at a few times, and what is not read is named and counted."""
    source = MemorySource(ascend_hostile.tables_in_a_pack(20_000), "many.rep")
    sink = Collector("test")
    FORMAT.read([source], sink)
    (profile,) = sink.profiles
    assert len(names(profile)) == 20_000
    assert issues(profile, "warning") == [f"many.rep: only the first {MOST_TABLES:,} tables are read"]
    assert any(
        f"{20_000 - MOST_TABLES:,} files were not read: table1000.csv" in said for said in issues(profile, "info")
    )
    assert len(source.reads) < 4 * 20_000
    assert sum(length for _, length in source.reads) < 3 * source.size


def test_gaps_and_a_tail_are_no_problem() -> None:
    listed = [Entry(name.encode(), content, after=7) for name, content in FILES.items()]
    assert issues(damaged(*listed, variant="160"), "warning") == []


def test_heads_that_are_odd_are_reported() -> None:
    listed = entries_of(FILES, "cann")
    assert "version 0x00020000 is unknown" in issues(damaged(*listed, version=0x20000), "warning")[0]
    assert "the header states 9 bytes" in issues(damaged(*listed, length=9), "warning")[0]
    many = damaged(*listed, count=0xFFFFFFFF)
    assert "4,294,967,295 entries are declared" in issues(many, "error")[0]
    assert names(many) == NAMES
    assert "a header of 7 bytes is impossible" in issues(damaged(*listed, head=7), "warning")[0]
    twice = damaged(*listed, listed[0])
    assert f"several entries {NAMES[0]}" in issues(twice, "warning")[0]
    assert entries(twice).use[-1] == NOT_READ


def test_a_pack_without_entries_is_an_empty_profile() -> None:
    assert len(entries(damaged())) == 0


@pytest.mark.parametrize("content", [b"cann-rep", pack_of(FILES, "160")[:35]])
def test_a_head_that_is_cut_is_refused(content: bytes) -> None:
    with pytest.raises(FormatError, match="ends inside its head"):
        profiles_of(FORMAT, content, "a.rep")


def test_unknown_sizes_of_entries_are_refused() -> None:
    content = bytearray(pack_of(FILES, "160"))
    struct.pack_into("<I", content, 20, 161)
    with pytest.raises(FormatError, match="unknown entry size 161 bytes"):
        profiles_of(FORMAT, bytes(content), "a.rep")


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_pack_that_is_cut_anywhere_shows_what_is_whole(variant: Variant) -> None:
    content = pack_of(FILES, variant)
    ends = 0
    for cut in range(36, len(content), 97):
        profile = profile_of(FORMAT, content[:cut], "a.rep")
        whole = len(names(profile))
        assert whole >= ends
        assert names(profile) == NAMES[:whole]
        assert issues(profile, "error") or issues(profile, "warning")
        ends = whole
    assert ends >= len(NAMES) - 1


BASES = [*(pack_of(FILES, variant) for variant in VARIANTS), nested({"a": FILES, "b": FILES}, "164")]


@settings(max_examples=150, deadline=None)
@given(
    base=st.sampled_from(BASES),
    changes=st.lists(st.tuples(st.integers(0, 1 << 16), st.binary(min_size=1, max_size=9)), max_size=6),
    cut=st.integers(0, 1 << 16) | st.none(),
)
def test_only_format_errors_leave_the_reader(base: bytes, changes: list[tuple[int, bytes]], cut: int | None) -> None:
    content = bytearray(base)
    for place, change in changes:
        at = 8 + place % (min(len(base), 1400) - 8)  # heads and tables of entries
        content[at : at + len(change)] = change
    try:
        profiles = profiles_of(FORMAT, bytes(content[:cut]), "a.rep")
    except FormatError:
        return
    for profile in profiles:
        own = entries(profile)
        assert ((own.offset >= 0) & (own.offset + own.size <= len(content))).all()


def test_figures_of_a_real_pack() -> None:
    if not SAMPLE.exists():
        pytest.skip("the real pack is not in the repository")
    (profile,) = read_file(FORMAT, [SAMPLE])
    own = entries(profile)
    assert len(own) == 9
    assert own.container == "cann-rep"
    assert int(own.offset[0]) == 1476
    row = own.named("trace.json")
    assert int(own.offset[row]) == 12463
    assert int(own.offset[row] + own.size[row]) == SAMPLE.stat().st_size == 33714
    timeline = profile.timeline
    assert timeline is not None
    assert len(timeline.slices.start) == 54  # 36 marks and 18 busy slices


def test_the_generator_writes_one_of_each(tmp_path: Path) -> None:
    ascend_report.main(tmp_path)
    jobs, refused = plan([tmp_path])
    assert refused == []
    assert {job.format.id for job in jobs} == {"ascend-report"}
    assert sorted(len(job.paths) for job in jobs) == [1, 1, 1, 1, 4, 8]
