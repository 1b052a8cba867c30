"""A tour is started from the palette or the menu and walked by keys: the panel of each step is in front."""

from __future__ import annotations

import pytest

from app.help.pages import page
from app.help.tours import TOURS, Step, Tour, steps
from app.panels.registry import PANELS
from desktop.program import BUTTONS, Program
from desktop.waiting import until
from journeys.conftest import Start

BY_HAND = ("tour-trace", "tour-capture")
"""One in which things are selected, and one without; tests of the window lead through all of them."""
TOURS_BY_TOPIC = {tour.topic: tour for tour in TOURS}
TITLES = {spec.id: spec.title for spec in PANELS}


def place_of(number: int, step: Step, count: int) -> str:
    return f"Step {number} of {count}: {step.heading}"


def with_keyboard(program: Program, name: str) -> None:
    """Waits until the button of that name has the keyboard."""

    def has_it() -> bool:
        return any("focused" in button.states for button in program.window().all(BUTTONS, name))

    until(has_it, f"the keyboard on {name}")


@pytest.mark.parametrize("tour", [TOURS_BY_TOPIC[topic] for topic in BY_HAND], ids=BY_HAND)
def test_enter_leads_through_a_tour_from_the_palette(start: Start, tour: Tour) -> None:
    program, own = start(), steps(page(tour.topic).text)
    program.command(tour.title)
    for number, step in enumerate(own, 1):
        program.find("label", place_of(number, step, len(own)))
        program.find("panel", TITLES[step.panel])  # a panel behind another one is not listed
        forward = "Next" if number < len(own) else "Finish"
        with_keyboard(program, forward)
        if step.action.startswith("select:"):
            program.hands.press("shift+Tab", *["shift+Tab"][: number - 1], "space")
            program.rest()
            with_keyboard(program, "Show me")
            program.find("panel", TITLES[step.panel])
            program.hands.press("Tab", *["Tab"][: number - 1])
            with_keyboard(program, forward)
        program.hands.press("Return")
    until(lambda: not program.has(BUTTONS, "End tour"), "the end of the tour")
    program.hands.press("ctrl+q")
    assert program.wait_ended() == 0


def test_the_menu_starts_a_tour_and_esc_ends_it(start: Start) -> None:
    program, own = start(), steps(page("tour-popef").text)
    program.menu("Help", "Tours", "Tour: a PopEF model")
    program.find("label", place_of(1, own[0], len(own)))
    with_keyboard(program, "Next")
    program.hands.press("Return")
    program.find("label", place_of(2, own[1], len(own)))
    program.hands.press("shift+Tab")
    with_keyboard(program, "Back")
    program.hands.press("Return")
    program.find("label", place_of(1, own[0], len(own)))
    with_keyboard(program, "Next")  # there is no step before
    program.hands.press("Escape")
    until(lambda: not program.has(BUTTONS, "End tour"), "the end of the tour")
    program.command("Tour: a PopEF model")
    program.find("label", place_of(1, own[0], len(own)))
    program.hands.press("ctrl+w")  # closes the profile
    until(lambda: program.has(BUTTONS, "Take the tour"), "the start page")
    assert not program.has(BUTTONS, "End tour")
