"""The categories of tile memory and their meaning."""

from __future__ import annotations

from typing import Final

from app.language import tr

MEANING: Final[dict[str, str]] = {
    "constant": tr("Constants of the user's program; constants that the compiler made are variables"),
    "controlCode": tr("Code that runs programs and compute sets"),
    "controlId": tr("Identifiers of programs and syncs"),
    "controlTable": tr("List of the vertices of each compute set, if the table scheduler is used"),
    "copyDescriptor": tr("Variable-size descriptors used by copy vertices"),
    "globalExchangeCode": tr("Code for exchanges between IPUs"),
    "globalExchangePacketHeader": tr("Packet headers of exchanges between IPUs"),
    "globalMessage": tr("Buffered data of exchanges between IPUs"),
    "hostExchangeCode": tr("Code for exchanges with the host"),
    "hostExchangePacketHeader": tr("Packet headers of exchanges with the host"),
    "hostMessage": tr("Buffered data of exchanges with the host"),
    "instrumentationResults": tr("Space for profiling measurements"),
    "internalExchangeCode": tr("Code for exchanges between tiles"),
    "message": tr("Buffered data of exchanges between tiles"),
    "multiple": tr("Space shared by variables of several categories"),
    "outputEdge": tr("Output of vertices before it is exchanged"),
    "rearrangement": tr("Rearranged copies of tensors"),
    "sharedCodeStorage": tr("Code shared by vertices"),
    "sharedDataStorage": tr("Data shared by vertices"),
    "stack": tr("Stacks of workers and supervisor"),
    "variable": tr("Variables of worker and supervisor code"),
    "vectorListDescriptor": tr("Data of vector-list fields with compressed pointers"),
    "vertexCode": tr("Code of the vertices (codelets)"),
    "vertexFieldData": tr("Variable-size vertex fields, such as vectors"),
    "vertexInstanceState": tr("The state of each vertex"),
}
"""According to the Poplar profiling data format, 7.1.8."""


def meaning(category: str) -> str:
    return MEANING.get(category, tr("A category that is not in the description of the format"))
