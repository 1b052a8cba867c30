"""Decoded messages as records, between the library's readers and the columns."""

from __future__ import annotations

from array import array
from typing import NamedTuple


class TensorInfo(NamedTuple):
    """``shape``: 64-bit numbers, outermost first."""

    data_type: int
    shape: array[int]


class Executable(NamedTuple):
    name: str
    uncompressed_size: int


class Opaque(NamedTuple):
    name: str
    executable: str


class Data(NamedTuple):
    """A tensor (``tensors`` 1) or a feed."""

    name: str
    tensor: TensorInfo
    tensors: int


class Option(NamedTuple):
    """``device``: true for a device option, false for an engine option."""

    device: bool
    name: str
    value: str


class Program(NamedTuple):
    number: int
    name: str


class Anchor(NamedTuple):
    name: str
    handle: str
    programs: array[int]
    tensor: TensorInfo
    type: int
    per_replica: bool
    remote_buffer: bool
    repeats: int


class Metadata(NamedTuple):
    """The fields of a METADATA blob other than its lists of anchors, options and program names."""

    replication_factor: int
    ipus: int
    processes: int
    ipu_version: int
    device_iterations: int
    pod: bool
    inference: bool
    seed_handle: str
    executable: str
    load: array[int]
    main: array[int]
    save: array[int]
