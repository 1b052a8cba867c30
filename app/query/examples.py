"""Examples of queries: each answers a question, and is offered for profiles that have its tables and columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from app.language import tr
from app.query.session import QueryTable


class Example(Struct, frozen=True):
    """``needs``: what it reads, as table.column."""

    title: str
    needs: tuple[str, ...]
    statement: str


EXAMPLES: Final = (
    Example(
        tr("Busiest compute sets"),
        ("compute_sets.run_cycles",),
        "select number, name, runs, run_cycles, thread_use\nfrom compute_sets\norder by run_cycles desc\nlimit 20",
    ),
    Example(
        tr("Compute sets by operation"),
        ("compute_sets.run_cycles",),
        "select regexp_extract(name, '[^/]+$') as operation, count(*) as compute_sets,\n"
        "    sum(run_cycles) as run_cycles,\n"
        "    sum(total_bytes) as total_bytes\n"
        "from compute_sets\n"
        "group by operation\n"
        "order by run_cycles desc",
    ),
    Example(
        tr("Compute sets with unbalanced tiles"),
        ("compute_sets.balance",),
        "select number, name, balance, tiles, max_cycles\nfrom compute_sets\nwhere balance < 0.9\norder by balance",
    ),
    Example(
        tr("Tiles with more than 90 % of their memory in use"),
        ("tiles.used_share",),
        "select tile, ipu, used, used_share\nfrom tiles\nwhere used_share > 90\norder by used desc",
    ),
    Example(
        tr("Memory by category: mean and fullest tile"),
        ("memory_by_category.max_tile", "tiles.tile"),
        "select category, total, max_tile, total / (select count(*) from tiles) as mean_bytes\n"
        "from memory_by_category\n"
        "order by total desc",
    ),
    Example(
        tr("Steps by type"),
        ("steps.cycles",),
        "select type, count(*) as steps, sum(cycles) as cycles, max(cycles) as longest\n"
        "from steps\n"
        "group by type\n"
        "order by cycles desc",
    ),
    Example(
        tr("Longest steps, with their programs"),
        ("steps.program", "programs.number"),
        "select s.step, s.type, s.cycles, p.name as program\n"
        "from steps s left join programs p on p.number = s.program\n"
        "order by s.cycles desc\n"
        "limit 20",
    ),
    Example(
        tr("Cycles over the run"),
        ("steps.from_",),
        "select step, from_, sum(cycles) over (order by step) as cycles_so_far\nfrom steps\norder by step",
    ),
    Example(
        tr("Exchanges by bytes"),
        ("exchanges.sent",),
        "select kind, number, name, sent, received, bandwidth\nfrom exchanges\norder by sent desc\nlimit 20",
    ),
    Example(
        tr("Longest slices"),
        ("slices.duration",),
        "select name, process, thread, start, duration, item\nfrom slices\norder by duration desc\nlimit 20",
    ),
    Example(
        tr("Slices longer than ten times the mean, by name"),
        ("slices.duration",),
        "select name, count(*) as slices, sum(duration) as total, max(duration) as longest\n"
        "from slices\n"
        "where duration > 10 * (select avg(duration) from slices)\n"
        "group by name\n"
        "order by total desc",
    ),
    Example(
        tr("Longest slice of each lane"),
        ("slices.duration",),
        "select process, thread, arg_max(name, duration) as name, max(duration) as longest,\n"
        "    arg_max(item, duration) as item\n"
        "from slices\n"
        "group by process, thread\n"
        "order by longest desc",
    ),
    Example(
        tr("Pipes of each core: busy time and share"),
        ("lanes.busy_share",),
        "select process, thread, slices, busy, busy_share, item\nfrom lanes\norder by process, busy desc",
    ),
    Example(
        tr("Longest gaps between slices of a lane"),
        ("slices.end_",),
        "select process, thread, name as after_the_gap, start, start - before as gap, item\n"
        "from (\n"
        "    select *, max(end_) over (partition by process, thread order by start\n"
        "        rows between unbounded preceding and 1 preceding) as before\n"
        "    from slices\n"
        ")\n"
        "where start > before\n"
        "order by gap desc\n"
        "limit 20",
    ),
    Example(
        tr("Waits between pipes: flows by their ends"),
        ("flows.delay",),
        "select from_slice, to_slice, count(*) as flows, avg(delay) as mean_delay,\n"
        "    max(delay) as longest_delay\n"
        "from flows\n"
        "group by from_slice, to_slice\n"
        "order by longest_delay desc",
    ),
    Example(
        tr("Counters: range and mean"),
        ("counter_values.value",),
        "select process, counter, series, min(value) as lowest, avg(value) as mean,\n"
        "    max(value) as highest\n"
        "from counter_values\n"
        "group by all\n"
        "order by highest desc",
    ),
    Example(
        tr("Pipes of each block"),
        ("workload.share",),
        "select block, sub_block, name, share, cycles\n"
        "from workload\n"
        "where share is not null\n"
        "order by block, share desc",
    ),
    Example(
        tr("Cores by cycles, compared with the mean"),
        ("core_load.cycles",),
        "select core, type, sub_core, cycles,\n"
        "    100 * cycles / avg(cycles) over (partition by type) as percent_of_mean, item\n"
        "from core_load\n"
        "order by cycles desc",
    ),
    Example(
        tr("Source lines with the most instructions"),
        ("source_lines.instructions",),
        "select file, line, text, instructions, item\n"
        "from source_lines\n"
        "where instructions > 0\n"
        "order by instructions desc\n"
        "limit 20",
    ),
    Example(
        tr("Instructions by pipe"),
        ("instructions.pipe",),
        "select pipe, count(*) as instructions, count(distinct line) as lines\n"
        "from instructions\n"
        "group by pipe\n"
        "order by instructions desc",
    ),
    Example(
        tr("Memory paths by their share of the peak"),
        ("memory_paths.peak",),
        "select block, name, from_, to_, bandwidth, peak, item\n"
        "from memory_paths\n"
        "where peak is not null\n"
        "order by peak desc\n"
        "limit 20",
    ),
    Example(
        tr("On-chip memory: largest blocks"),
        ("onchip_blocks.size",),
        "select * from onchip_blocks\norder by size desc\nlimit 20",
    ),
    Example(
        tr("Blobs by type"),
        ("blobs.size",),
        "select type, count(*) as blobs, sum(size) as size, max(size) as largest\n"
        "from blobs\n"
        "group by type\n"
        "order by size desc",
    ),
    Example(
        tr("Largest tensors in the file"),
        ("tensors.bytes",),
        "select name, type, shape, size, item\nfrom tensors\norder by size desc\nlimit 20",
    ),
    Example(
        tr("Inputs and outputs by type"),
        ("anchors.elements",),
        "select group_, type, count(*) as anchors, sum(size) as size, sum(elements) as elements\n"
        "from anchors\n"
        "group by all\n"
        "order by size desc",
    ),
    Example(
        tr("Anchors without data in the file"),
        ("anchors.handle", "tensors.name"),
        "select a.group_, a.name, a.type, a.shape, a.item\n"
        "from anchors a left join tensors t using (name)\n"
        "where t.item is null\n"
        "order by a.name",
    ),
    Example(
        tr("Programs and the number of anchors they use"),
        ("programs_map.anchors",),
        "select index, name, anchors\nfrom programs_map\norder by anchors desc",
    ),
    Example(
        tr("Host events by type"),
        ("events.duration", "events.module"),
        "select type, count(*) as events, sum(duration) as duration, sum(bytes) as bytes\n"
        "from events\n"
        "group by type\n"
        "order by events desc",
    ),
    Example(
        tr("Time to compile, by module"),
        ("modules.compile_time",),
        "select module, compilations, compile_time, executions\nfrom modules\norder by compile_time desc",
    ),
    Example(
        tr("Transferred tensors by bytes"),
        ("transfers.mean",),
        "select direction, name, transfers, bytes, mean\nfrom transfers\norder by bytes desc",
    ),
    Example(
        tr("Longest gaps between executions"),
        ("modules.longest_gap",),
        "select module, executions, median_gap, longest_gap\nfrom modules\norder by longest_gap desc",
    ),
    Example(
        tr("Transfers over time"),
        ("transferred_tensors.time",),
        "select time, direction, name, bytes, item\nfrom transferred_tensors\norder by time",
    ),
    Example(
        tr("Compared with the baseline: compute sets"),
        ("baseline.compute_sets.run_cycles", "compute_sets.run_cycles"),
        "select a.number, name, b.run_cycles as before, a.run_cycles as after,\n"
        "    a.run_cycles - b.run_cycles as difference\n"
        "from compute_sets a join baseline.compute_sets b using (name)\n"
        "order by abs(difference) desc\n"
        "limit 20",
    ),
    Example(
        tr("Compared with the baseline: slices by name"),
        ("baseline.slices.duration", "slices.duration"),
        "with before as (\n"
        "    select name, count(*) as slices, sum(duration) as total from baseline.slices group by name\n"
        "), after as (\n"
        "    select name, count(*) as slices, sum(duration) as total from slices group by name\n"
        ")\n"
        "select name, b.slices as slices_before, a.slices as slices_after, b.total as before,\n"
        "    a.total as after,\n"
        "    coalesce(a.total, 0) - coalesce(b.total, 0) as difference\n"
        "from after a full join before b using (name)\n"
        "order by abs(difference) desc\n"
        "limit 20",
    ),
    Example(
        tr("Issues"),
        ("issues.severity",),
        "select severity, count(*) as issues, min(text) as first\nfrom issues\ngroup by severity\norder by issues desc",
    ),
)


def examples(tables: Iterable[QueryTable]) -> list[Example]:
    """Those that can be run on these tables; what compares first."""
    known = {f"{table.name}.{column}" for table in tables for column, _ in table.columns}
    fitting = [example for example in EXAMPLES if known.issuperset(example.needs)]
    return sorted(fitting, key=lambda example: not example.needs[0].startswith("baseline."))
