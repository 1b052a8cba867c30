"""The PopEF sections come back from the column store as they went in."""

from __future__ import annotations

from pathlib import Path

from app.formats import popef as format_
from app.formats.collect import Collector
from app.profile.profile import Section
from app.store.codec import write_section
from fakes.same import same
from generators import popef, popef_network
from generators.memory_source import MemorySource


def stored(section: Section, path: Path) -> Section:
    return write_section(section, path).section(path.parent)


def test_blobs_and_model_survive_the_store(tmp_path: Path) -> None:
    for number, content in enumerate((popef_network.blobs(), [popef.header(9, 48)])):
        sink = Collector("popef")
        format_.FORMAT.read([MemorySource(b"".join(content))], sink)
        (profile,) = sink.profiles
        for name in ("blobs", "model"):
            section = profile.section(name)
            assert section is not None
            assert same(section, stored(section, tmp_path / f"{name}{number}"))
