"""The sections of event logs and tensor maps come back from the column store as they went in."""

from __future__ import annotations

from pathlib import Path

from app.formats.tensorflow_events import FORMAT
from app.store.codec import write_section
from fakes.same import same
from generators import tensor_map
from generators import tensorflow_events as log
from generators.reading import profile_of


def test_events_timeline_and_tensor_map_survive_the_store(tmp_path: Path) -> None:
    maps = [tensor_map.tensor_map(tensor_map.network(2), generation) for generation in (1, 4)]
    steps = [log.run(name, tensor_map=text, graph="{}") for name, text in zip("mn", maps, strict=True)]
    profile = profile_of(FORMAT, log.log(steps))
    assert profile.filled() == ("timeline", "host_events", "tensor_map")
    for name in profile.filled():
        section = profile.section(name)
        assert section is not None
        path = tmp_path / name
        assert same(section, write_section(section, path).section(path.parent))
