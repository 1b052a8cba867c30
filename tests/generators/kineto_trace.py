"""Seeded traces as the PyTorch profiler writes them when it records shapes and call stacks: the layout of its writer
(an event on several lines), times since 1970 with three digits, long arguments that hardly repeat.

``torch_trace`` covers what kinds of events such traces hold; here their size is real.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from itertools import count as counting

EPOCH = 1_718_180_919_106_042
OPERATORS = (
    "aten::linear", "aten::addmm", "aten::_scaled_dot_product_flash_attention", "aten::native_layer_norm",
    "aten::copy_", "aten::empty_strided", "autograd::engine::evaluate_function: AddmmBackward0",
    "Optimizer.step#AdamW.step",
)  # fmt: skip
KERNELS = (
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3>"
    " >(int, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3>)",
    "ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x3_tn",
    "void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_16x16_128x2_tn_align8>(Params)",
)
MODULES = (
    "transformers/models/llama/modeling_llama.py",
    "torch/nn/modules/module.py",
    "train/loop.py",
    "torch/_ops.py",
)
HOST, THREAD, STREAMS = 2_314_441, 2_314_441, (7, 20, 24)


class _Writer:
    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.numbers = counting(1)
        self.at = 0
        self.device = dict.fromkeys(STREAMS, 0)
        self.stacks = [self._stack() for _ in range(500)]

    def _stack(self) -> str:
        dice = self.dice
        frames = [f"{dice.choice(MODULES)}({dice.randint(1, 1500)}): forward" for _ in range(dice.randint(3, 14))]
        return ";".join(frames)

    def operator(self) -> Iterator[bytes]:
        """An operator with its Python function, launch, kernel and arrow."""
        dice, number = self.dice, next(self.numbers)
        begin, length = self.at, dice.randint(4_000, 60_000)
        launch = begin + dice.randint(500, 3_000)
        stack = dice.choice(self.stacks)
        yield self._function(number, begin, length, stack)
        yield self._slice(
            "cpu_op", dice.choice(OPERATORS), HOST, THREAD, begin + 100, length - 200, self._shapes(number, stack)
        )
        correlation = {"External id": number, "cbid": 211, "correlation": number}
        yield self._slice("cuda_runtime", "cudaLaunchKernel", HOST, THREAD, launch, 700, correlation)
        yield self._arrow("s", number, HOST, THREAD, launch)
        yield from self._kernel(number, launch)
        self.at = begin + length + dice.randint(0, 2_000)

    def _function(self, number: int, begin: int, length: int, stack: str) -> bytes:
        name = stack.partition(";")[0]
        args = {"Python id": number, "Python parent id": number // 2, "Ev Idx": number}
        return self._slice("python_function", name, HOST, THREAD, begin, length, args)

    def _shapes(self, number: int, stack: str) -> Mapping[str, object]:
        dims = [[self.dice.choice((1, 8, 128, 4096)) for _ in range(self.dice.randint(0, 4))] for _ in range(4)]
        kinds = ["c10::BFloat16", "c10::BFloat16", "Scalar", ""]
        strides = [[4096, 1] if dim else [] for dim in dims]
        args = {"External id": number, "Record function id": number, "Sequence number": number // 3, "Fwd thread id": 0}
        shapes = {"Concrete Inputs": ["", "", "1", "[]"], "Input type": kinds, "Input Strides": strides}
        return {**args, **shapes, "Input Dims": dims, "Ev Idx": number, "Call stack": stack}

    def _kernel(self, number: int, launch: int) -> Iterator[bytes]:
        dice = self.dice
        stream = dice.choice(STREAMS)
        begin, length = max(self.device[stream], launch + 900), dice.randint(800, 40_000)
        self.device[stream] = begin + length
        grid = [dice.randint(1, 4096), dice.randint(1, 8), 1]
        args = {
            "External id": number, "queued": 0, "device": 0, "context": 1, "stream": stream, "correlation": number,
            "registers per thread": dice.randint(16, 255), "shared memory": dice.randint(0, 99_999),
            "blocks per SM": grid[0] / 108, "warps per SM": grid[0] / 27, "grid": grid, "block": [128, 1, 1],
            "est. achieved occupancy %": dice.randint(0, 100),
        }  # fmt: skip
        yield self._slice("kernel", dice.choice(KERNELS), 0, stream, begin, length, args)
        yield self._arrow("f", number, 0, stream, begin)

    def _slice(
        self, kind: str, name: str, process: int, thread: int, at: int, length: int, args: Mapping[str, object]
    ) -> bytes:
        inside = ", ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in args.items())
        return (
            f'\n  {{\n    "ph": "X", "cat": "{kind}", "name": {json.dumps(name)}, "pid": {process}, "tid": {thread},\n'
            f'    "ts": {_time(at)}, "dur": {length / 1000:.3f},\n    "args": {{\n      {inside}\n    }}\n  }}'
        ).encode()

    def _arrow(self, phase: str, number: int, process: int, thread: int, at: int) -> bytes:
        end = ', "bp": "e"' if phase == "f" else ""
        return (
            f'\n  {{\n    "ph": "{phase}", "id": {number}, "pid": {process}, "tid": {thread}, "ts": {_time(at)},\n'
            f'    "cat": "ac2g", "name": "ac2g"{end}\n  }}'
        ).encode()


def lines(count: int, seed: int = 0) -> Iterator[bytes]:
    """The text of about ``count`` events."""
    writer = _Writer(seed)
    for process, name in ((HOST, "python3"), (0, "python3")):
        yield (
            f'\n  {{\n    "name": "process_name", "ph": "M", "ts": {_time(0)}, "pid": {process}, "tid": 0,\n'
            f'    "args": {{\n      "name": "{name}"\n    }}\n  }}'
        ).encode()
    for _ in range(max(1, count // 6)):
        yield from writer.operator()


def _time(nanoseconds: int) -> str:
    return f"{EPOCH + nanoseconds // 1000}.{nanoseconds % 1000:03d}"


HEAD = b"""{
  "schemaVersion": 1,
  "deviceProperties": [
    {"id": 0, "name": "NVIDIA A100-SXM4-80GB", "totalGlobalMem": 85051572224, "numSms": 108}
  ],
  "record_shapes": 1, "with_stack": 1, "displayTimeUnit": "ms", "baseTimeNanoseconds": 1708360800000000000,
  "traceEvents": ["""
TAIL = b'\n  ],\n  "traceName": "trace.pt.trace.json"\n}\n'
