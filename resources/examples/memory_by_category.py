"""What takes the memory of a Poplar graph? Writes the table as CSV and the picture of all tiles as SVG.

python memory_by_category.py REPORT_FOLDER OUTPUT_FOLDER
"""

import sys
from pathlib import Path

import tilesight

output = Path(sys.argv[2])
output.mkdir(parents=True, exist_ok=True)
with tilesight.open(sys.argv[1]) as profile:
    table = profile.table("memory-by-category")
    total = table["total"]
    for row in total.argsort()[::-1][:5]:
        print(f"{table['category'][row]:24} {total[row] / 2**20:10.2f} MiB  {100 * total[row] / total.sum():5.1f} %")
    table.save(output / "memory.csv")
    profile.plot("tile-memory").save(output / "memory.svg")
