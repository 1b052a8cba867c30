"""What got slower or larger? Compares two profiles and prints the steps or slices that changed most, then the findings
of the newer one. Exit status 1 if it runs more than 2 % longer.

    python regressions.py BEFORE AFTER
"""

import sys

import tilesight

LENGTHS = ("execution.cycles", "operator.duration_s", "timeline.span")

with tilesight.open(sys.argv[1]) as before, tilesight.open(sys.argv[2]) as after:
    comparison = tilesight.compare(before, after)
    lengths = [figure for figure in comparison.figures if figure.name in LENGTHS and figure.percent is not None]
    for figure in lengths:
        print(f"{figure.name}: {figure.before:,} -> {figure.after:,} {figure.unit} ({figure.percent:+.1f} %)")
    slices = comparison.table("slice-statistics", changed_only=True)
    for row in list(slices.rows())[:10]:
        print(f"  {row['name']}: {row['total_difference']:+g} {slices.units['total_difference']}")
    for finding in after.findings():
        print(f"{finding.severity}: {finding.title}")
    sys.exit(any(figure.percent > 2 for figure in lengths))
