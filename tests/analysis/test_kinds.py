"""One record for each kind of things that can be selected, and nothing about kinds beside the records."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from app.analysis.kinds import KINDS
from app.analysis.lookup.sources import SOURCES
from app.analysis.relations import DIRECT, LINKS, RELATIONS, direct
from app.analysis.tables import TABLES, by_id
from app.formats import collect, registry
from app.profile.profile import Origin, Profile
from app.profile.selection import Kind
from app.resources import resource

APP = Path(__file__).parents[2] / "app"
BARE = Profile(name="bare", origin=Origin("test", (Path("x"),)))
SAMPLES = ("resnet-1472-tiles", "matmul_leakyrelu.bin", "resnet_inference.popef")


@pytest.fixture(scope="module", params=SAMPLES)
def profile(request: pytest.FixtureRequest) -> Profile:
    jobs, _ = registry.plan([resource("samples", request.param)])
    return collect.read(jobs[0].format, jobs[0].paths)[0]


def test_every_kind_has_one_record() -> None:
    assert set(KINDS) == set(get_args(Kind))
    assert all(spec.kind == kind and spec.one and spec.several != spec.one for kind, spec in KINDS.items())
    assert KINDS["tile"].counted(1) == "1 tile"
    assert KINDS["compute_set"].counted(1200) == "1,200 compute sets"
    assert KINDS["onchip_block"].title == "On-chip blocks"


def test_tables_of_kinds_exist_and_select_them(profile: Profile) -> None:
    known = {spec.id for spec in TABLES}
    for kind, spec in KINDS.items():
        assert spec.tables
        assert set(spec.tables) <= known
        tables = [table for table_id in spec.tables if (table := by_id(profile, table_id)) is not None]
        assert {table.selects for table in tables} <= {spec.rows_of or kind, None}


def test_links_give_rising_indices_and_nothing_of_what_is_not_there(profile: Profile) -> None:
    for link in (link for links in LINKS.values() for link in links.values()):
        assert link(BARE, np.array([0, 3], np.int64)).tolist() == []
        linked = link(profile, np.array([-5, 0, 10**9], np.int64))
        assert linked.dtype == np.int64
        assert np.array_equal(linked, np.unique(linked))


def test_both_directions_of_a_relation_agree(profile: Profile) -> None:
    """What leads to a thing is what that thing leads back to. Selections of a few of the other kind are enough to
    find a missing pair, and one too many."""
    for relation in RELATIONS:
        one, other = relation.one, relation.other
        if (other, one) not in DIRECT or {one, other} == {"slice", "host_event"}:  # an event may have two slices
            continue
        reached = direct(profile, one, other, np.arange(5000))
        for thing in reached[:: max(len(reached) // 7, 1)]:
            back = direct(profile, other, one, thing[None])
            assert len(back), (one, other)
            for start in back[:: max(len(back) // 3, 1)]:
                assert thing in direct(profile, one, other, start[None]), (one, other)


def test_parts_and_names_survive_what_is_not_there() -> None:
    for spec in KINDS.values():
        assert list(spec.names(BARE)) == []
        assert spec.name(BARE, 3) == f"{spec.one} 3"
        assert spec.names_itself(spec.name(BARE, 3))
        assert spec.count is None or spec.count(BARE) == 0
        assert spec.parts is None or list(spec.parts(BARE, np.array([3]))) == []
        assert spec.traits is None or not spec.traits(BARE)


def test_all_that_has_names_is_looked_up_but_instructions_which_have_addresses(profile: Profile) -> None:
    named = {kind for kind, spec in KINDS.items() if any(True for _ in spec.names(profile))}
    assert named - {source.id for source in SOURCES} <= {"instruction"}
    assert {kind for kind, spec in KINDS.items() if not spec.searched} == {"instruction"}


def test_nothing_else_lists_what_is_true_of_kinds() -> None:
    """A dictionary or a match by kind beside the records is one more place to change when a kind is added."""
    kinds = set(get_args(Kind))
    for path in APP.rglob("*.py"):
        if path.is_relative_to(APP / "analysis/kinds") or path.is_relative_to(APP / "formats"):
            continue
        code = path.read_text("utf-8")
        if sum(f'"{kind}"' in code for kind in kinds) < 2:
            continue  # parsing all modules takes seconds
        for node in ast.walk(ast.parse(code)):
            keys: list[ast.expr | None] = []
            if isinstance(node, ast.Dict):
                keys = list(node.keys)
            elif isinstance(node, ast.Match):
                keys = [case.pattern.value for case in node.cases if isinstance(case.pattern, ast.MatchValue)]
            words = {key.value for key in keys if isinstance(key, ast.Constant)}
            assert not (len(words) > 1 and words <= kinds), f"{path}:{getattr(node, 'lineno', 0)}: {words}"
