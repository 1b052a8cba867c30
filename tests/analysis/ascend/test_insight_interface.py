"""What panels and tables show, held against the vendor's design document: fields and types of its example
responses, and the figures in them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import orjson
import pytest

from app.formats.ascend_bin import FORMAT
from app.formats.json import tolerant
from app.profile.profile import Profile
from generators.ascend_bin import block, small
from generators.ascend_smallest import CORES, FIRST, LAST, SOURCE, TEXT, smallest, trace
from generators.reading import profile_of
from generators.timelines import timeline
from oracles.insight_interface import QUERIES, answer

DOCUMENT = "mindstudio-insight-compute-design.zh.txt"
FLOW_END = {
    **dict.fromkeys(("pid", "tid", "name", "id", "metaType", "rankId"), str),
    **dict.fromkeys(("timestamp", "duration", "depth"), int),
}
UNIT = dict.fromkeys(("cycle", "totalCycles", "ratio"), str)
ITEM = dict.fromkeys(("blockId", "blockType", "name", "unit", "value"), str)
SHAPES: dict[str, Any] = {
    "import/action": {
        **dict.fromkeys(("isCluster", "reset", "isSimulation", "isBinary", "isIpynb"), bool),
        "coreList": [str],
        "sourceList": [str],
        "result": [{**dict.fromkeys(("cardName", "rankId", "cardPath"), str), "result": bool}],
    },
    "unit/threadTracesSummary": {"data": [{"startTime": int, "duration": int}]},
    "unit/threadTraces": {
        "data": [
            [
                {
                    **dict.fromkeys(("name", "threadId", "cname", "id"), str),
                    **dict.fromkeys(("duration", "startTime", "endTime", "depth"), int),
                }
            ]
        ]
    },
    "unit/flows": {
        "unitAllFlows": [
            {"cat": str, "flows": [{"title": str, "cat": str, "id": str, "from": FLOW_END, "to": FLOW_END}]}
        ]
    },
    "unit/threadDetail": {
        "emptyFlag": bool,
        "data": {
            **dict.fromkeys(("selfTime", "duration"), int),
            **dict.fromkeys(("args", "title", "cat", "attrInfo"), str),
            **dict.fromkeys(("inputShapes", "inputDataTypes", "inputFormats"), str),
            **dict.fromkeys(("outputShapes", "outputDataTypes", "outputFormats"), str),
        },
    },
    "source/code/file": {"fileContent": str},
    "source/api/line": {
        "lines": [{"Line": int, "Instructions Executed": int, "Cycles": int, "Address Range": [[str]]}]
    },
    "source/api/instructions": {"instructions": str},
    "source/details/baseInfo": {
        **dict.fromkeys(("name", "soc", "opType", "blockDim", "mixBlockDim", "duration"), str),
        "blockDetail": {"headerName": [str], "size": [str], "row": [{"value": [str]}]},
        "advice": [],
    },
    "source/details/computeworkload": {
        "blockIdList": [str],
        "chartData": {"detailDataList": [{**ITEM, "originValue": str}], "advice": []},
        "tableData": {"detailDataList": [ITEM], "advice": []},
    },
    "source/details/memoryGraph": {
        "coreMemory": [
            {
                "advice": [],
                **dict.fromkeys(("blockId", "blockType", "chipType"), str),
                "l2Cache": dict.fromkeys(("hitRatio", "hit", "totalRequest", "miss"), str),
                "memoryUnit": [
                    {"request": int, "display": bool, **dict.fromkeys(("peakRatio", "bandwidth", "memoryPath"), str)}
                ],
                "vector": UNIT,
                "vector1": UNIT,
                "cube": UNIT,
            }
        ]
    },
    "source/details/memoryTable": {
        "memoryTable": [
            {
                "advice": [],
                "blockId": str,
                "tableOpType": str,
                "tableDetail": [
                    {
                        "headerName": [str],
                        "tableName": str,
                        "size": [str],
                        "row": [{"name": str, "value": [str]}],
                    }
                ],
            }
        ]
    },
}
PARAMS: dict[str, dict[str, Any]] = {
    "unit/threadTracesSummary": {"processId": "1", "startTime": 0, "endTime": 10_000, "timePerPx": 1.0},
    "unit/threadTraces": {"processId": "1", "threadId": "1", "startTime": 0, "endTime": 10_000, "timePerPx": 1.0},
    "unit/flows": {"id": "1"},
    "unit/threadDetail": {"id": "1", "record": trace()["traceEvents"][1]},
    "source/code/file": {"sourceName": SOURCE},
    "source/api/line": {"sourceName": SOURCE, "coreName": CORES[1]},
    "source/details/memoryGraph": {"blockId": "0", "showAs": "request"},
    "source/details/memoryTable": {"blockId": "0", "showAs": "request"},
}


@pytest.fixture(scope="module")
def profile() -> Profile:
    return profile_of(FORMAT, smallest())


def shape(value: Any) -> Any:
    """Types in the place of values; a list has those of its entries, which must agree."""
    if isinstance(value, dict):
        return {key: shape(entry) for key, entry in value.items()}
    if isinstance(value, list):
        found: list[Any] = []
        for entry in value:
            own = shape(entry)
            if own not in found:
                found.append(own)
        return found
    return str if isinstance(value, str) else type(value)


def examples(text: str) -> dict[str, Any]:
    """The bodies of the responses that the design document prints, by command. They are not all strict JSON: there
    are trailing commas, and one quote that lost its backslash."""
    found = {}
    text = text.replace('...",\\"', '...\\",\\"')
    for match in re.finditer(r'\{\s*"type": "response"', text):
        depth, end = 0, match.start()
        for place, letter in enumerate(text[match.start() :], match.start()):  # no text in them holds a brace alone
            depth += (letter == "{") - (letter == "}")
            if not depth:
                end = place + 1
                break
        response, _ = tolerant.loads(text[match.start() : end].encode(), max_bytes=1 << 20)
        found[response["command"]] = response["body"]
    return found


# -- fields and types -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", SHAPES)
def test_fields_and_types(profile: Profile, command: str) -> None:
    assert shape(answer(profile, command, PARAMS.get(command))) == SHAPES[command]


def test_the_document_itself_has_the_same_fields_and_types(profile: Profile, shared_samples: Path) -> None:
    text = (shared_samples.parent / "seeds" / DOCUMENT).read_text(encoding="utf-8")
    found = examples(text)
    assert set(found) == set(SHAPES) == set(QUERIES) - {"unit/units"}
    for command, body in found.items():
        assert shape(body) == shape(answer(profile, command, PARAMS.get(command))), command


@pytest.mark.parametrize("command", QUERIES)
def test_every_answer_is_json_and_an_empty_profile_has_one_too(profile: Profile, command: str) -> None:
    bare = profile_of(FORMAT, block(0x0C, b'{"op_detail":[]}'))
    for params in (None, PARAMS.get(command), {"id": "no number", "processId": "9", "threadId": "-1", "endTime": "x"}):
        for asked in (bare, profile):
            json.dumps(answer(asked, command, params), allow_nan=False)


def test_an_unknown_command_is_an_error(profile: Profile) -> None:
    with pytest.raises(KeyError):
        answer(profile, "unit/everything")


# -- figures --------------------------------------------------------------------------------------------------


def test_what_was_imported(profile: Profile) -> None:
    body = answer(profile, "import/action")
    assert (body["isBinary"], body["isSimulation"], body["isCluster"]) == (True, True, False)
    assert body["coreList"] == CORES
    assert body["sourceList"] == [SOURCE]
    assert body["result"][0]["cardName"] == "sin_custom"


def test_units_list_the_ids(profile: Profile) -> None:
    (unit,) = answer(profile, "unit/units")["units"]
    assert (unit["processId"], unit["processName"]) == ("1", "core0.veccore0")
    assert unit["threads"] == [
        {"threadId": "0", "threadName": "MTE2"},
        {"threadId": "1", "threadName": "VECTOR"},
    ]


def test_slices_of_a_thread_by_depth_in_nanoseconds(profile: Profile) -> None:
    rows = answer(profile, "unit/threadTraces", {"processId": "1", "threadId": "1"})["data"]
    told = [[(one["name"], one["startTime"], one["endTime"], one["depth"]) for one in row] for row in rows]
    assert told == [[("WAIT_FLAG", 1000, 3000, 0)], [("BAR", 2250, 2750, 1)]]
    assert rows[1][0]["cname"] == "good"
    later = answer(profile, "unit/threadTraces", {"processId": "1", "threadId": "1", "startTime": 2800})["data"]
    assert [len(row) for row in later] == [1, 0]
    assert answer(profile, "unit/threadTraces", {"processId": "2", "threadId": "1"})["data"] == []


def test_the_summary_joins_what_is_less_than_a_pixel_apart() -> None:
    slices = [(0.0, 1.0, "a", ""), (1.5, 1.0, "b", ""), (10.0, 1.0, "c", "")]
    profile = profile_of(FORMAT, smallest())
    apart = timeline([("p", "t", [slices]), ("p", "u", [[(0.2, 0.1, "d", "")]]), ("q", "t", [[(4.0, 9.0, "e", "")]])])
    asked = profile.with_section(apart)

    def summary(**params: Any) -> list[tuple[int, int]]:
        found = answer(asked, "unit/threadTracesSummary", {"processId": "1", **params})["data"]
        return [(one["startTime"], one["duration"]) for one in found]

    assert summary() == [(0, 1000), (1500, 1000), (10_000, 1000)]
    assert summary(timePerPx=500) == [(0, 2500), (10_000, 1000)]
    assert summary(timePerPx=1e5) == [(0, 11_000)]
    assert summary(startTime=3000, endTime=9000) == []
    assert all(start < 1 << 62 for start, _ in summary())  # no unset minimum


def test_flows_of_a_slice_by_category(profile: Profile) -> None:
    (category,) = answer(profile, "unit/flows", {"id": "1"})["unitAllFlows"]
    (flow,) = category["flows"]
    assert category["cat"] == flow["cat"] == "MTE2ToVECTOR"
    assert (flow["from"]["tid"], flow["to"]["tid"]) == ("0", "1")
    assert flow["from"]["timestamp"] == flow["to"]["timestamp"] == 2000
    assert flow["from"]["name"] == "COPY"
    assert answer(profile, "unit/flows", {"id": "2"})["unitAllFlows"] == []


def test_detail_of_a_slice_with_its_own_time(profile: Profile) -> None:
    data = answer(profile, "unit/threadDetail", PARAMS["unit/threadDetail"])["data"]
    assert (data["title"], data["duration"], data["selfTime"]) == ("WAIT_FLAG", 2000, 1500)
    assert orjson.loads(data["args"])["pc_addr"] == FIRST
    record = {"args": {"Input Shapes": "32,64", "output_data_types": "FLOAT16"}}
    data = answer(profile, "unit/threadDetail", {"id": "0", "record": record})["data"]
    assert (data["inputShapes"], data["outputDataTypes"], data["attrInfo"]) == ("32,64", "FLOAT16", "")
    assert answer(profile, "unit/threadDetail", {"id": "99"}) == {"emptyFlag": True, "data": {}}


def test_source_lines_and_instructions(profile: Profile) -> None:
    assert answer(profile, "source/code/file", {"sourceName": SOURCE})["fileContent"] == TEXT
    assert answer(profile, "source/code/file", {"sourceName": "/other.cpp"})["fileContent"] == ""
    (line,) = answer(profile, "source/api/line", {"sourceName": SOURCE, "coreName": CORES[1]})["lines"]
    assert line == {"Line": 3, "Instructions Executed": 4, "Cycles": 9, "Address Range": [[FIRST, LAST]]}
    made = orjson.loads(answer(profile, "source/api/instructions")["instructions"])
    assert made["Cores"] == CORES
    assert made["Instructions"][1] == {
        "Address": LAST,
        "AscendC Inner Code": f"{SOURCE}:3",
        "Pipe": "SCALAR",
        "Source": "MOV_XD_IMM XD:X29,IMM",
        "Cycles": [7, 4],
        "Instructions Executed": [5, 2],
    }


def test_base_information_and_workload(profile: Profile) -> None:
    base = answer(profile, "source/details/baseInfo")
    assert base["duration"] == "13.15999984741211"
    assert base["blockDetail"]["row"] == [{"value": ["0", "vector", "5.480606"]}]
    assert base["blockDetail"]["size"] == ["2", "3"]
    assert base["mixBlockDim"] == "-1"
    load = answer(profile, "source/details/computeworkload")
    (bar,) = load["chartData"]["detailDataList"]
    (row,) = load["tableData"]["detailDataList"]
    assert bar["originValue"] == "6656.0"
    assert bar["value"] == f"{100 * 6656 / 9043!r}"  # the memory graph knows the total
    assert (row["unit"], row["value"]) == ("Instructions", "3606.0")


def test_memory(profile: Profile) -> None:
    (core,) = answer(profile, "source/details/memoryGraph", {"blockId": "0"})["coreMemory"]
    assert core["l2Cache"] == {"hitRatio": f"{100 * 13 / 77!r}", "hit": "13", "totalRequest": "77", "miss": "64"}
    assert core["memoryUnit"][0] == {
        "request": 257,
        "display": True,
        "peakRatio": "4.737319",
        "bandwidth": "3.637731",
        "memoryPath": "12",
    }
    assert core["vector"] == {"cycle": "6656", "totalCycles": "9043", "ratio": f"{100 * 6656 / 9043!r}"}
    assert core["cube"] == {"cycle": "", "totalCycles": "", "ratio": ""}
    (table,) = answer(profile, "source/details/memoryTable")["memoryTable"]
    assert table["tableDetail"][0]["row"][0] == {"name": "L2 Cache Write", "value": ["13", "64", "77", "16.883118"]}
    assert answer(profile, "source/details/memoryTable", {"blockId": "7"})["memoryTable"] == []


@pytest.mark.parametrize("generation", [1, 2, 3])
def test_every_generation_answers(generation: int) -> None:
    profile = profile_of(FORMAT, small(generation))
    base = answer(profile, "source/details/baseInfo")
    detail = base["mixBlockDetail" if base["opType"] == "mix" else "blockDetail"]
    assert len(detail["row"]) == int(detail["size"][0]) - 1 == 4
    assert len(answer(profile, "source/details/computeworkload")["blockIdList"]) == 4


def test_the_captures_answer_with_what_they_hold(shared_samples: Path) -> None:
    profile = profile_of(FORMAT, (shared_samples / "ascend-mix-910B4.bin").read_bytes())
    rows = answer(profile, "source/details/baseInfo")["mixBlockDetail"]["row"]
    assert rows[1]["value"] == ["1", "250.884842", "133.335754", "248.197571"]
    old = profile_of(FORMAT, (shared_samples / "ascend-vector-2024-05.bin").read_bytes())
    (core,) = answer(old, "source/details/memoryGraph", {"blockId": "0"})["coreMemory"]
    assert float(core["l2Cache"]["hitRatio"]) == pytest.approx(100 * 13 / 77)
