"""Profiles of every kind: against themselves nothing differs, and against each other everything adds up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import permutations
from pathlib import Path

import pytest

from app.analysis.compare import noise
from app.analysis.compare.as_table import as_table
from app.analysis.compare.compared import ComparedTable
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.plans import PLANS, plan_of
from app.analysis.compare.ranking import ranking
from app.analysis.export import export
from app.analysis.subset import subset
from app.analysis.tables import TABLES, available
from app.cli.reading import opened
from app.formats.tensor_map import FORMAT as MAP
from app.formats.tensorflow_events import FORMAT as EVENTS
from app.profile.profile import Profile
from generators import ascend_report, poplar, poplar_beside, tensor_map, tensorflow_events
from generators.memory_plan import plan as memory_plan
from generators.reading import profile_of
from generators.tensor_map import network
from generators.trees import write_json

BUNDLED = ("resnet-1472-tiles", "matmul_leakyrelu.bin", "resnet_inference.popef")


def read(path: Path, stack: ExitStack) -> list[Profile]:
    return stack.enter_context(opened([path])).profiles


@pytest.fixture(scope="module")
def profiles(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Profile]]:
    folder = tmp_path_factory.mktemp("every")
    scale = poplar.Scale(mode="VERTICES", compute_sets=3, tiles_per_ipu=4, loops=2)
    (folder / "poplar").mkdir()
    poplar.write_pair(folder / "poplar", scale)
    poplar_beside.write_all(folder / "poplar", database=False)
    report = ascend_report.write(folder / "OPPROF_1_A", ascend_report.device_files())
    with ExitStack() as stack:
        made = [profile for name in BUNDLED for profile in read(root / "resources" / "samples" / name, stack)]
        made += read(folder / "poplar", stack) + read(report, stack)
        made += [profile_of(EVENTS, tensorflow_events.run(), "events.out.tfevents.1")]
        yield made
