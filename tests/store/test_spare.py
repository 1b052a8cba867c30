"""A worker that waits: taken once, replaced when it has died, ended with its owner."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.formats.events import Event, SectionReady
from app.formats.registry import Job, plan
from app.store import load, process
from app.store import spare as spare_module
from app.store.spare import Spare
from app.store.token import Token


@pytest.fixture
def spare() -> Iterator[Spare]:
    made = Spare()
    yield made
    made.close()


def bundled(root: Path) -> Job:
    (job,), _ = plan([root / "resources" / "samples" / "resnet_inference.popef"])
    return job


def test_a_job_is_read_by_the_worker_that_waits(root: Path, tmp_path: Path, spare: Spare) -> None:
    spare.prepare()
    (waiting,) = spare._idle
    spare.prepare()
    assert spare._idle == [waiting]
    events: list[Event] = []
    taken = []

    def take() -> object:
        taken.append(spare.take())
        return taken[0]

    load.run_worker(bundled(root), tmp_path, events.append, Token(), take)  # type: ignore[arg-type]
    assert taken == [waiting]
    assert any(isinstance(event, SectionReady) for event in events)


def test_without_one_that_waits_another_is_started(spare: Spare) -> None:
    first = spare.take()
    spare.prepare()
    (dead,) = spare._idle
    dead.kill()
    dead.wait()
    second = spare.take()
    assert second is not dead
    assert dead.stdout is not None
    assert dead.stdout.closed
    for worker in (first, second):
        assert worker.poll() is None
        worker.kill()
        process.end_worker(worker)


def another() -> str:
    return "another version"


def gone() -> str:
    raise FileNotFoundError("the program")


@pytest.mark.parametrize("stamp", [another, gone])
def test_one_of_code_that_was_replaced_is_not_given_away(
    stamp: Callable[[], str], spare: Spare, monkeypatch: pytest.MonkeyPatch
) -> None:
    spare.prepare()
    (old,) = spare._idle
    monkeypatch.setattr(spare_module, "code_stamp", stamp)
    new = spare.take()
    assert new is not old
    assert old.returncode is not None
    new.kill()
    process.end_worker(new)


def test_for_results_that_are_not_cached_the_code_is_not_compared(
    spare: Spare, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes milliseconds: of a folder with hundreds of small files, a second."""
    spare.prepare()
    (waiting,) = spare._idle
    monkeypatch.setattr(spare_module, "code_stamp", another)
    assert spare.take(cached=False) is waiting
    waiting.kill()
    process.end_worker(waiting)


def test_where_no_process_can_be_started_there_is_none(spare: Spare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "worker_command", lambda: ["/there/is/no/such/program"])
    spare.prepare()
    assert not spare._idle
    with pytest.raises(OSError, match="No such file"):
        spare.take()


def test_closed_it_prepares_no_more(spare: Spare) -> None:
    spare.prepare()
    (worker,) = spare._idle
    spare.close()
    assert worker.returncode is not None
    spare.prepare()
    assert not spare._idle


def test_a_worker_can_be_started_before_anything_large_is_imported(root: Path) -> None:
    script = (
        "import sys, app.store.spare; print({'numpy', 'app.formats.registry', 'app.profile.profile'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
