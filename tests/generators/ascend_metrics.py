"""Metric tables as the profilers of Ascend operators write them (Ascend operator reports, section 2.2)."""

from __future__ import annotations

import random
from typing import Literal, TypeAlias

Chip: TypeAlias = Literal["a2", "mix", "cube", "a5", "310p"]
CHIPS: tuple[Chip, ...] = ("a2", "mix", "cube", "a5", "310p")
MHZ = 1650
DURATION = 12.345678
GB = float(1 << 30)
_VECTOR_PIPES, _CUBE_PIPES = ("vec", "mte2", "mte3", "scalar"), ("cube", "mte1", "mte2", "fixpipe", "scalar")


class Metrics:
    """The tables of one run. ``rows``: (block, sub-block); ``cycles``, ``busy``: of each row, and of its pipes."""

    def __init__(
        self,
        chip: Chip,
        seed: int = 0,
        blocks: int = 4,
        *,
        name: str = "made_up",
        duration: float = DURATION,
        cycles: tuple[int, int] = (8_000, 16_000),
    ) -> None:
        """``cycles``: the range of those of a row."""
        self.chip = chip
        self.name = name
        self.duration = duration
        self.dimension = blocks
        self.kind = {"a2": "vector", "a5": "vector", "cube": "cube", "mix": "mix", "310p": "AiCore"}[chip]
        subs = {"mix": ("cube0", "vector0", "vector1"), "cube": ("cube0",), "310p": ("",)}.get(chip, ("vector0",))
        blocks = 1 if chip == "310p" else blocks
        self.rows = [(str(block), sub) for block in range(blocks) for sub in subs]
        randomly = random.Random(seed)
        self.cycles = [randomly.randrange(*cycles) for _ in self.rows]
        self.busy = [
            {pipe: randomly.randrange(100, own // 2) for pipe in self.pipes(sub)}
            for (_, sub), own in zip(self.rows, self.cycles, strict=True)
        ]
        self.moved = [{"in": randomly.randrange(1, 64), "out": randomly.randrange(1, 64)} for _ in self.rows]
        self.hits = [(randomly.randrange(50), randomly.randrange(1, 50)) for _ in self.rows]

    def pipes(self, sub: str) -> tuple[str, ...]:
        return _VECTOR_PIPES if sub.startswith("vector") else _CUBE_PIPES

    def files(self, *, comma: bool = True) -> dict[str, bytes]:
        """The files by name. ``comma``: at the end of each line, as msopprof writes."""
        made = {
            "PipeUtilization.csv": self._table(self._pipes_of),
            "Memory.csv": self._table(self._memory_of),
            "MemoryL0.csv": self._table(self._l0_of),
            "MemoryUB.csv": self._table(self._ub_of),
            "L2Cache.csv": self._table(self._cache_of),
            "ArithmeticUtilization.csv": self._table(self._arithmetic_of),
            "ResourceConflictRatio.csv": self._table(self._conflicts_of),
            "OpBasicInfo.csv": self._info(),
        }
        end = ",\n" if comma else "\n"
        return {name: "".join(",".join(row) + end for row in rows).encode() for name, rows in made.items()}

    def time(self, row: int) -> float:
        """µs of a row, with the digits of the file."""
        return round(self.cycles[row] / MHZ, 6)

    def _table(self, cells_of: object) -> list[list[str]]:
        assert callable(cells_of)
        made = [cells_of(row) for row in range(len(self.rows))]
        sides = ["aic"] if self.chip == "310p" else ["aic", "aiv"]
        names = {
            side: list(dict.fromkeys(name for cells in made for name in cells if name[0] == side)) for side in sides
        }
        plain = list(dict.fromkeys(name for cells in made for name in cells if not name[0]))
        header = [] if self.chip == "310p" else ["block_id", "sub_block_id"]
        for side in sides:
            header += [f"{side}_time(us)", f"{side}_total_cycles", *(f"{side}_{name}" for _, name in names[side])]
        header += [name for _, name in plain]
        rows = [header]
        for row, cells in enumerate(made):
            block, sub = self.rows[row]
            line = [] if self.chip == "310p" else [block, sub]
            for side in sides:
                own = side == self.side(row)
                line += [f"{self.time(row):.6f}", str(self.cycles[row])] if own else ["NA", "NA"]
                line += [cells.get(name, "NA") if own else "NA" for name in names[side]]
            rows.append([*line, *(cells.get(name, "NA") for name in plain)])
        return rows

    def side(self, row: int) -> str:
        return "aiv" if self.rows[row][1].startswith("vector") else "aic"

    def _divisor(self, row: int) -> float:
        """In a mix, ratios are fractions of the operator's duration in whole microseconds."""
        return float(int(self.duration)) * MHZ if self.chip == "mix" else float(self.cycles[row])

    def _ratio(self, row: int, cycles: float) -> str:
        return f"{cycles / self._divisor(row):.6f}"

    def _span(self, row: int) -> float:
        return (self.duration if self.chip == "mix" else self.time(row)) * 1e-6

    def _rate(self, row: int, kilobytes: float) -> str:
        return f"{kilobytes * 1024 / self._span(row) / GB:.6f}"

    def _pipes_of(self, row: int) -> dict[tuple[str, str], str]:
        side, cells = self.side(row), {}
        for pipe, cycles in self.busy[row].items():
            cells[side, f"{pipe}_time(us)"] = f"{cycles / MHZ:.6f}"
            cells[side, f"{pipe}_ratio"] = self._ratio(row, cycles)
        cells[side, "icache_miss_rate"] = "0.012500"
        if self.chip in ("a2", "mix", "cube"):
            cells[side, "scalar_wait_ib_time(us)"] = "0.008485"
        return cells

    def _memory_of(self, row: int) -> dict[tuple[str, str], str]:
        side, moved = self.side(row), self.moved[row]
        cells = {
            (side, "main_mem_read_bw(GB/s)"): self._rate(row, moved["in"]),
            (side, "main_mem_write_bw(GB/s)"): self._rate(row, moved["out"]),
            (side, "mte2_instructions"): "3",
            (side, "mte2_ratio"): self._ratio(row, self.busy[row]["mte2"]),
            ("", "read_main_memory_datas(KB)"): f"{moved['in']:.6f}",
            ("", "write_main_memory_datas(KB)"): f"{moved['out']:.6f}",
        }
        if side == "aiv":
            cells["aiv", "ub_to_gm_bw(GB/s)"] = self._rate(row, moved["out"])
            cells["aiv", "gm_to_ub_bw(GB/s)"] = self._rate(row, moved["in"])
            cells["", "GM_to_UB_datas(KB)"] = f"{moved['in']:.6f}"
            cells["", "GM_to_UB_bw_usage_rate(%)"] = "7.500000"
        else:
            cells["", "GM_to_L1_datas(KB)"] = f"{moved['in']:.6f}"
            cells["", "GM_to_L1_bw_usage_rate(%)"] = "12.500000"
            cells["", "L1_to_GM_datas(KB)(estimate)"] = "1.000000"
            cells["", "L0C_to_GM_datas(KB)"] = f"{moved['out']:.6f}"
        return cells

    def _l0_of(self, row: int) -> dict[tuple[str, str], str]:
        if self.side(row) == "aiv":
            return {}
        names = ("l0a_read_bw", "l0a_write_bw", "l0b_read_bw", "l0b_write_bw", "l0c_read_bw_cube", "l0c_write_bw_cube")
        return {("aic", f"{name}(GB/s)"): f"{place + 1}.500000" for place, name in enumerate(names)}

    def _ub_of(self, row: int) -> dict[tuple[str, str], str]:
        if self.side(row) == "aic":
            return {}
        return {
            ("aiv", "ub_read_bw_vector(GB/s)"): self._rate(row, self.moved[row]["in"]),
            ("aiv", "ub_write_bw_vector(GB/s)"): self._rate(row, self.moved[row]["out"]),
        }

    def _cache_of(self, row: int) -> dict[tuple[str, str], str]:
        side, (hit, miss) = self.side(row), self.hits[row]
        rate = 100 * hit / (hit + miss)
        if self.chip == "310p":
            return {("aic", "hit_rate(%)"): f"{rate:.6f}"}
        if self.chip == "a5":
            return {
                (side, "read_close_hit"): str(hit),
                (side, "read_far_miss"): str(miss),
                (side, "read_far_victim"): "2",
                (side, "read_hit_rate(%)"): f"{100 * hit / (hit + miss + 2):.6f}",
            }
        return {
            (side, "write_cache_hit"): "0",
            (side, "write_cache_miss_allocate"): "0",
            (side, "r0_read_cache_hit"): str(hit),
            (side, "r0_read_cache_miss_allocate"): str(miss),
            (side, "total_hit_rate(%)"): f"{rate:.6f}",
        }

    def _arithmetic_of(self, row: int) -> dict[tuple[str, str], str]:
        side, busy = self.side(row), self.busy[row]
        unit = "vec" if side == "aiv" else "cube"
        part = "vec_vf" if self.chip == "a5" else f"{unit}_fp16"
        cells = {
            (side, f"{unit}_ratio"): self._ratio(row, busy[unit]),
            (side, f"{part}_ratio"): self._ratio(row, busy[unit] / 2),
        }
        if self.chip != "a5":
            cells[side, f"{unit}_fops"] = "2240"
        return cells

    def _conflicts_of(self, row: int) -> dict[tuple[str, str], str]:
        side = self.side(row)
        return {(side, f"{'vec' if side == 'aiv' else 'cube'}_wait_ratio"): self._ratio(row, 10)}

    def _info(self) -> list[list[str]]:
        vectors = str(2 * self.dimension) if self.chip == "mix" else "NA"
        return [
            [
                *("Op Name", "Op Type", "Task Duration(us)", "Block Dim", "Mix Block Dim", "Device Id", "Pid"),
                *("Current Freq", "Rated Freq"),
            ],
            [
                *(self.name, self.kind, f"{self.duration:.6f}", str(self.dimension), vectors),
                *("0", "4711", str(MHZ), str(MHZ)),
            ],
        ]
