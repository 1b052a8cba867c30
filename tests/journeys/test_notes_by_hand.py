"""Notes are never lost: by a crash, a second window, a full disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.json import decode

from desktop.program import BUTTONS, Program
from desktop.waiting import until
from journeys.conftest import Start

SAMPLE = "matmul_leakyrelu.bin"


def saved(home: Path) -> list[str]:
    """The notes on the disk."""
    documents = [decode(path.read_bytes()) for path in home.glob("data/tilesight/files/*.json")]
    return [note["text"] for document in documents for note in document["notes"]]


def write_note(program: Program, text: str) -> None:
    """Types a note at the pointer, without Enter."""
    program.hands.click(program.find("filler", "Timeline").middle)
    program.hands.press("k")
    program.type_into_field(text, program.window())


def test_a_crash_does_not_lose_what_was_typed(start: Start, samples: Path, home: Path) -> None:
    program = start(samples / SAMPLE)
    write_note(program, "bank conflict")
    until(lambda: saved(home) == ["bank conflict"], "the note is on the disk while its name is still edited")
    program.kill()

    again = start(samples / SAMPLE)
    again.find("filler", "Timeline")
    again.hands.press("slash")
    again.hands.type("bank")
    until(lambda: any("bank conflict" in cell.name for tree in again.tree.all("tree") for cell in tree.children), "it")


def test_escape_restores_the_name_that_was_typed_over(start: Start, samples: Path, home: Path) -> None:
    program = start(samples / SAMPLE)
    write_note(program, "first wave")
    program.hands.press("Return")
    until(lambda: saved(home) == ["first wave"], "the note")
    program.hands.press("F2")
    program.type_into_field("second", program.window())
    until(lambda: saved(home) == ["second"], "what is typed so far")
    program.hands.press("Escape")
    until(lambda: saved(home) == ["first wave"], "the former name")


def test_two_windows_on_one_file_keep_the_notes_of_both(start: Start, samples: Path, home: Path) -> None:
    first = start(samples / SAMPLE)
    write_note(first, "common")
    first.hands.press("Return")
    until(lambda: saved(home) == ["common"], "the first note")
    second = start(samples / SAMPLE)  # in front of the first
    write_note(second, "of the second")
    second.hands.press("Return")
    until(lambda: saved(home) == ["common", "of the second"], "the note of the second window")
    second.hands.press("ctrl+q")
    assert second.wait_ended() == 0
    first.rest()
    write_note(first, "of the first")
    first.hands.press("Return")
    until(lambda: sorted(saved(home)) == ["common", "of the first", "of the second"], "the notes of both")
    first.hands.press("ctrl+q")
    assert first.wait_ended() == 0
    assert sorted(saved(home)) == ["common", "of the first", "of the second"]


@contextmanager
def full_disk(program: Program) -> Iterator[None]:
    """The system refuses to write more than a few bytes into any file of the program."""
    import resource  # not on Windows, where journeys are skipped

    before = resource.prlimit(program.process_id, resource.RLIMIT_FSIZE)
    resource.prlimit(program.process_id, resource.RLIMIT_FSIZE, (20, before[1]))
    try:
        yield
    finally:
        resource.prlimit(program.process_id, resource.RLIMIT_FSIZE, before)


def test_a_full_disk_is_told_until_there_is_room(start: Start, samples: Path, home: Path) -> None:
    program = start(samples / SAMPLE)
    with full_disk(program):
        write_note(program, "long run")
        program.hands.press("Return")
        badge = program.find(BUTTONS, "Not saved: notes of 1 file")
        program.find("text", lambda name: name == "Notices")
        program.click(BUTTONS, "Dismiss")
        assert badge.name
        program.hands.press("ctrl+q")
        program.window("Notes are not saved")
        program.hands.press("Escape")
        program.gone("Notes are not saved")
        program.hands.press("ctrl+q")
        program.window("Notes are not saved")
    program.hands.press("Return")  # Try again
    assert program.wait_ended() == 0
    assert saved(home) == ["long run"]


def test_with_room_again_notes_are_saved_without_a_hand(start: Start, samples: Path, home: Path) -> None:
    program = start(samples / SAMPLE)
    with full_disk(program):
        write_note(program, "long run")
        program.hands.press("Return")
        program.find(BUTTONS, "Not saved: notes of 1 file")
        assert saved(home) == []
    until(lambda: saved(home) == ["long run"], "the note")
    until(lambda: not program.has(BUTTONS, "Not saved: notes of 1 file"), "the badge is gone")
