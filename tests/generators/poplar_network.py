"""What the generated Poplar program is: a convolution network, its compute sets, exchanges and program tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

MODES = (
    "NONE",
    "CPU",
    "IPU_MODEL",
    "COMPUTE_SETS",
    "SINGLE_TILE_COMPUTE_SETS",
    "VERTICES",
    "EXTERNAL_EXCHANGES",
    "HOST_EXCHANGES",
)
VERTEX_TYPES = (
    ("poplin::ConvPartial1x1Out<half,half,true,false,16,4>", 68),
    ("poplin::ConvPartialnx1<half,half,true,true,8,4>", 84),
    ("popops::ReducePartialsEqualSize<popops::ReduceAdd,half,half,true>", 24),
    ("popnn::NonLinearSupervisor<half,popnn::NonLinearityType::RELU>", 12),
    ("popops::BroadcastVectorInnerSupervisor<add,half>", 20),
    ("popops::Cast<float,half>", 16),
    ("poplar_rt::DstStridedCopyDA32", 12),
    ("poplar_rt::ShortMemcpy", 8),
    ("poplar_rt::Memcpy64Bit", 8),
    ("popops::Fill<half>", 8),
    ("popnn::MaxPooling<half>", 56),
    ("popops::TransposeSupervisor<half>", 12),
)
ROLES = (
    ("Convolve", (0, 1)),
    ("Reduce", (2,)),
    ("biasAdd/Op/Add", (4, 6)),
    ("Relu/Nonlinearity", (3, 7)),
    ("Cast", (5, 8)),
    ("PreArrange/Transpose", (11, 6, 7)),
)


class Scale(Struct, frozen=True, kw_only=True):
    """How large the profile is. Lists of exchanges are as long as the compute sets unless said otherwise;
    ``replicas`` > 1 makes every array per tile that much shorter; ``spread`` is the share of tiles that a typical
    compute set uses; ``over`` tiles do not fit; ``named_liveness`` adds names to the nodes of the liveness tree;
    ``live_variables`` says how its leaves list their variables (see ``poplar_memory``); ``estimates`` of cycles are
    written for the IPU model unless said otherwise; a layer that is a function is called ``calls`` times in a row."""

    seed: int = 1
    mode: str = "IPU_MODEL"
    ipus: int = 1
    tiles_per_ipu: int = 16
    replicas: int = 1
    bytes_per_tile: int = 638_976
    clock_hz: float = 1.33e9
    compute_sets: int = 12
    exchanges: int | None = None
    external_exchanges: int | None = None
    host_exchanges: int = 3
    vertex_types: int = 10
    categories: int = 25
    loops: int = 3
    calls: int = 2
    spread: float = 0.9
    over: int = 0
    named_liveness: bool = False
    live_variables: str = ""
    estimates: bool | None = None

    @property
    def has_estimates(self) -> bool:
        """Cycle estimates, which the vendor writes for the IPU model only."""
        return self.mode == "IPU_MODEL" if self.estimates is None else self.estimates

    @property
    def tiles(self) -> int:
        return self.ipus * self.tiles_per_ipu

    @property
    def entries(self) -> int:
        """Length of an array per tile."""
        return self.tiles // self.replicas

    @property
    def internal(self) -> int:
        return self.compute_sets if self.exchanges is None else self.exchanges

    @property
    def external(self) -> int:
        count = self.external_exchanges
        return (0 if self.ipus == 1 else 2) if count is None else count


class Network(Struct):
    """``set_names``, ``set_types`` (vertex types of each set); ``programs`` as the file has them, ``functions``
    and ``control`` as indices into them; ``trace``: what ran, in order."""

    scale: Scale
    set_names: list[str] = field(default_factory=list)
    set_types: list[list[int]] = field(default_factory=list)
    programs: list[dict[str, Any]] = field(default_factory=list)
    functions: list[int] = field(default_factory=list)
    control: list[int] = field(default_factory=list)

    def trace(self) -> Iterator[int]:
        for program in self.control:
            yield from self._run(program)

    def _run(self, index: int) -> Iterator[int]:
        program = self.programs[index]
        kind = program["type"]
        if kind == "Call":
            yield from self._run(self.functions[program["target"]])
        elif kind == "Switch":
            for child in program["children"]:  # one run of the engine chooses the first branch, the next the second
                yield from self._run(child)
        elif kind == "IfElse":
            yield from self._run(program["children"][0])
        elif "children" in program:
            for _ in range(self.scale.loops if kind == "Repeat" else 1):
                for child in program["children"]:
                    yield from self._run(child)
        else:
            yield index


def network(scale: Scale) -> Network:
    """The network of that scale."""
    net = Network(scale)
    for index in range(scale.compute_sets):
        role, types = ROLES[index % len(ROLES)]
        net.set_names.append(f"{_layer(index // len(ROLES))}/{role}")
        net.set_types.append(sorted({kind % scale.vertex_types for kind in types}))
    _Builder(net).build()
    return net


def _layer(number: int) -> str:
    return f"resnet/stage{number // 8 + 1}/block{number // 3 % 3 + 1}/conv{number % 3 + 1}"


class _Builder:
    def __init__(self, net: Network) -> None:
        self.net = net
        self.scale = net.scale
        self.internal = iter(range(self.scale.internal))
        self.sets = iter(range(self.scale.compute_sets))

    def add(self, kind: str, **fields: Any) -> int:
        self.net.programs.append({"type": kind, **fields})
        return len(self.net.programs) - 1

    def sequence(self, children: list[int], **fields: Any) -> int:
        return self.add("Sequence", children=children, **fields)

    def build(self) -> None:
        """Program 0 is the control program, so its place is taken first and filled last."""
        self.net.control = [self.add("Sequence")]
        download = self.sequence([self.add("Sync", name="sync/External"), self.host(0, "weights/hostToDevice")])
        layers = [self.layer(number) for number in range(-(-self.scale.compute_sets // len(ROLES)))]
        middle = len(layers) // 2
        body = [self.add("WriteUndef", name="grad/undef"), self.add("Sync"), self.host(1, "images/hostToDevice")]
        body += [*layers[:middle], *self.external(), *layers[middle:]]
        body += self.condition()
        body.append(self.host(2, "loss/deviceToHost"))
        repeat = self.add("Repeat", name="training/loop", children=[self.sequence(body, name="training/step")])
        main = self.sequence([repeat])
        switch = self.add("Switch", name="engineControl", children=[download, main])
        self.net.programs[0]["children"] = [switch]
        self.net.programs[0]["name"] = "control"

    def layer(self, number: int) -> int:
        """Every fifth layer is a function that its neighbour calls as well."""
        children: list[int] = []
        for _ in ROLES:
            children += self.exchange(f"{_layer(number)}/Convolve/ExchangePre")
            index = next(self.sets, None)
            if index is not None:
                children.append(self.add("OnTileExecute", computeSet=index, name=self.net.set_names[index]))
        body = self.sequence(children, name=_layer(number))
        if number % 5 == 2:
            self.net.functions.append(body)
            calls = [self.add("Call", target=len(self.net.functions) - 1) for _ in range(self.scale.calls)]
            return self.sequence(calls)
        return body

    def exchange(self, name: str) -> list[int]:
        index = next(self.internal, None)
        if index is None:
            return []
        kinds = {
            "delay": 8 * (index % 4 + 1),
            "exchange": 0,
            "other": 4 * (index % 2),
            "receiveAddress": 16,
            "receiveFormat": 0,
            "receiveMux": 32,
            "send": 8 * (index % 7),
            "sendWithPutAddress": 0,
            "sendWithPutFormat": 0,
            "sendWithPutMux": 0,
        }
        memory = {**kinds, "total": sum(kinds.values())}
        named = {"name": name} if index % 4 else {}
        return [self.add("DoExchange", exchange=index, memoryByInstruction=memory, **named)]

    def external(self) -> list[int]:
        out: list[int] = []
        for index in range(self.scale.external):
            out += [self.add("Sync"), self.add("GlobalExchange", exchange=index, name=f"resnet/pipeline{index}/Global")]
        return out

    def condition(self) -> list[int]:
        wait = self.add("Sync")
        branches = [self.sequence([], name="continue"), self.sequence([], name="stop")]
        return [self.add("SetLocalConsensusFromVar"), wait, self.add("IfElse", children=branches)]

    def host(self, index: int, name: str) -> int:
        return self.add("StreamCopy", exchange=index % self.scale.host_exchanges, name=name)
