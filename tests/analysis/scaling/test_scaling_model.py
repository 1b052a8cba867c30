"""Typed numbers and profiles to a model, its figures and tables, and what the checklist makes of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.analysis.scaling import doubling
from app.analysis.scaling.advice import Advice, Facts, checklist
from app.analysis.scaling.inputs import BY_KEY, FIELDS, GROUPS, knows_allreduce, scenario_of, settle
from app.analysis.scaling.measure import Measurement, measure
from app.analysis.scaling.model import Model, model, results
from app.analysis.scaling.points import parse as points
from app.analysis.scaling.quantities import Kind, parse, written
from app.analysis.scaling.scenario import OverLinks, Scenario, Timed, WhatIf, changed, update
from app.analysis.table import Table
from app.analysis.tables.scaling import advice_table, curve_table
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.profile import Profile
from generators.poplar_replicas import CATEGORIES, Replicas, write

near = pytest.approx
MS = 1e-3
WORKED = {
    "replicas": 16,
    "micro_batch": 16,
    "accumulation": 16,
    "micro_batch_seconds": 16 * MS,
    "allreduce_seconds": 32 * MS,
}


def made(typed: Mapping[str, float], text: str = "", measured: Measurement | None = None) -> Model:
    found = model(settle(typed, measured), points(text))
    assert found is not None
    return found


def figures(found: Model) -> dict[str, object]:
    return {figure.name: figure.value for figure in results(found)}


# -- quantities -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("16ms", "time", 0.016),
        (" 16 ms ", "time", 0.016),
        ("2.5 µs", "time", 2.5e-6),
        ("2.5us", "time", 2.5e-6),
        ("10 min", "time", 600),
        ("1h", "time", 3600),
        ("3", "time", 3),
        ("1e-3s", "time", 1e-3),
        ("100 MB", "size", 1e8),
        ("1 GiB", "size", 2**30),
        ("12", "size", 12),
        ("64 GB/s", "rate", 64e9),
        ("200 Gb/s", "rate", 25e9),
        ("100Gbps", "rate", 12.5e9),
        ("5 %", "share", 0.05),
        ("0.05", "share", 0.05),
        ("16", "count", 16),
        ("1e3", "count", 1000),
        ("yes", "flag", 1),
        ("Off", "flag", 0),
    ],
)
def test_quantities(text: str, kind: Kind, value: float) -> None:
    assert parse(text, kind) == near(value)


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("", "time", "'' is not a valid time; write it as 16 ms"),
        ("16 furlongs", "time", "'furlongs' is not a unit of a time"),
        ("ms", "time", "is not a valid time"),
        ("-1 ms", "time", "out of range"),
        ("1e400", "time", "out of range"),
        ("64 GB", "rate", "not a unit of a bandwidth"),
        ("1.5", "count", "not a whole number"),
        ("16 ms", "count", "not a whole number"),
        ("1e30", "count", "out of range"),
        ("maybe", "flag", "neither yes nor no"),
        ("1,5 ms", "time", "',5 ms' is not a unit"),
    ],
)
def test_what_is_no_quantity(text: str, kind: Kind, said: str) -> None:
    with pytest.raises(ValueError, match="out of range" if said == "out of range" else said):
        parse(text, kind)


@given(st.floats(0, 1e12), st.sampled_from(["time", "size", "rate", "share"]))
def test_what_is_written_reads_the_same(value: float, kind: Kind) -> None:
    assert parse(written(value, kind), kind) == near(value, rel=1e-9, abs=1e-300)


def test_counts_and_flags_are_written_plainly() -> None:
    assert (written(4096, "count"), written(1, "flag"), written(0, "flag")) == ("4096", "yes", "no")
    assert (written(0.016, "time"), written(64e9, "rate"), written(0, "time")) == ("16 ms", "64 GB/s", "0 s")


@given(st.text(max_size=30), st.sampled_from(["time", "size", "rate", "share", "count", "flag"]))
def test_any_text_is_a_quantity_or_a_sentence(text: str, kind: Kind) -> None:
    try:
        value = parse(text, kind)
    except ValueError:
        return
    assert 0 <= value < math.inf


# -- inputs ---------------------------------------------------------------------------------------------------


def test_fields_are_told_apart_and_explained() -> None:
    assert len(BY_KEY) == len(FIELDS) == len({field.option for field in FIELDS})
    assert {field.group for field in FIELDS} == set(GROUPS)
    assert all(field.help.endswith(".") for field in FIELDS)
    assert BY_KEY["micro_batch_seconds"].option == "--micro-batch-time"
    assert BY_KEY["micro_batch"].option == "--micro-batch-size"
    measured = {field.measured for field in FIELDS if field.measured}
    assert measured <= set(Measurement.__struct_fields__)


def test_nothing_is_guessed() -> None:
    inputs = settle({}, None)
    assert inputs["micro_batch_seconds"].origin == "missing"
    assert scenario_of(inputs) is None
    assert model(inputs) is None
    assert not knows_allreduce(inputs)
    found = made({"micro_batch_seconds": 1, "replicas": 4})
    assert not found.complete
    assert found.needed is None
    assert "Without the allreduce" in next(f.help for f in results(found) if f.name == "throughput")
    assert "exclude it" in curve_table(found).note


def test_a_typed_time_counts_before_gradients_and_those_before_the_profile(tmp_path: Path) -> None:
    profile = read(FORMAT, [write(tmp_path, Replicas())])[0]
    measured = measure(profile)
    size = {"gradient_bytes": 1e8}

    def allreduce(typed: Mapping[str, float]) -> object:
        scenario = scenario_of(settle(typed, measured))
        assert scenario is not None
        return scenario.allreduce

    assert allreduce({}) == Timed(1e-3, 2)
    assert allreduce({"ring": 0}) == Timed(1e-3)
    assert allreduce(size) == OverLinks(1e8)
    assert allreduce({**size, "allreduce_seconds": 2e-3}) == Timed(2e-3, 2)
    assert settle({"replicas": 8}, measured)["replicas"].origin == "typed"


def test_a_profile_fills_the_model(tmp_path: Path) -> None:
    profile = read(FORMAT, [write(tmp_path, Replicas())])[0]
    measured = measure(profile)
    found = made({"micro_batch": 8}, measured=measured)
    assert found.complete
    assert found.replicas == 2
    assert found.now is not None
    assert found.now.update.seconds == near(measured.update.value)  # type: ignore[union-attr]
    assert found.inputs["micro_batch_seconds"].origin == "profile"
    assert found.inputs["transfer_seconds"].value == near(300e-6)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"link_rate": 0}, "IPU-Link: 0 is not above 0"),
        ({"replicas": 0}, "replicas: 0"),
        ({"constant_share": 3}, "between 0 and 1"),
        ({"batch": 1, "micro_batch": 4}, "smaller than one micro-batch"),
    ],
)
def test_inputs_that_cannot_be(typed: Mapping[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        model(settle({"micro_batch_seconds": 1, "gradient_bytes": 1e6, **typed}, None))


# -- figures and tables ---------------------------------------------------------------------------------------


def test_figures_are_the_worked_ones() -> None:
    found = figures(made(WORKED))
    assert found["throughput"] == near(14_222.2, abs=0.05)
    assert found["update.seconds"] == near(0.288)
    assert found["update.samples"] == 4096
    assert found["allreduce.share"] == near(11.1, abs=0.05)
    assert found["accumulation.needed"] == 38
    assert found["throughput.limit"] == near(16_000)
    assert found["allreduce.steps"] == 30
    assert found["machine"] == "Pod16"
    assert "ceiling" not in found


def test_more_than_a_domain() -> None:
    typed = {"replicas": 128, "micro_batch_seconds": 0.016, "gradient_bytes": 1e8, "domain": 16, "norm_layers": 53}
    found = figures(made(typed))
    assert found["allreduce.seconds"] == near(4.68e-3, abs=0.5e-5)
    assert found["allreduce.across"] == near(1.75e-3)
    assert found["allreduce.steps"] == 2 * 15 + 2 * 7
    assert found["machine"] == "2 x Pod64"
    assert found["batch_norm"] == "64 groups of 2, 106 allreduces per micro-batch"


def test_ceiling_startup_and_fit() -> None:
    typed = {**WORKED, "constant_share": 0.1, "startup_seconds": 600, "run_samples": 14_222_222}
    found = made(typed, "1 1000\n2 1900\n4 3500\n")
    told = figures(found)
    assert told["ceiling"] == near(found.curve.alone * 10)
    assert told["constant_share"] == near(10)
    assert 0 < told["startup.share"] < 100  # type: ignore[operator]
    assert told["fit.constant_share"] == near(4.7, abs=0.5)
    table = curve_table(found)
    keys = {column.key: column for column in table.columns}
    assert [keys["replicas"].value(row) for row in range(3)] == [1, 2, 4]
    assert keys["measured"].value(1) == 1900
    assert keys["measured"].value(3) is None
    assert keys["startup"].value(0) is not None
    parts = ("host", "transfer", "ipu", "links", "waiting", "constant")
    for row in range(table.rows):
        assert sum(float(keys[part].value(row) or 0) for part in parts) == near(keys["seconds"].value(row))


def test_a_batch_too_small_for_the_replicas_has_no_figures_of_now() -> None:
    found = made({**WORKED, "batch": 64})
    assert found.now is None
    assert "throughput" not in figures(found)
    assert [point.replicas for point in found.curve.points] == [1, 2, 4]


def test_what_if() -> None:
    base = Scenario(
        micro_batch_seconds=1, allreduce=Timed(4), accumulation=2, host_seconds=1, transfer_seconds=2, instances=2
    )
    assert changed(base, WhatIf()) == base
    assert not WhatIf().changes
    half = changed(base, WhatIf(micro_batch=0.5, allreduce=0.25, host=2, accumulation=0.1, instances=2))
    assert (half.micro_batch_seconds, half.allreduce, half.host_seconds) == (0.5, Timed(1), 2)
    assert (half.transfer_seconds, half.accumulation, half.instances) == (4, 1, 4)
    links = changed(replace(base, allreduce=OverLinks(100), batch=64), WhatIf(allreduce=0.5, accumulation=4))
    assert links.allreduce == OverLinks(50)
    assert links.batch == 256
    found = update(half, 4)
    assert found is not None
    with pytest.raises(ValueError, match="allreduce: 0 is not above 0"):
        changed(base, WhatIf(allreduce=0))


# -- checklist ------------------------------------------------------------------------------------------------


def states(facts: Facts) -> dict[str, Advice]:
    return {item.id: item for item in checklist(facts)}


def test_without_figures_nothing_lights_up() -> None:
    assert {item.state for item in checklist(Facts())} == {"unknown"}


def test_a_long_allreduce_asks_for_accumulation() -> None:
    found = states(Facts(made(WORKED)))
    assert found["accumulation"].state == "due"
    assert "38" in found["accumulation"].figures
    assert states(Facts(made({**WORKED, "accumulation": 64})))["accumulation"].state == "fine"
    missing = {key: value for key, value in WORKED.items() if key != "allreduce_seconds"}
    assert states(Facts(made(missing)))["accumulation"].state == "unknown"


def test_the_host_lights_up() -> None:
    fed = {**WORKED, "host_seconds": 4 * MS, "transfer_seconds": 2 * MS}
    found = states(Facts(made(fed)))
    assert [found[name].state for name in ("prefetch", "instances")] == ["due"] * 2
    assert states(Facts(made({**WORKED, "transfer_seconds": 2 * MS})))["less-data"].state == "due"
    assert "4,000 samples/s" in found["instances"].figures
    calm = states(Facts(made({**fed, "prefetch": 1, "instances": 16, "numa_nodes": 4, "hosts": 4})))
    assert [calm[name].state for name in ("prefetch", "instances", "numa")] == ["fine"] * 3
    crowd = states(Facts(made({**fed, "instances": 16, "numa_nodes": 4})))
    assert crowd["numa"].state == "due"
    assert crowd["numa"].figures == "16 instances on 4 NUMA nodes"


def test_pods_need_hosts_and_powers_of_two() -> None:
    far = states(Facts(made({**WORKED, "replicas": 128})))
    assert (far["hosts"].state, far["hosts"].figures) == ("due", "2 Pods, 1 host")
    assert states(Facts(made({**WORKED, "replicas": 128, "hosts": 2})))["hosts"].state == "fine"
    assert states(Facts(made({**WORKED, "replicas": 12})))["power-of-two"].state == "due"
    assert states(Facts(made({**WORKED, "replicas": 4, "ipus_per_replica": 4})))["power-of-two"].state == "fine"


def test_kinds_of_data_light_up() -> None:
    text = "replicas,real,generated,synthetic\n1,970,990,1000\n16,8000,15500,16000\n"
    found = states(Facts(made(WORKED, text)))
    assert found["three-kinds"].state == "due"
    assert found["instances"].state == "due"
    assert found["less-data"].state == "fine"
    slow = states(Facts(made(WORKED, "replicas,generated,synthetic\n16,8000,16000\n")))
    assert slow["less-data"].state == "due"


def test_constant_parts_and_startup_light_up() -> None:
    found = states(Facts(made(WORKED, "1 1000\n2 1500\n")))
    assert found["constant"].state == "due"
    assert states(Facts(made({**WORKED, "constant_share": 0.01})))["constant"].state == "fine"
    run = {**WORKED, "startup_seconds": 600, "run_samples": 14_222_222}
    assert states(Facts(made(run)))["startup"].state == "due"
    assert states(Facts(made({**run, "run_samples": 1e12})))["startup"].state == "fine"


@pytest.fixture
def profile_of(tmp_path: Path) -> Callable[[Replicas], Profile]:
    return lambda scale: read(FORMAT, [write(tmp_path, scale)])[0]


def facts_of(profile: Profile, memory: Table | None = None, **typed: float) -> Facts:
    measured = measure(profile)
    return Facts(made(typed, measured=measured), measured, profile, memory)


def test_memory_lights_up(profile_of: Callable[[Replicas], Profile]) -> None:
    roomy = states(facts_of(profile_of(Replicas())))
    assert (roomy["batch-size"].state, roomy["sharding"].state) == ("due", "fine")
    assert roomy["merge"].figures == "1 allreduce per weight update"
    full = states(facts_of(profile_of(Replicas(categories={**CATEGORIES, "variable": 580_000}))))
    assert (full["batch-size"].state, full["sharding"].state, full["pipeline"].state) == ("fine", "due", "due")
    piped = states(facts_of(profile_of(Replicas()), ipus_per_replica=2))
    assert piped["pipeline"].state == "fine"


def test_exchange_code_lights_up(profile_of: Callable[[Replicas], Profile]) -> None:
    a = profile_of(Replicas())
    b = profile_of(Replicas(replicas=4, categories={**CATEGORIES, "globalExchangeCode": 2000}))
    memory = doubling.tables(doubling.sides(a, b))[2]
    found = states(facts_of(a, memory))
    assert (found["exchange-code"].state, found["exchange-code"].figures) == ("due", "grows: globalExchangeCode")
    same = doubling.tables(doubling.sides(a, profile_of(Replicas(replicas=4))))[2]
    assert states(facts_of(a, same))["exchange-code"].state == "fine"


def test_the_checklist_as_a_table() -> None:
    items = checklist(Facts(made(WORKED)))
    table = advice_table(items)
    assert table.rows == len(items)
    assert table.columns[0].value(0) == "due"
    assert all(item.what.endswith(".") for item in items)
    assert all("!" not in item.what + item.figures for item in items)
