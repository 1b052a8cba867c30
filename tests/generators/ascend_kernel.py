"""A made-up kernel: a matrix product whose result goes through a leaky ReLU, with what its lines compile to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from generators.ascend_trace import PIPES

FOLDER = "/src/matmul_leaky/op_kernel"
KERNEL = f"{FOLDER}/matmul_leaky.cpp"
TILING = f"{FOLDER}/matmul_leaky_tiling.h"
FIRST_ADDRESS = 0x11244000
UNROLLED = 4
"""How often the compiler repeats what a line says."""

# Each line of a source and the pipes that its instructions run on, "PIPE*n" for several. Lines without are free.
_KERNEL_LINES = """\
// C = leaky(A x B + bias): the cube cores multiply, two vector cores a cube activate what they made.|
#include "kernel_operator.h"|
#include "lib/matmul_intf.h"|
#include "matmul_leaky_tiling.h"|
|
using namespace AscendC;|
|
namespace matmul_leaky {|
|
constexpr uint32_t DEPTH = 2;  // double buffering|
|
template <typename In, typename Out>|
class Kernel {|
public:|
    __aicore__ inline Kernel() = default;|
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, const Tiling &t);|
    __aicore__ inline void Run();|
|
private:|
    __aicore__ inline void Multiply(uint32_t step);|
    __aicore__ inline void Fetch(uint32_t step);|
    __aicore__ inline void Activate();|
    __aicore__ inline void Store(uint32_t step);|
|
    GlobalTensor<In> left_;|
    GlobalTensor<In> right_;|
    GlobalTensor<Out> bias_;|
    GlobalTensor<Out> result_;|
    TQue<QuePosition::VECIN, DEPTH> arrived_;|
    TQue<QuePosition::VECOUT, DEPTH> leaving_;|
    TPipe pipe_;|
    Tiling tiling_;|
    uint32_t block_ = 0;|
};|
|
template <typename In, typename Out>|
__aicore__ inline void Kernel<In, Out>::Init(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, const Tiling &t)|SCALAR*2
{|
    tiling_ = t;|SCALAR*4
    block_ = GetBlockIdx();|SCALAR
    const uint64_t row = block_ / tiling_.columnBlocks;|SCALAR*3
    const uint64_t column = block_ % tiling_.columnBlocks;|SCALAR*3
    left_.SetGlobalBuffer(reinterpret_cast<__gm__ In *>(a) + row * tiling_.rowsOfBlock * tiling_.depth);|SCALAR*4
    right_.SetGlobalBuffer(reinterpret_cast<__gm__ In *>(b) + column * tiling_.columnsOfBlock);|SCALAR*3
    bias_.SetGlobalBuffer(reinterpret_cast<__gm__ Out *>(bias) + column * tiling_.columnsOfBlock);|SCALAR*3
    result_.SetGlobalBuffer(reinterpret_cast<__gm__ Out *>(c) + tiling_.OffsetOf(row, column));|SCALAR*3
    pipe_.InitBuffer(arrived_, DEPTH, tiling_.tileBytes);|SCALAR*5,FLOWCTRL
    pipe_.InitBuffer(leaving_, DEPTH, tiling_.tileBytes);|SCALAR*5,FLOWCTRL
}|FLOWCTRL
|
template <typename In, typename Out>|
__aicore__ inline void Kernel<In, Out>::Run()|SCALAR
{|
    for (uint32_t step = 0; step < tiling_.steps; ++step) {|SCALAR*3,FLOWCTRL
        Multiply(step);|SCALAR*2
        Fetch(step);|SCALAR*2
        Activate();|SCALAR
        Store(step);|SCALAR*2
    }|FLOWCTRL
}|FLOWCTRL
|
template <typename In, typename Out>|
__aicore__ inline void Kernel<In, Out>::Multiply(uint32_t step)|SCALAR
{|
    const auto [m, n] = tiling_.TileOf(step);|SCALAR*4
    for (uint32_t k = 0; k < tiling_.depthSteps; ++k) {|SCALAR*3,FLOWCTRL
        CopyTile(left_, m, k, tiling_.leftTile);|MTE2*2,SCALAR*2
        CopyTile(right_, k, n, tiling_.rightTile);|MTE2*2,SCALAR*2
        SplitLeft(k);|MTE1*2,SCALAR
        SplitRight(k);|MTE1*2,SCALAR
        MultiplyAdd(k == 0 ? bias_ : GlobalTensor<Out>(), tiling_.cubeShape);|CUBE*4,SCALAR*2
    }|FLOWCTRL
    FixPipe(result_, m, n, tiling_.resultTile);|FIXP*2,SCALAR*2
    CrossCoreSetFlag<0x2, PIPE_FIX>(step % 8);|FLOWCTRL,SCALAR
}|FLOWCTRL
|
template <typename In, typename Out>|
__aicore__ inline void Kernel<In, Out>::Fetch(uint32_t step)|SCALAR
{|
    CrossCoreWaitFlag(step % 8);|FLOWCTRL
    LocalTensor<Out> tile = arrived_.AllocTensor<Out>();|SCALAR*3
    DataCopy(tile, result_[tiling_.HalfOf(step, GetSubBlockIdx())], tiling_.tileLength);|MTE2*2,SCALAR*2
    arrived_.EnQue(tile);|FLOWCTRL
}|FLOWCTRL
|
template <typename In, typename Out>|
__aicore__ inline void Kernel<In, Out>::Activate()|SCALAR
{|
    LocalTensor<Out> tile = arrived_.DeQue<Out>();|FLOWCTRL,SCALAR
    LocalTensor<Out> active = leaving_.AllocTensor<Out>();|SCALAR*2
    Muls(active, tile, static_cast<Out>(tiling_.slope), tiling_.tileLength);|VECTOR*4,SCALAR
    Max(active, active, tile, tiling_.tileLength);|VECTOR*4,SCALAR
    leaving_.EnQue(active);|FLOWCTRL
    arrived_.FreeTensor(tile);|SCALAR
}|FLOWCTRL
|
template <typename In, typename Out>|
__aicore__ inline void Kernel<In, Out>::Store(uint32_t step)|SCALAR
{|
    LocalTensor<Out> active = leaving_.DeQue<Out>();|FLOWCTRL,SCALAR
    DataCopy(result_[tiling_.HalfOf(step, GetSubBlockIdx())], active, tiling_.tileLength);|MTE3*2,SCALAR*2
    leaving_.FreeTensor(active);|SCALAR
}|FLOWCTRL
|
}  // namespace matmul_leaky|
|
extern "C" __global__ __aicore__ void matmul_leaky(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR cut)|SCALAR*2
{|
    GET_TILING_DATA(data, cut);|SCALAR*6,MTE2
    matmul_leaky::Kernel<half, float> kernel;|
    kernel.Init(a, b, bias, c, data);|SCALAR*2
    kernel.Run();|SCALAR
}|FLOWCTRL
"""

_TILING_LINES = """\
// How the matrices are cut among blocks, and the tiles of a block.|
#pragma once|
#include <cstdint>|
|
struct Tiling {|
    uint32_t rowsOfBlock;|
    uint32_t columnsOfBlock;|
    uint32_t columnBlocks;|
    uint32_t depth;|
    uint32_t depthSteps;|
    uint32_t steps;|
    uint32_t tileLength;|
    uint32_t tileBytes;|
    float slope;|
|
    __aicore__ inline uint64_t OffsetOf(uint64_t row, uint64_t column) const|SCALAR
    {|
        return row * rowsOfBlock * columnBlocks * columnsOfBlock + column * columnsOfBlock;|SCALAR*4
    }|
|
    __aicore__ inline uint64_t HalfOf(uint32_t step, uint32_t half) const|SCALAR
    {|
        return (2ULL * step + half) * tileLength;|SCALAR*3
    }|
};|
"""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction of the kernel and the source line it was made of."""

    address: int
    pipe: str
    name: str
    file: str
    line: int

    @property
    def text(self) -> str:
        register = self.address // 4 % 30
        return f"{self.name} XD:X{register},XN:X{(register + 7) % 30},#IMM:{self.address // 4 % 64}"


def texts() -> dict[str, str]:
    """Source text by path."""
    return {
        path: "".join(f"{line.rsplit('|', 1)[0]}\n" for line in lines.splitlines()) for path, lines in _FILES.items()
    }


@cache
def instructions() -> tuple[Instruction, ...]:
    """All instructions, by rising address."""
    made: list[Instruction] = []
    for path, lines in _FILES.items():
        for number, line in enumerate(lines.splitlines(), 1):
            for use in filter(None, line.rsplit("|", 1)[1].split(",")):
                pipe, _, count = use.partition("*")
                for _ in range(int(count or 1) * (1 if pipe == "FLOWCTRL" else UNROLLED)):
                    names = PIPES[pipe][1]
                    name = names[(len(made) * 5) % len(names)]
                    made.append(Instruction(FIRST_ADDRESS + 4 * len(made), pipe, name, path, number))
    return tuple(made)


_FILES = {KERNEL: _KERNEL_LINES, TILING: _TILING_LINES}
