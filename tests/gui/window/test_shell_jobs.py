"""Progress of every load, ways to stop it, ranges as chips, failures that interrupt nobody."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.document.file_watcher import FileChanges
from app.document.loader import Failure, JobState
from app.profile.selection import Ranges, TileRange, TimeRange
from app.views.look import Look
from app.window.file_notices import ChangedFiles
from app.window.footer import amount_text, short, tiles_text, time_text
from app.window.main_window import MainWindow
from app.window.notices import Notice
from fakes.shell import ascend, loader_of, timeline

MB = 1_000_000


def job(number: int, done: int = 0, total: int = 0, phase: str = "", state: str = "reading") -> JobState:
    return JobState(number, f"trace{number}.json", (Path(f"/data/trace{number}.json"),), state, done, total, phase)  # type: ignore[arg-type]


def test_one_job_stands_in_the_status_bar_with_a_way_to_stop_it(window: MainWindow) -> None:
    loader_of(window).tell(job(3, 132 * MB, 266 * MB, "slices"))
    (row,) = window.footer.jobs.rows
    assert row.title.text() == "trace3.json · slices"
    assert row.amount.text() == "126 of 254 MiB"
    assert row.bar.value() == 496
    window.choose(bytes_as="kB")
    loader_of(window).tell(job(3, 133 * MB, 266 * MB, "slices"))
    assert row.amount.text() == "133 of 266 MB"
    QTest.mouseClick(row.cancel, Qt.MouseButton.LeftButton)
    assert loader_of(window).cancelled == [3]
    loader_of(window).tell()
    assert window.footer.jobs.rows == []


def test_several_jobs_each_have_a_row(window: MainWindow) -> None:
    window.footer.jobs.panel.setGeometry(0, 0, 100, 30)  # where Qt has it while the window has not been resized
    loader_of(window).tell(job(1, 1, 2), job(2), job(3, state="queued"), job(4, state="done"))
    rows = window.footer.jobs.rows
    assert [row.title.text().split(" · ")[1] for row in rows] == ["reading", "reading", "waiting"]
    assert window.footer.jobs.summary.text() == "3 files are being read"
    panel = window.footer.jobs.panel
    assert panel.isVisible()
    assert window.rect().contains(panel.geometry())
    for smaller in (0, 100):
        window.resize(window.size() - QSize(smaller, smaller))
        assert 0 < window.footer.geometry().top() - panel.geometry().bottom() < 20
        assert 0 < window.rect().right() - panel.geometry().right() < 20
    QTest.mouseClick(rows[1].cancel, Qt.MouseButton.LeftButton)
    assert loader_of(window).cancelled == [2]
    window.actions_.commands["file.cancel"].run(window)
    assert loader_of(window).cancelled == [2, 1, 2, 3]
    loader_of(window).tell(job(1, 2, 2))
    assert not panel.isVisible()


def test_the_list_of_jobs_grows_with_its_texts(window: MainWindow) -> None:
    loader_of(window).tell(job(1), job(2))
    loader_of(window).tell(job(1, 132 * MB, 266 * MB, "reading the longest of all phases"), job(2, 9 * MB, 72 * MB))
    panel, (row, _) = window.footer.jobs.panel, window.footer.jobs.rows
    assert panel.width() >= row.title.sizeHint().width() + row.amount.sizeHint().width() + row.bar.width()


def test_unknown_size_is_no_percentage(window: MainWindow) -> None:
    loader_of(window).tell(job(1))
    row = window.footer.jobs.rows[0]
    assert (row.amount.text(), row.bar.maximum()) == ("", 0)
    assert amount_text(job(1, 5, 0), Look()) == ""
    assert short("x" * 300).count("x") < 45


def test_ranges_are_chips_that_take_themselves_away(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    chips = window.footer.chips
    height = window.footer.height()
    assert not chips.time.isVisible()
    window.document.ranges.set(Ranges(TimeRange(12.3, 45.6), TileRange(tuple(range(64)))))
    qtbot.waitUntil(chips.tiles.isVisible)
    assert chips.time.text() == "range 12.3 – 45.6 µs  ✕"
    assert chips.tiles.text() == "tiles 0–63  ✕"
    assert window.footer.height() == height  # panels stay where they are
    QTest.mouseClick(chips.time, Qt.MouseButton.LeftButton)
    assert window.document.ranges.value == Ranges(None, TileRange(tuple(range(64))))
    QTest.mouseClick(chips.tiles, Qt.MouseButton.LeftButton)
    assert window.document.ranges.value == Ranges()
    assert not chips.isAncestorOf(chips.tiles) or not chips.tiles.isVisible()


def test_chip_texts() -> None:
    assert tiles_text((17,)) == "tile 17"
    assert tiles_text((0, 1, 2, 8, 12, 13)) == "tiles 0–2, 8, 12–13"
    assert tiles_text(tuple(range(0, 40, 2))) == "tiles 0, 2, 4 … (20 tiles)"
    assert time_text(TimeRange(1000.0, 1000.5), timeline(), Look()) == "1,000.000 – 1,000.500 µs"
    assert time_text(TimeRange(100, 2500), None, Look()) == "100 – 2,500 cycles"


def test_messages_are_seen_in_the_status_bar(window: MainWindow) -> None:
    empty = window.footer.grab().toImage()
    window.footer.showMessage("Link copied")
    assert window.footer.grab().toImage() != empty


def test_failures_are_lines_to_copy_and_to_put_away(window: MainWindow, qtbot: QtBot) -> None:
    notices = window.notices
    assert notices.isHidden()
    loader_of(window).fail("/data/a.bin", "the file is empty")
    loader_of(window).fail("/data/b.json", "not a known profile format")
    loader_of(window).fail("/data/a.bin", "the file is empty")
    assert not notices.isHidden()
    qtbot.waitUntil(lambda: notices.heading.text() == "2 files could not be opened")
    assert notices.text.splitlines() == ["/data/b.json: not a known profile format", "/data/a.bin: the file is empty"]
    QTest.mouseClick(notices.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == notices.text
    QTest.mouseClick(notices.dismiss_button, Qt.MouseButton.LeftButton)
    assert notices.isHidden()
    assert notices.text == ""
    notices.add(Notice("info", "settings start anew"))
    assert notices.heading.text() == "Notice"
    notices.add_failure(Failure((Path("/data/c.json"),), "the file ends here", shown=True))
    qtbot.waitUntil(lambda: notices.heading.text() == "1 file could not be read in full · 1 notice")


def test_many_failures_leave_room_for_the_work(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    for number in range(300):
        loader_of(window).fail(f"/data/{number}.json", "not a known profile format")
    qtbot.waitUntil(lambda: 0 < window.notices.height() < 160)
    assert len(window.notices.text.splitlines()) == 200


def test_closing_the_window_while_it_reads_stops_the_loader(window: MainWindow) -> None:
    window.document.add(ascend(), 1)
    loader_of(window).tell(job(1, 1, 2))
    window.close()
    assert loader_of(window).closed == 1


def test_the_first_file_is_named_while_nothing_of_it_is_there(window: MainWindow) -> None:
    loader = loader_of(window)
    window.open([Path("/data/trace.json")])
    assert loader.asked == [(Path("/data/trace.json"),)]
    assert window.central.reading_shown
    loader.fail("/data/trace.json", "no such file")
    loader.idle.emit()
    assert window.start_shown
    window.open([])
    assert window.start_shown


def test_a_file_that_failed_can_be_tried_again(window: MainWindow, qtbot: QtBot) -> None:
    loader = loader_of(window)
    loader.fail("/data/a.bin", "the file is empty")
    loader.fail("/data/b.bin", "the file is empty")
    assert list(window.notices.steps) == ["Try again"]
    QTest.mouseClick(window.notices.steps["Try again"], Qt.MouseButton.LeftButton)
    assert loader.asked == [(Path("/data/a.bin"),), (Path("/data/b.bin"),)]
    assert window.notices.isHidden()


def test_a_changed_file_offers_to_reload(window: MainWindow) -> None:
    window.document.finish(window.document.add(ascend(), 1))
    changed = ChangedFiles(window)
    changed.watcher.changed.emit(
        FileChanges(1, ((Path("/data/a.bin"), "has grown"), (Path("/data/b.bin"), "has grown")))
    )
    QTest.mouseClick(window.notices.steps["Reload"], Qt.MouseButton.LeftButton)
    assert loader_of(window).reloaded == [1]
    changed.watcher.changed.emit(FileChanges(1, ((Path("/data/a.bin"), "no longer exists"),)))
    assert window.notices.steps == {}


def test_the_heading_says_what_went_wrong(window: MainWindow, qtbot: QtBot) -> None:
    window.notices.add(Notice("error", "/data/x.csv: cannot be written: no", "write"))
    assert window.notices.heading.text() == "1 file could not be written"
    loader_of(window).fail("/data/a.bin", "the file is empty")
    qtbot.waitUntil(lambda: window.notices.heading.text() == "2 problems")
