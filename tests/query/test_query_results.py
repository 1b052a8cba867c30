"""Results are those of plain numpy, with the units of the tables; wrong statements say what is wrong, and where."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.analysis.export import export
from app.analysis.table import Coded, Column, Table
from app.analysis.tables import TABLES
from app.formats.ascend_bin import FORMAT as ASCEND
from app.formats.collect import read
from app.formats.popef import FORMAT as POPEF
from app.formats.poplar import FORMAT as POPLAR
from app.profile.profile import Profile
from app.profile.strings import Strings
from app.query import data
from app.query.data import data_of
from app.query.errors import QueryError
from app.query.names import RESERVED, NamedTable, sql_name, table_named, tables_of, unique_names
from app.query.session import Session, sources_of
from generators import tensorflow_events
from generators.timelines import any_timeline

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"


@pytest.fixture(scope="module")
def poplar() -> Profile:
    folder = SAMPLES / "resnet-1472-tiles"
    (profile,) = read(POPLAR, [folder / "graph.json", folder / "execution.json"])
    return profile


@pytest.fixture(scope="module")
def ascend() -> Profile:
    (profile,) = read(ASCEND, [SAMPLES / "matmul_leakyrelu.bin"])
    return profile
