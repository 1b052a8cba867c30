"""Which block of an Ascend operator is the slowest, and by how much?

python slowest_block.py OPPROF_20260821101500
"""

import sys

import numpy as np
import tilesight

with tilesight.open(sys.argv[1]) as profile:
    blocks = profile.table("block-details")
    durations = [name for name in blocks if name.endswith("duration")]
    longest = np.fmax.reduce([blocks[name] for name in durations])  # a column without data is NaN
    slowest = int(np.nanargmax(longest))
    print(f"{profile.name}: block {slowest} runs for {1e6 * longest[slowest]:.2f} µs,")
    print(f"{100 * (longest[slowest] / np.nanmean(longest) - 1):.1f} % longer than the mean of {len(blocks)} blocks")
