"""NoC traces: the transfers are those that a plain reading of each event gives, whatever types its fields have."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.formats.collect import read
from app.formats.tenstorrent import FORMAT
from app.formats.tenstorrent.assemble import SIDE
from app.formats.tenstorrent.device_log import MOST_DEVICE
from app.profile.profile import Profile

NAME = "noc_trace_dev3_Matmul_ID7.json"
MOVING = ("READ", "WRITE_", "WRITE_MULTICAST", "FABRIC_UNICAST_WRITE", "READ_WITH_STATE", "WRITE_WITH_STATE")
STILL = ("READ_SET_STATE", "WRITE_SET_STATE", "READ_BARRIER_START", "WRITE_FLUSH", "SEMAPHORE", "")
ODD: Any = st.sampled_from([None, "7", 1.5, True, [], {}, -1, 1 << 70, "READ"])
PLACE = st.integers(0, 3) | st.sampled_from([-1, SIDE - 1, SIDE, 1 << 40])
FIELDS: dict[str, Any] = {
    "type": st.sampled_from([*MOVING, *MOVING, *STILL]),
    "sx": PLACE,
    "sy": PLACE,
    "num_bytes": st.sampled_from([0, 32, 32, 4096, -5, 1 << 41, 1 << 60]),
    "timestamp": st.integers(0, 99) | st.sampled_from([2.5, -1, 1 << 53, (1 << 53) - 1]),
}
MORE: dict[str, Any] = {
    "dx": PLACE,
    "dy": PLACE,
    "proc": st.sampled_from(["BRISC", "NCRISC", ""]),
    "noc": st.sampled_from(["NOC_0", "NOC_1"]),
    "op_name": st.sampled_from(["Add", "", "x" * 300]),
    "src_device_id": st.sampled_from([0, 3, -1]),
    "dst_device_id": st.sampled_from([0, 4]),
    "mcast_start_x": st.just(1),
    "zone": st.just("BRISC-KERNEL"),
}
EVENT = st.fixed_dictionaries(FIELDS, optional=MORE)
STRANGE = st.fixed_dictionaries({}, optional={name: own | ODD for name, own in (FIELDS | MORE).items()})


def whole(event: dict[str, Any], name: str) -> int | None:
    value = event.get(name)
    return value if type(value) is int and abs(value) < 1 << 62 else None


def text(event: dict[str, Any], name: str, otherwise: str = "") -> str:
    value = event.get(name, otherwise)
    return value[:200] if isinstance(value, str) else otherwise


def by_hand(events: list[dict[str, Any]]) -> tuple[list[tuple[Any, ...]], int]:
    """The transfers, one after the other, and how many have no core or no time."""

    def core(device: int, x: str, y: str) -> tuple[int, ...] | None:
        place = device, whole(event, x), whole(event, y)
        good = 0 <= device < MOST_DEVICE and all(part is not None and 0 <= part < SIDE for part in place[1:])
        return place if good else None  # type: ignore[return-value]

    made, odd, states = list[tuple[Any, ...]](), 0, dict[tuple[Any, ...], tuple[Any, int]]()
    for event in events:
        kind = text(event, "type")
        own = 3 if (own := whole(event, "src_device_id")) is None else own
        far = own if (far := whole(event, "dst_device_id")) is None else far
        at, other = core(own, "sx", "sy"), core(far, "dx", "dy")
        other = None if event.get("mcast_start_x") is not None else other
        stated = whole(event, "num_bytes") or 0
        size = stated if 0 <= stated < 1 << 53 else 0
        key = at, text(event, "proc"), text(event, "noc"), kind.partition("_")[0]
        if kind.endswith("_SET_STATE"):
            states[key] = other, size
        elif kind.endswith("_STATE") and not size:
            other, size = states.get(key, (other, size))
        moves = re.match(r"READ|WRITE|FABRIC_.*WRITE", kind) and not re.search("_SET_STATE|_BARRIER|_FLUSH", kind)
        if not moves or not size:
            continue
        time = event.get("timestamp")
        is_time = isinstance(time, int | float) and not isinstance(time, bool) and 0 <= time < 1 << 53
        if not is_time or at is None or size > 1 << 40:
            odd += 1
            continue
        ends = (other, at) if kind.startswith("READ") else (at, other)
        names = kind, text(event, "noc"), text(event, "proc"), text(event, "op_name", "Matmul")
        made.append((*ends, at, *names, float(str(time)), size))
    return made, odd


def as_read(profile: Profile) -> list[tuple[Any, ...]]:
    own, cores = profile.noc_transfers, profile.worker_cores
    assert own is not None
    assert cores is not None
    places = [*zip(cores.device.tolist(), cores.x.tolist(), cores.y.tolist(), strict=True), None]
    keys = [[places[row] for row in rows.tolist()] for rows in (own.source, own.target, own.issuer)]
    texts = [
        [own.strings.get(one) for one in ids.tolist()] for ids in (own.type, own.noc, own.processor, own.operation)
    ]
    return list(zip(*keys, *texts, own.time.tolist(), own.bytes.tolist(), strict=True))


@given(st.lists(EVENT | STRANGE, min_size=1, max_size=30))
def test_transfers_are_those_of_a_plain_reading(events: list[dict[str, Any]]) -> None:
    known = {"type": "READ", "sx": 1, "sy": 1, "dx": 0, "dy": 0, "num_bytes": 8, "timestamp": 1, "proc": "BRISC"}
    events = [{**known, "noc": "NOC_0"}, *events]
    wanted, odd = by_hand(events)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        path.write_text(json.dumps(events))
        (profile,) = read(FORMAT, [path])
    assert as_read(profile) == wanted
    assert profile.noc_transfers is not None
    assert profile.noc_transfers.events == len(events)
    assert [one.text.split()[0] for one in profile.issues if "is skipped" in one.text or "are skipped" in one.text] == (
        [str(odd)] if odd else []
    )
