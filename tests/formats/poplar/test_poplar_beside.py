"""What stands beside a report is known by its content, shown where it can be, and named where it cannot."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.analysis.checks import check
from app.analysis.figures import figures
from app.analysis.matching import rows_within
from app.analysis.relations import translate
from app.analysis.tables import available, by_id
from app.formats.collect import read
from app.formats.errors import FormatError
from app.formats.poplar import FORMAT
from app.formats.poplar.kinds import companion, companion_of
from app.formats.registry import plan, sniff
from app.language import Message
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TileRange
from generators import poplar, poplar_beside
from generators.reading import profiles_of
from generators.trees import plain, write_json

SCALE = poplar.Scale(mode="COMPUTE_SETS", compute_sets=9)
KINDS = {
    "framework.json": "framework",
    "app.json": "application",
    "vars.json": "variables",
    "graph.txt": "summary",
    "execution.txt": "summary",
    "tensor_map.json": "tensor_map",
    "serialized_graph.capnp": "serialized_graph",
    "vars.capnp": "binary_variables",
    "archive.a": "archive",
    "debug.cbor": "debug",
    "profile.pop": "database",
}


def opened(*paths: Path) -> Profile:
    jobs, refused = plan(paths)
    assert refused == []
    (profile,) = [profile for job in jobs for profile in read(job.format, job.paths)]
    return profile


def test_every_kind_is_known(tmp_path: Path) -> None:
    found = {path.name: companion_of(path) for path in poplar_beside.write_all(tmp_path)}
    assert {name: other.kind for name, other in found.items() if other} == KINDS


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("profile.pop", "a profile database of Poplar 2.2 or later (SQLite). Open it with PopVision"),
        ("serialized_graph.capnp", "graph.json or graph.cbor contains the figures"),
        ("archive.a", "`ar t` lists the tiles"),
        ("debug.cbor", "belong to a profile.pop. Open both with PopVision Graph Analyser or libpva"),
        ("vars.capnp", "to a .json file"),
        ("app.json", "Open it together with the graph.json"),
    ],
)
def test_opened_alone_one_clear_line(tmp_path: Path, name: str, says: str) -> None:
    poplar_beside.write_all(tmp_path)
    jobs, refused = plan([tmp_path / name])
    assert refused == []
    with pytest.raises(FormatError) as error:
        read(jobs[0].format, jobs[0].paths)
    assert says in error.value.text
    assert "\n" not in error.value.text


def test_a_folder_with_only_the_newer_files_says_so(tmp_path: Path) -> None:
    poplar_beside.write_all(tmp_path)
    jobs, refused = plan([tmp_path])
    assert (len(jobs), refused) == (1, [])
    with pytest.raises(FormatError, match=r"profile database of Poplar 2\.2"):
        read(jobs[0].format, jobs[0].paths)


def test_the_same_content_under_another_name_is_named_too(tmp_path: Path) -> None:
    for name, content, says in (
        ("x.bin", b"SQLite format 3\0" + bytes(99), "this is an SQLite database"),
        ("lib.a", b"!<arch>\n" + bytes(99), "this is an ar archive"),
        ("graph.json.gz", b"\x1f\x8b\x08" + bytes(99), "compressed, and damaged"),
        ("noise", b"\x01\x02\x03", "not a known profile format"),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(FormatError, match=says):
            sniff(path)


def test_a_folder_shows_the_pair_with_what_stands_beside(tmp_path: Path) -> None:
    poplar.write_pair(tmp_path, SCALE)
    poplar_beside.write_all(tmp_path)
    profile = opened(tmp_path)
    assert profile.name == tmp_path.name
    assert profile.steps is not None
    assert profile.report_files is not None
    assert profile.report_files.names[:2] == ("graph.json", "execution.json")
    assert dict(zip(profile.report_files.names[2:], profile.report_files.kinds[2:], strict=True)) == KINDS
    assert [path.name for path in profile.origin.paths] == list(profile.report_files.names)
    told = {issue.where: issue for issue in profile.issues}
    assert set(told) == {
        name
        for name, kind in KINDS.items()
        if kind not in ("framework", "application", "variables", "summary", "tensor_map")
    }
    assert profile.tensor_map is not None
    assert len(profile.tensor_map) == 1
    assert {issue.severity for issue in told.values()} == {"info"}
    assert "libpva" in told["profile.pop"].text
    assert check(profile) == []
    (listed,) = [figure for figure in figures(profile) if figure.name == "report.files"]
    assert isinstance(listed.value, dict)
    assert isinstance(listed.display, dict)
    assert listed.value["archive.a"] == "not-shown:archive"
    assert listed.display["archive.a"] == "compiled code of the tiles (an ar archive of ELF files), not shown"


def test_notes_variables_and_texts_are_tables(tmp_path: Path) -> None:
    poplar.write_pair(tmp_path, SCALE)
    poplar_beside.write_all(tmp_path)
    profile = opened(tmp_path)
    ids = [table.id for table in available(profile)]
    for expected in (
        "report-files",
        "notes/framework.json",
        "notes/app.json",
        "variables",
        "text/graph.txt",
        "text/execution.txt",
    ):
        assert expected in ids
    listed = by_id(profile, "report-files")
    assert listed is not None
    states = {column.key: column for column in listed.columns}["state"]
    assert all(isinstance(states.value(row), Message) for row in range(listed.rows))
    notes = by_id(profile, "notes/framework.json")
    assert notes is not None
    rows = {str(notes.columns[0].value(row)): notes.columns[1].value(row) for row in range(notes.rows)}
    assert rows["TensorFlow / Version"] == "2.1.2"
    assert rows["TensorFlow / Options / layers"] == "[1,2,3]"
    assert rows["System Information / Devices[1] / tiles"] == "1216"
    variables = by_id(profile, "variables")
    assert variables is not None
    given = poplar_beside.variables()["vars"]
    assert variables.rows == len(given)
    cells = {column.key: column for column in variables.columns}
    for row in (0, 7, 8, 33):
        info = given[row]["info"]
        assert cells["name"].value(row) == info["name"]
        assert cells["size"].value(row) == info["sizeBytes"]
        assert cells["tile"].value(row) == info.get("tile")
        assert cells["always_live"].value(row) is info["alwaysLive"]
        tiles = translate(profile, Selection("variable", (variables.key(row),)), "tile")
        assert tiles.tolist() == ([info["tile"]] if "tile" in info else [])
        for tile in tiles.tolist():
            assert row in translate(profile, Selection("tile", (tile,)), "variable")
            within = rows_within(profile, variables, Ranges(tiles=TileRange((tile,))))
            assert within is not None
            assert within.tolist() == [entry["info"].get("tile") == tile for entry in given]
    text = by_id(profile, "text/execution.txt")
    assert text is not None
    assert [text.columns[1].value(row) for row in range(text.rows)] == poplar_beside.RUN.splitlines()


def test_readable_ones_alone_are_shown(tmp_path: Path) -> None:
    poplar_beside.write_all(tmp_path, database=False)
    for name, section in (
        ("framework.json", "notes"),
        ("vars.json", "variables"),
        ("execution.txt", "texts"),
    ):
        profile = opened(tmp_path / name)
        assert profile.filled() == ("report_files", section)
        assert profile.name == name
    whole = opened(tmp_path)
    assert whole.variables is not None
    assert whole.texts is not None


def test_the_vendors_own_example_of_variables(shared_samples: Path) -> None:
    profile = opened(shared_samples / "poplar-fragments" / "lowered_vars_doc_example.json")
    table = by_id(profile, "variables")
    assert table is not None
    cells = {column.key: column.value(0) for column in table.columns}
    assert (cells["name"], cells["size"], cells["tile"], cells["offset"]) == ("v1#0", 16, 0, 352)


def test_the_vendors_own_text_is_known(shared_samples: Path) -> None:
    text = (shared_samples / "poplar-fragments" / "lbm_halo_results.txt").read_text("utf-8")
    run = text[text.index("Execution:") :].encode()
    found = companion(run, Path("out.log"))
    assert found is not None
    assert found.kind == "summary"


def test_each_module_has_its_own(tmp_path: Path) -> None:
    for module in ("one", "two"):
        write_json(tmp_path / f"{module}.compile_report.json", poplar.graph(SCALE))
        (tmp_path / f"{module}.tensor_map.json").write_text('{"mappings": {}}')
    jobs, _ = plan([tmp_path])
    assert [[path.name for path in job.paths] for job in jobs] == [
        ["one.compile_report.json", "one.tensor_map.json"],
        ["two.compile_report.json", "two.tensor_map.json"],
    ]


def test_an_app_json_of_somebody_else_opens_nothing(tmp_path: Path) -> None:
    poplar.write_pair(tmp_path, SCALE)
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "app.json").write_text('{"expo": {}}')
    jobs, refused = plan([tmp_path])
    assert [len(job.paths) for job in jobs] == [2]
    assert refused == []


def test_misfits_keep_what_stands_beside_with_the_graph(tmp_path: Path) -> None:
    tree = plain(poplar.execution(SCALE))
    tree["programTrace"].append(10_000)
    write_json(tmp_path / "graph.json", poplar.graph(SCALE))
    write_json(tmp_path / "execution.json", tree)
    (tmp_path / "vars.json").write_text(json.dumps(poplar_beside.variables()))
    jobs, _ = plan([tmp_path])
    first, second = read(FORMAT, jobs[0].paths)
    assert first.variables is not None
    assert second.variables is None
    assert second.report_files is None


def test_damaged_ones_are_told_and_the_rest_is_shown(tmp_path: Path) -> None:
    poplar.write_pair(tmp_path, SCALE)
    text = json.dumps(poplar_beside.variables())
    (tmp_path / "vars.json").write_text(text[: len(text) * 2 // 3])
    (tmp_path / "framework.json").write_text('{"TensorFlow": {"a": [1, 2')
    profile = opened(tmp_path)
    assert profile.steps is not None
    assert profile.variables is not None
    assert 0 < len(profile.variables) < 40
    assert {issue.where for issue in profile.issues if issue.severity == "error"} == {"vars.json", "framework.json"}


def test_values_of_the_wrong_type_are_counted(tmp_path: Path) -> None:
    tree = poplar_beside.variables(6)
    tree["vars"][2]["info"]["sizeBytes"] = "many"
    tree["vars"][3]["info"] = 5
    tree["vars"][4] = None
    path = tmp_path / "vars.json"
    path.write_text(json.dumps(tree))
    profile = opened(path)
    assert profile.variables is not None
    assert profile.variables.size.tolist()[2:4] == [-1, -1]
    assert len(profile.variables) == 5
    assert any("vars[].sizeBytes" in issue.where for issue in profile.issues)


def test_a_huge_tile_number_needs_no_memory(tmp_path: Path) -> None:
    tree = poplar_beside.variables(3)
    tree["vars"][0]["info"]["tile"] = 2**31 - 2
    tree["vars"][1]["info"]["tile"] = 2**40
    write_json(tmp_path / "graph.json", poplar.graph(SCALE))
    (tmp_path / "vars.json").write_text(json.dumps(tree))
    table = by_id(opened(tmp_path), "variables")
    assert table is not None
    assert {column.key: column.value(1) for column in table.columns}["tile"] is None


def test_sizes_and_depths_are_bounded(tmp_path: Path) -> None:
    deep = (
        '{"TensorFlow":' + '{"a":' * 300 + "1" + "}" * 300 + ', "System Information": {"long": "' + "x" * 9999 + '"}}'
    )
    path = tmp_path / "framework.json"
    path.write_text(deep)
    profile = opened(path)
    assert profile.notes is not None
    assert len(profile.notes) == 2
    assert max(map(len, profile.notes.strings)) < 4100
    path.write_text(json.dumps({"TensorFlow": {str(n): n for n in range(30_000)}, "System Information": {}}))
    many = opened(path)
    assert many.notes is not None
    assert len(many.notes) == 20_000
    assert any("first 20,000" in issue.text for issue in many.issues)
    path.write_text('{"TensorFlow": {}, "System Information": "' + "y" * (5 << 20) + '"}')
    assert any("more than 4,194,304 bytes" in issue.text for issue in opened(path).issues)


def test_a_long_text_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "graph.txt"
    path.write_bytes(poplar_beside.TEXT.encode() + b"a line\n" * 3_000_000)
    tracemalloc.start()
    profile = opened(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert profile.texts is not None
    assert len(profile.texts.lines) <= 400_000
    assert any("open it in a text editor for the rest" in issue.text for issue in profile.issues)
    assert peak < 400 << 20


VARS = json.dumps(poplar_beside.variables(12)).encode()


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_only_format_errors_leave_the_reader(data: st.DataObject) -> None:
    content = bytearray(
        data.draw(st.sampled_from([VARS, json.dumps(poplar_beside.framework()).encode(), poplar_beside.TEXT.encode()]))
    )
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=9))
    name = data.draw(st.sampled_from(["vars.json", "framework.json", "graph.txt", "app.json"]))
    try:
        profiles_of(FORMAT, bytes(content), name)
    except FormatError:
        return
