"""Instruction and line tables of the simulator, JSON files, and the tables of an emulated run."""

from __future__ import annotations

import pytest

from app.analysis import tables
from app.analysis.source_view import instruction_view, source_view
from app.profile.ascend import TypedColumn, column_named
from app.profile.profile import Profile
from fakes.report_members import read_metrics

INSTRUCTIONS = {
    "simulator/core0.veccore0/core0.veccore0_instr_exe.csv": (
        b"instr,addr,pipe,call_count,cycles,running_time(us),detail\n"
        b'VADD,285474868,VECTOR,4,120,0.06,"XD:X1,XN:X2,\nIMM:3"\n'
        b"MOV,285474864,SCALAR,8,16,0.01,\n"
    ),
    "simulator/core1.veccore0/core1.veccore0_instr_exe.csv": (
        b"instr,addr,pipe,call_count,cycles,running_time(us),detail\n"
        b"MOV,285474864,SCALAR,2,5,0.00,XD:X9\n"
        b"JUMP,285474872,FLOWCTRL,1,3,0.00,\n"
    ),
}
LINES = {
    "simulator/core0.veccore0/core0.veccore0_code_exe.csv": (
        b"code,call_count,cycles,running_time(us)\n/src/a/add.cpp:12,4,120,0.06\n/src/a/add.cpp:9,8,16,0.01\n"
    ),
    "simulator/core1.veccore0/core1.veccore0_code_exe.csv": (
        b"code,call_count,cycles,running_time(us)\nD:\\b\\x.h:3,2,5,0.00\n/src/a/add.cpp:9,1,1,0.00\n"
    ),
}


def of_core(columns: tuple[TypedColumn, ...], name: str, core: int) -> list[float]:
    column = column_named(columns, name)
    assert column is not None
    values: list[float] = column.of_core(core).tolist()
    return values


def profile_of(files: dict[str, bytes]) -> Profile:
    profile, issues, names = read_metrics(files)
    assert not issues
    assert names == set(files)
    return profile


def test_instructions_of_all_cores_by_address() -> None:
    own = profile_of(INSTRUCTIONS).instructions
    assert own is not None
    assert own.cores == ("core0.veccore0", "core1.veccore0")
    assert own.address.tolist() == [285474864, 285474868, 285474872]
    assert [own.strings[code] for code in own.text] == ["MOV", "VADD", "JUMP"]
    assert [own.strings[code] for code in own.pipe] == ["SCALAR", "VECTOR", "FLOWCTRL"]
    assert of_core(own.columns, "Instructions Executed", 0) == [8, 4, -1]
    assert of_core(own.columns, "Instructions Executed", 1) == [2, -1, 1]
    assert of_core(own.columns, "Cycles", 0) == [16, 120, -1]
    detail = column_named(own.columns, "detail")
    assert detail is not None
    assert detail.strings is not None
    assert [detail.strings.get(code) for code in detail.of_core(0)] == ["", "XD:X1,XN:X2,\nIMM:3", ""]
    table = tables.by_id(profile_of(INSTRUCTIONS), "instructions")
    assert table is not None
    times = {column.title: column.unit for column in table.columns if column.key.startswith("running_time_us")}
    assert set(times) <= {"Running Time, core0.veccore0", "Running Time, core1.veccore0"}
    assert set(times.values()) == {"µs"}


def test_lines_of_all_cores_and_no_source_text() -> None:
    profile = profile_of(LINES)
    own = profile.lines
    assert own is not None
    places = [(own.paths[file], line) for file, line in zip(own.file.tolist(), own.line.tolist(), strict=True)]
    assert places == [("/src/a/add.cpp", 12), ("/src/a/add.cpp", 9), ("D:\\b\\x.h", 3)]
    assert of_core(own.columns, "Cycles", 0) == [120, 16, -1]
    assert of_core(own.columns, "Cycles", 1) == [-1, 1, 5]
    assert profile.sources is None
    assert tables.by_id(profile, "source-lines") is not None


SUMMARY = b"""{"category":"PipeUtilization","aiv_vec_ratio":0.067158,"aic_cube_ratio":null}
{"category":"OpInfoSummary","Op Name":"add","Op Type":"vector","Task Duration(us)":1.8,\
"Block Dim":8,"Current Freq":1650}
"""
HARDWARE = b"""{"Host Info":{"name":"host","memory total size(MB)":1024}}
{"Device Info":{"Soc_Name":"Ascend910B4","ai core count":20}}
"""


def test_the_summary_stands_for_the_basic_information() -> None:
    profile = profile_of({"summary.jsonl": SUMMARY, "HardwareInfo.jsonl": HARDWARE})
    base = profile.operator
    assert base is not None
    assert (base.name, base.type, base.duration_us, base.block_dim) == ("add", "vector", 1.8, 8)
    assert (base.soc, base.frequency_mhz) == ("Ascend910B4", 1650)
    table = tables.by_id(profile, "report-table/summary")
    assert table is not None
    rows = [tuple(column.value(row) for column in table.columns) for row in range(table.rows)]
    assert ("PipeUtilization", "aiv_vec_ratio", 0.067158, None) in rows
    assert ("PipeUtilization", "aic_cube_ratio", None, None) in rows


def test_a_line_that_is_no_json_is_named() -> None:
    profile, issues, _ = read_metrics({"summary.jsonl": SUMMARY + b"{broken\n"})
    assert profile.operator is not None
    assert [issue.where for issue in issues] == ["summary.jsonl: line 3"]


