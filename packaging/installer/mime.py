"""The freedesktop.org description of our file types (Shared MIME-info Database, section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as Xml

from installer import chinese
from installer.filetypes import OWN, FileType, Match

NAMESPACE = "http://www.freedesktop.org/standards/shared-mime-info"
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
PRIORITY = "60"
"""Priority of the magic: above 50, the default, because ours matches more bytes."""


def document(icon: str, types: Sequence[FileType] = OWN) -> str:
    """The XML file; ``icon`` is the icon name of files of these types."""
    root = Xml.Element("mime-info", xmlns=NAMESPACE)
    for kind in types:
        entry = Xml.SubElement(root, "mime-type", type=kind.mime)
        Xml.SubElement(entry, "comment").text = kind.title
        if translated := chinese.FILE_TYPES.get(kind.id):
            Xml.SubElement(entry, "comment", {"xml:lang": chinese.LANGUAGE}).text = translated
        Xml.SubElement(entry, "icon", name=icon)
        magic = Xml.SubElement(entry, "magic", priority=PRIORITY)
        _match(magic, kind.magic)
        for pattern in (*(f"*{ending}" for ending in kind.endings), *kind.names):
            Xml.SubElement(entry, "glob", pattern=pattern)
    Xml.indent(root)
    return f"{DECLARATION}\n{Xml.tostring(root, encoding='unicode')}\n"


def _match(parent: Xml.Element, match: Match) -> None:
    words = {"type": "string", "value": _escaped(match.value), "offset": str(match.offset)}
    if match.mask:
        words["mask"] = f"0x{match.mask.hex()}"
    entry = Xml.SubElement(parent, "match", words)
    for inner in match.inside:
        _match(entry, inner)


def _escaped(value: bytes) -> str:
    """Bytes in the notation of the specification."""
    return "".join(f"\\x{byte:02x}" for byte in value)
