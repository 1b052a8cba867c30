"""The categories of tile memory and their meaning."""

from __future__ import annotations

from typing import Final

from app.language import tr

MEANING: Final[dict[str, str]] = {
    "constant": tr("Constants of the user's program; constants that the compiler made are variables"),
    "controlCode": tr("Code that runs programs and compute sets"),
    "controlId": tr("Numbers of programs and syncs"),
    "controlTable": tr("List of the vertices of each compute set, where the table scheduler is used"),
    "copyDescriptor": tr("Descriptors of variable size that copy vertices use"),
    "globalExchangeCode": tr("Code for exchanges between IPUs"),
    "globalExchangePacketHeader": tr("Packet headers of exchanges between IPUs"),
    "globalMessage": tr("Data on the way between IPUs"),
    "hostExchangeCode": tr("Code for exchanges with the host"),
    "hostExchangePacketHeader": tr("Packet headers of exchanges with the host"),
    "hostMessage": tr("Data on the way to or from the host"),
    "instrumentationResults": tr("Room for what profiling measures"),
    "internalExchangeCode": tr("Code for exchanges between tiles"),
    "message": tr("Data on the way between tiles"),
    "multiple": tr("Room that variables of several categories share"),
    "outputEdge": tr("Output of vertices before it is exchanged"),
    "rearrangement": tr("Rearranged copies of tensors"),
    "sharedCodeStorage": tr("Code that vertices share"),
    "sharedDataStorage": tr("Data that vertices share"),
    "stack": tr("Stacks of workers and supervisor"),
    "variable": tr("Variables of worker and supervisor code"),
    "vectorListDescriptor": tr("Data of vector-list fields with compressed pointers"),
    "vertexCode": tr("Code of the vertices (codelets)"),
    "vertexFieldData": tr("Vertex fields of variable size, such as vectors"),
    "vertexInstanceState": tr("The state of each vertex"),
}
"""According to the Poplar profiling data format, 7.1.8."""


def meaning(category: str) -> str:
    return MEANING.get(category, tr("A category that the description of the format does not name"))
