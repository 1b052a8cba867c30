"""Figures as people read them."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.views import units
from app.views.look import Look


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0 B"),
        (1, "1 B"),
        (1023, "1,023 B"),
        (1024, "1.00 KiB"),
        (1023 * 1024, "1,023 KiB"),
        (1023.9 * 1024, "1.00 MiB"),
        (1_234_567, "1.18 MiB"),
        (-1_234_567, "−1.18 MiB"),
        (2**40, "1.00 TiB"),
    ],
)
def test_bytes_show_three_digits(value: float, text: str) -> None:
    assert units.size(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 ns"),
        (5.41e-10, "0.541 ns"),
        (456e-9, "456 ns"),
        (9.9996e-7, "1.00 µs"),
        (1.23456e-5, "12.3 µs"),
        (0.5, "500 ms"),
        (75, "75.0 s"),
        (1234.5, "1,234 s"),
        (-2e-6, "−2.00 µs"),
        (math.nan, "–"),
        (math.inf, "∞ s"),
    ],
)
def test_times_stand_in_the_largest_unit_that_keeps_three_digits(seconds: float, text: str) -> None:
    assert units.duration(seconds) == text


def test_the_look_chooses_units() -> None:
    assert units.format_value(2048, "B", Look(bytes_as="kB")) == "2.05 kB"
    assert units.format_value(2_000_000, "B", Look(bytes_as="B")) == "2,000,000 B"
    assert units.format_value(1_850_000, "cycles", Look(), 1.85e9) == "1,850,000 cycles"
    assert units.format_value(1_850_000, "cycles", Look(cycles_as="time"), 1.85e9) == "1.00 ms"
    assert units.format_value(1_850_000, "cycles", Look(cycles_as="time")) == "1,850,000 cycles"


def test_each_unit_has_its_text() -> None:
    assert units.format_value(12.3456, "µs") == "12.3 µs"
    assert units.format_value(41, "%") == "41.0 %"
    assert units.format_value(1.85e9, "Hz") == "1.85 GHz"
    assert units.format_value(1650, "MHz") == "1,650 MHz"
    assert units.format_value(12.345, "GB/s") == "12.3 GB/s"
    assert units.format_value(True, "") == "yes"
    assert units.format_value("SCALAR", "") == "SCALAR"
    assert units.cycles_and_time(1_234_567, 1.6e9) == "1,234,567 cycles (772 µs)"


def test_no_data_is_not_zero() -> None:
    for unit in ("", "B", "cycles", "s", "%"):
        assert units.format_value(None, unit) == units.format_value(math.nan, unit) == "–"
        assert units.format_value(0, unit) != "–"
    assert units.exact(None, "B") == "no data"


def test_small_is_not_zero() -> None:
    assert units.percent(0.04) == "<0.1 %"
    assert units.percent(-0.04) == ">−0.1 %"
    assert units.percent(0) == "0.0 %"
    assert units.scale_for(1e9, "B").text(3) == "<1 MiB"


def test_exact_keeps_every_digit() -> None:
    assert units.exact(1_234_567, "B") == "1,234,567 B"
    assert units.exact(12.345678, "µs") == "12.345678 µs"
    assert units.exact(5.41e-10, "s") == "0.000000000541 s"
    assert units.exact(-5, "cycles") == "−5 cycles"
    assert units.exact(100.0, "µs") == "100 µs"


def test_one_scale_serves_a_whole_column() -> None:
    scale = units.scale_for(12_345_678, "B")
    assert (scale.suffix, scale.number(1_048_576), scale.number(12_345_678)) == ("MiB", "1.0", "11.8")
    assert units.scale_for(50, "µs").text(12.345) == "12.3 µs"
    assert units.scale_for(5_000, "cycles").text(1234) == "1,234 cycles"
    assert units.scale_for(3_200, "cycles", Look(cycles_as="time"), 1.6e9).text(1600) == "1.00 µs"


@given(st.floats(1e-9, 1e3))
def test_a_duration_is_within_half_a_percent(seconds: float) -> None:
    number, unit = units.duration(seconds).split(" ")
    shown = float(number.replace(",", "")) * {name: factor for factor, name in units.SECONDS}[unit]
    assert shown == pytest.approx(seconds, rel=0.0051)


@given(st.floats(allow_nan=True, allow_infinity=True), st.sampled_from(["", "B", "cycles", "s", "µs", "%", "Hz"]))
def test_nothing_raises(value: float, unit: str) -> None:
    assert units.format_value(value, unit)  # type: ignore[arg-type]
    assert units.exact(value, unit)
    assert units.scale_for(value, unit).text(value)  # type: ignore[arg-type]


def test_units_need_no_screen() -> None:
    code = "import sys, app.views.units; sys.exit('PySide6' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_difference_has_its_sign() -> None:
    shown = [units.change(value, "B") for value in (2048, -2048, 0, None)]
    assert shown == ["+2.00 KiB", "−2.00 KiB", "0 B", "–"]
    assert [units.change(value, "%") for value in (0.01, -0.01)] == ["<+0.1 pp", ">−0.1 pp"]
