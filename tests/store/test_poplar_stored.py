"""The Poplar sections come back from the column store as they went in."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.store.codec import write_section
from fakes.same import same
from generators import poplar


@pytest.mark.parametrize("mode", ["IPU_MODEL", "COMPUTE_SETS", "VERTICES", "NONE"])
def test_sections_survive_the_store(tmp_path: Path, mode: str) -> None:
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path, poplar.Scale(mode=mode, named_liveness=True)))
    for name in profile.filled():
        section = profile.section(name)
        assert section is not None
        path = tmp_path / name
        assert same(section, write_section(section, path).section(path.parent)), name
