"""IpuTraceEvent for the ``protobuf`` package, in both numberings: a second writer that shares no code with ours."""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

INT32, INT64, DOUBLE, BYTES, MESSAGE = 5, 3, 1, 12, 11
OLD = {
    "CompileBegin": {"deprecated_1": 1, "module_name": 2},
    "CompileEnd": {
        "compilation_report": 1,
        "duration": 2,
        "module_name": 3,
        "tensor_map": 4,
        "instruction_info": 5,
        "poplar_graph": 6,
    },
    "DataTransfer": {"data_transfer": 1},
    "LoadEngine": {"module_name": 1},
    "Execute": {"execution_report": 1, "activity_trace": 2, "module_name": 3},
}
NEW = {
    **OLD,
    "CompileEnd": {"duration": 1, "module_name": 2, "tensor_map": 3, "instruction_info": 4},
    "Execute": {"activity_trace": 1, "module_name": 2},
}
MEMBERS = {"compile_begin": 5, "compile_end": 6, "data_transfer": 7, "load_engine": 8, "execute": 9}


def message_class(layout: dict[str, dict[str, int]], package: str) -> Any:
    """The class of IpuTraceEvent in a numbering; ``package`` keeps the two apart."""
    file = descriptor_pb2.FileDescriptorProto(name=f"{package}.proto", package=package, syntax="proto3")
    for name, fields in layout.items():
        inner = file.message_type.add(name=name)
        for field, number in fields.items():
            kind = INT64 if field == "duration" else BYTES
            inner.field.add(name=field, number=number, type=kind, label=1)
    event = file.message_type.add(name="IpuTraceEvent")
    for name, number, kind in (("timestamp", 1, DOUBLE), ("ordinal", 2, INT32), ("type", 3, INT32)):
        event.field.add(name=name, number=number, type=kind, label=1)
    event.oneof_decl.add(name="msg")
    for name, number in MEMBERS.items():
        kind_name = "".join(part.capitalize() for part in name.split("_"))
        event.field.add(
            name=name, number=number, type=MESSAGE, label=1, type_name=f".{package}.{kind_name}", oneof_index=0
        )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{package}.IpuTraceEvent"))
