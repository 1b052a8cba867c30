"""Values of tensors and bytes of executables are compared, wherever they lie in their files."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import numpy as np
import pytest

from app.analysis.compare.changes import changes
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.contents import ContentDifference, value_difference
from app.analysis.compare.plans import plan_of
from app.formats.collect import read
from app.formats.popef import FORMAT
from app.profile.profile import Profile
from app.store.compare_contents import content_differences, same_contents
from app.store.token import Token
from generators import popef
from generators.popef import guide_blobs, guide_model

F32, S64, U64 = 3, 11, 12


def differences(folder: Path, before: list[bytes], after: list[bytes]) -> dict[str, ContentDifference]:
    sides = [popef.write(folder / name, blobs) for name, blobs in (("a.popef", before), ("b.popef", after))]
    (one,), (other,) = (read(FORMAT, [path]) for path in sides)
    made = content_differences(Comparison(one, other), Token())
    return {content.name.partition(" · ")[0]: content for content in made}


def tensor(name: str, *values: float) -> bytes:
    return popef.tensor(name, (len(values),), F32, struct.pack(f"<{len(values)}f", *values))


def test_the_largest_and_the_mean_difference_of_a_tensor(tmp_path: Path) -> None:
    before = [tensor("a", 1, 2, 3, 4), tensor("b", 1, 2), tensor("only", 1), tensor("longer", 1)]
    after = [tensor("b", 1, 2), tensor("a", 1, 2.5, 3, 2), tensor("longer", 1, 2)]
    made = differences(tmp_path, before, after)
    values = made["a"].values
    assert values is not None
    assert (values.elements, values.different, values.not_finite) == (4, 2, 0)
    assert (values.largest, values.mean) == (2, 2.5 / 4)
    assert made["a"].same is False
    assert made["b"].same is True
    assert (made["longer"].same, made["longer"].values) == (False, None)
    assert set(made) == {"a", "b", "longer"}


def test_executables_are_compared_by_their_content(tmp_path: Path) -> None:
    blobs = guide_blobs()
    other = popef.executable("3284579348837926701", b"\x7fnot a real executablE")
    made = differences(tmp_path, blobs, [blobs[0], other, *blobs[2:]])
    assert made["3284579348837926701"].same is False
    assert made["popart"].same is True
    renamed = [popef.metadata(guide_model()), popef.executable("99", b"\x7fnot a real executable")]
    assert differences(tmp_path, blobs, renamed)["99"].same is True


def test_executables_of_other_names_are_matched_by_their_content(tmp_path: Path) -> None:
    def model(name: str, *executables: tuple[str, bytes]) -> Profile:
        blobs = [popef.metadata(guide_model()), *(popef.executable(*executable) for executable in executables)]
        (made,) = read(FORMAT, [popef.write(tmp_path / name, blobs)])
        return made

    before = model("a.popef", ("first", b"same bytes 1"), ("second", b"same bytes 2"), ("third", b"gone"))
    after = model("b.popef", ("two", b"same bytes 2"), ("one", b"same bytes 1"), ("three", b"something else"))
    comparison = Comparison(before, after, contents=same_contents)
    table = comparison.table("executables")
    assert table is not None
    assert table.matches.of_before.tolist() == [1, 0, -1]
    assert table.matches.counts() == {"content": 2}
    named = {(change.how, change.before, change.after) for change in changes(table, plan_of("executables"))}
    assert {("renamed", "first", "one"), ("renamed", "second", "two")} <= named
    same = [content.name for content in content_differences(comparison, Token()) if content.same]
    assert {name.partition(" · ")[0] for name in same} == {"one", "two"}
    (tmp_path / "b.popef").write_bytes(b"gone")
    again = Comparison(before, after, contents=same_contents).table("executables")
    assert again is not None
    assert again.matches.counts() == {}


def test_a_file_that_changed_is_said_and_not_guessed(tmp_path: Path) -> None:
    paths = [popef.write(tmp_path / name, guide_blobs()) for name in ("a.popef", "b.popef")]
    (one,), (other,) = (read(FORMAT, [path]) for path in paths)
    paths[1].write_bytes(b"gone")
    made = list(content_differences(Comparison(one, other), Token()))
    assert {content.same for content in made} == {None}
    assert all("changed since it was read" in content.why for content in made)


def test_what_is_not_finite_is_counted_apart() -> None:
    one = np.array([1, math.nan, math.inf, math.nan, math.inf, 0], np.float32)
    other = np.array([1, math.nan, math.inf, 2, 3, 4], np.float32)
    made = value_difference([one], [other])
    assert (made.elements, made.different, made.not_finite) == (6, 3, 2)
    assert (made.largest, made.mean) == (4, 2)
    none = value_difference([one[1:3]], [other[1:3]])
    assert (none.different, none.largest, none.mean) == (0, None, None)


@pytest.mark.parametrize("kind", [np.int64, np.uint64, np.int8, np.bool_])
def test_differences_of_integers_do_not_overflow(kind: type[np.generic]) -> None:
    ends = np.array([0, 1], kind) if kind is np.bool_ else np.array([np.iinfo(kind).min, np.iinfo(kind).max], kind)  # type: ignore[type-var]
    made = value_difference([ends], [ends[::-1]])
    assert made.different == 2
    assert made.largest == float(int(ends[1]) - int(ends[0]))
