"""What the categories of tile memory are."""

from __future__ import annotations

from typing import Final

MEANING: Final[dict[str, str]] = {
    "constant": "Constants of the user's program; constants that the compiler made are variables",
    "controlCode": "Code that runs programs and compute sets",
    "controlId": "Numbers of programs and syncs",
    "controlTable": "List of the vertices of each compute set, where the table scheduler is used",
    "copyDescriptor": "Descriptors of variable size that copy vertices use",
    "globalExchangeCode": "Code for exchanges between IPUs",
    "globalExchangePacketHeader": "Packet headers of exchanges between IPUs",
    "globalMessage": "Data on the way between IPUs",
    "hostExchangeCode": "Code for exchanges with the host",
    "hostExchangePacketHeader": "Packet headers of exchanges with the host",
    "hostMessage": "Data on the way to or from the host",
    "instrumentationResults": "Room for what profiling measures",
    "internalExchangeCode": "Code for exchanges between tiles",
    "message": "Data on the way between tiles",
    "multiple": "Room that variables of several categories share",
    "outputEdge": "Output of vertices before it is exchanged",
    "rearrangement": "Rearranged copies of tensors",
    "sharedCodeStorage": "Code that vertices share",
    "sharedDataStorage": "Data that vertices share",
    "stack": "Stacks of workers and supervisor",
    "variable": "Variables of worker and supervisor code",
    "vectorListDescriptor": "Data of vector-list fields with compressed pointers",
    "vertexCode": "Code of the vertices (codelets)",
    "vertexFieldData": "Vertex fields of variable size, such as vectors",
    "vertexInstanceState": "The state of each vertex",
}
"""After the Poplar profiling data format, 7.1.8."""


def meaning(category: str) -> str:
    return MEANING.get(category, "A category that the description of the format does not name")
