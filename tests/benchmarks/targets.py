"""The bounds of the targets, in one place: ratios to the baseline of the same run unless they have a unit."""

from __future__ import annotations

from typing import Final

TRACE: Final = 0.60
"""T1, T14: a trace, with one worker, of `orjson.loads` alone with the cyclic collector off (as all baselines)."""
TRACE_TWO_CORES: Final = 0.38
"""T14: the same with a worker for each of two cores."""
WORKERS_MEMORY: Final = 0.7
"""T3: the peak memory of all workers together, of the file's size."""
WINDOW_MEMORY: Final = 0.4
"""T3: memory of the window's process beyond an empty one, of the file's size."""
GRAPH: Final = 0.5
"""T4: matrices, of `orjson.loads` and `np.array`."""
CBOR: Final = 0.5
"""T4: the same in CBOR, of `cbor2.loads` and `np.array`."""
PAIR: Final = 0.6
"""T4: graph and execution of one IPU."""
STEPS: Final = 0.6
"""T15: an execution of a million steps, of `orjson.loads`."""
INFO: Final = 0.8
REAL_INFO: Final = 0.6
"""T19: the processor time of `info` of any trace, and of a published one, without that of a small one, of
`orjson.loads`."""
START: Final = 3.0
FINDINGS: Final = 1.6
"""T20: `info` of a small file, of `import numpy`; and `findings` of it, of `info`."""
GZIP: Final = 1.3
"""T14: a compressed trace takes at most this multiple of the plain one, and gzip's own time."""
REOPENED_MS: Final = 10
REOPENED: Final = 1 / 50
"""T5: opening again, of the first time."""
CHECKED: Final = 0.05
"""What the checksums of cached columns, and the bounds of their indices, take of the first time."""
COMMAND_MS: Final = 250
"""T11: `--version`, and `info` of a small file."""
TURN_MS: Final = 50
"""T2: a turn of the window's event loop, and a frame, while files are opened, and after a click or a key."""
LOOKS_MS: Final = 300
"""T2: the same after another theme or size of texts."""
FIRST_MS: Final = 500
"""T18: something of a large file is painted."""
GROUPED: Final = 1.0
"""A million slices grouped by name by a query, of `np.unique` of numbers instead of texts."""
PAINTED: Final = 1.5
USABLE: Final = 3.0
"""T11: of a bare window."""
