"""What assistive tools are told of the panels: names, sizes and headers of tables, rows that are selected, labels."""

from __future__ import annotations

from pathlib import Path

from desktop.program import FIELDS, Program
from desktop.waiting import until
from journeys.conftest import Start


def keyboard_in(program: Program, roles: tuple[str, ...], name: str) -> None:
    """Waits until a control with one of the roles and the name has the keyboard."""
    until(
        lambda: any("focused" in node.states for node in program.window().all(roles, name)),
        f"the keyboard in {name}",
    )


def test_the_front_panel_has_the_keyboard_and_a_name(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    keyboard_in(program, ("filler",), "Timeline")
    program.open(samples / "resnet_inference.popef")
    program.window("resnet_inference")
    keyboard_in(program, ("filler",), "File layout")
    arrow_keys_say_what_they_are_at(program)


def arrow_keys_say_what_they_are_at(program: Program) -> None:
    """On the strip of blobs: its cursor is announced, Enter selects, and what is selected is shown in Details."""
    strip = program.window().find(("filler",), "File layout")
    program.hands.press("Right")
    first = until(lambda: said if "at byte" in (said := strip.again().description) else "", "the first blob")
    program.hands.press("Right", "Right")
    third = until(lambda: said if (said := strip.again().description) != first else "", "another blob")
    program.hands.press("Home")
    until(lambda: strip.again().description == first, "the first blob again")
    program.hands.press("End", "Return")
    last = until(lambda: said if (said := strip.again().description).startswith("Selected: ") else "", "selected")
    assert third not in last


def test_tables_tell_their_size_their_headers_and_the_selected_row(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    program.show_panel("File blocks")
    table = program.find("table", "Blocks of the file")
    assert table.rows == 17
    assert table.columns > 2
    headers = [table.header(column) for column in range(table.columns)]
    assert all(headers)
    assert len(set(headers)) == len(headers)
    program.hands.click(table.cell(2, 0).middle)
    until(lambda: table.selected_rows == [2], "the row is selected")
    assert "selected" in table.cell(2, 0).states
    program.hands.press("Down")
    until(lambda: table.selected_rows == [3], "the next row")
    keyboard_in(program, ("table",), "Blocks of the file")
    help_of_the_panel(program)


def help_of_the_panel(program: Program) -> None:
    """F1 opens its page; a search lists pages in place of all, the first of which is opened; a link leads to another
    page; Esc ends the search, then the help."""
    program.hands.press("F1")
    program.window("File blocks – Help")
    program.hands.press("ctrl+f")
    program.hands.type("nearest roof")
    until(lambda: program.find("list", "Pages with matches").children, "pages with hits")
    program.hands.press("Down", "Home", "End")
    first = ("File blocks", "Tour: ")  # the page before, and the first hit, which the last one follows
    until(lambda: not program.window(lambda name: "– Help" in name).name.startswith(first), "the last page with hits")
    program.hands.press("ctrl+f", "Escape")
    until(lambda: program.has(("tree", "tree table"), "Pages"), "the list of all pages")
    before = program.window(lambda name: "– Help" in name).name
    program.hands.press("Tab", "Return")
    until(lambda: program.window(lambda name: "– Help" in name).name != before, "the page of a link")
    program.hands.press("Escape")
    program.gone("File blocks – Help")
    keyboard_in(program, ("table",), "Blocks of the file")


def test_choices_and_fields_are_known_by_their_labels(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    labels: dict[str, str] = {}
    for panel in ("Source", "Memory paths", "Memory accesses", "Workload", "Core load", "Cache"):
        program.show_panel(panel)
        for box in program.window().all("combo box"):
            assert len(box.labels) == 1, f"{panel}: {box.name} has the labels {box.labels}"
            labels[box.labels[0]] = box.name
    assert len(labels) > 6
    assert not [field for field in program.window().all(FIELDS) if not field.name]
