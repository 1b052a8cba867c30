"""`help` prints the pages of the window as plain text."""

from __future__ import annotations

import pytest

from app.cli import main
from app.help.pages import topics


def printed(capfd: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["help", *words]) == 0
    return capfd.readouterr().out


def test_topics_are_listed_and_printed_by_name_and_title(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "76")
    listed = printed(capfd)
    assert [topic for topic in topics() if f"  {topic} " not in listed] == []
    page = printed(capfd, "tile_memory")
    assert page.startswith("Tile memory\n===========\n")
    assert "Used / bytes per tile." in page
    assert "](" not in page
    assert max(map(len, page.splitlines())) < 120
    assert printed(capfd, "memory-by-category") == page  # the table is explained there
    assert printed(capfd, "query").startswith("Query\n=====\n")
    assert printed(capfd, "export").startswith("tilesight export\n")
    assert printed(capfd, "Tile memory") == printed(capfd, "tile-memory") == page


def test_an_unknown_topic_gets_the_nearest_ones(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "timelin"]) == 2
    error = capfd.readouterr().err
    assert "timelin" in error
    assert "timeline" in error.partition(";")[2]
    assert error.count("\n") == 1
    assert main(["help", "€€€€"]) == 2
    assert "tilesight help" in capfd.readouterr().err