EMULATED = {
    "ExecutedInstructions.csv": (
        b"ExecInstrId,SourceInstrAddr,ExecInstrTickStart,ExecInstrTickEnd,ExecInstrName,ExecInstrParams,InstrTypeId,"
        b"ExecInstrCoreId,CoreTypeId,ExtendParams\n"
        b'4294967297,4096,10,30,vadd,"a, b",2,0,2,"{""k"": 1}"\n'
        b'4294967298,4096,40,45,vadd,"a, b",2,0,2,"{}"\n'
        b'4294967299,4100,50,51,mov,c,1,0,2,"{}"\n'
        b'4294967300,4096,12,20,vadd,"a, b",2,0,3,"{}"\n'
    ),
    "CoreTypes.csv": b"CoreTypeId,CoreTypeName\n1,AIC\n2,AIV0\n3,AIV1\n",
    "InstrTypes.csv": b"InstrTypeId,InstrTypeName\n1,SCALAR\n2,VECTOR\n",
    "PipeUtilizationHist.csv": b"PipeName,CoreName,Utilization\nVECTOR,AIV0,0.25\nSCALAR,AIV0,0.5\nVECTOR,AIV1,NA\n",
    "KernelInfo.csv": b"KernelInfoAttr,KernelInfoVal\nname,gelu\ncores,2\n",
    "UnitUtilization.csv": b"Tick,Util\n0,0.5\n10,0.75\n",
    "manifest.json": b'{"profile":"emulate","schemaVersion":1,"tickToUs":0.000606}',
}


def test_an_emulated_run() -> None:
    profile = profile_of(EMULATED)
    own = profile.instructions
    assert own is not None
    assert own.cores == ("core0 AIV0", "core0 AIV1")
    assert own.address.tolist() == [4096, 4100]
    assert [own.strings[code] for code in own.pipe] == ["VECTOR", "SCALAR"]
    assert of_core(own.columns, "Instructions Executed", 0) == [2, 1]
    assert of_core(own.columns, "Cycles", 0) == [25, 1]
    assert of_core(own.columns, "Cycles", 1)[0] == 8
    load = profile.workload
    assert load is not None
    assert load.value.tolist() == [25.0, 50.0]
    assert profile.operator is None, "an emulated run has no columns of a computed one"
    for name in ("ExecutedInstructions", "KernelInfo", "UnitUtilization", "manifest", "CoreTypes"):
        table = tables.by_id(profile, f"report-table/{name}")
        assert table is not None
        assert table.rows
    executed = tables.by_id(profile, "report-table/ExecutedInstructions")
    assert executed is not None
    assert [executed.columns[0].value(row) for row in range(2)] == [4294967297, 4294967298]
    assert executed.columns[-1].value(0) == '{"k": 1}'


@pytest.mark.parametrize("name", EMULATED)
def test_any_file_of_an_emulated_run_may_be_missing(name: str) -> None:
    rest = {other: content for other, content in EMULATED.items() if other != name}
    profile, _, read = read_metrics(rest)
    assert read == set(rest)
    assert profile.report_tables is not None


def test_a_table_without_the_expected_columns_remains_a_table() -> None:
    files = {
        "ExecutedInstructions.csv": b"a,b\n1,2\n",
        "x_instr_exe.csv": b"a,b\n1,x\n",
        "x_code_exe.csv": b"\xff\n1\n",
    }
    profile, _, names = read_metrics(files)
    assert names == set(files)
    assert tables.by_id(profile, "report-table/ExecutedInstructions") is not None
    assert profile.instructions is not None


def test_very_many_instructions_remain_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.formats.ascend_report.metrics.MOST_INSTRUCTIONS", 3)
    profile, issues, _ = read_metrics(INSTRUCTIONS)
    assert profile.instructions is not None
    assert profile.instructions.cores == ("core0.veccore0",)
    assert [issue.where for issue in issues] == ["simulator/core1.veccore0/core1.veccore0_instr_exe.csv"]
    assert tables.by_id(profile, "report-table/core1.veccore0_instr_exe") is not None


def test_cores_with_ever_other_instructions_do_not_make_a_huge_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.formats.ascend_report.emulate.MOST_CELLS", 5)
    profile, issues, _ = read_metrics(INSTRUCTIONS)
    assert profile.instructions is not None
    assert profile.instructions.cores == ("core0.veccore0",)
    assert ["listed only as a table" in issue.text for issue in issues] == [True]
    assert tables.by_id(profile, "report-table/core1.veccore0_instr_exe") is not None


def test_executed_instructions_of_very_many_cores_remain_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.formats.ascend_report.emulate.MOST_CELLS", 3)
    profile, issues, _ = read_metrics(EMULATED)
    assert profile.instructions is None
    assert [issue.text for issue in issues] == ["2 instructions on 2 cores are listed only as a table"]


def test_a_figure_that_is_a_text_in_one_cell_ranks_nothing() -> None:
    files = {
        "c_code_exe.csv": b"code,call_count,cycles,running_time(us)\n/a.cpp:1,3,9x,0.05\n/a.cpp:2,4,8,0.04\n",
        "c_instr_exe.csv": b"instr,addr,pipe,call_count,cycles,running_time(us),detail\nADD,16,SCALAR,2,?,0.1,\n",
    }
    profile = profile_of(files)
    view = source_view(profile, "/a.cpp", "c")
    assert [column.title for column in view.table.columns][1] == "Instructions Executed"
    assert view.hottest == 1
    assert instruction_view(profile, "c") is not None
    assert [str(column.value(0)) for column in view.table.columns if column.title == "Cycles"] == ["9x"]
