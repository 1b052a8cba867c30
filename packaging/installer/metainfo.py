"""The description for software centres (AppStream 1.0, desktop applications)."""

from __future__ import annotations

from datetime import datetime
from xml.etree import ElementTree as Xml

from installer import desktop, filetypes, product

ID = "org.tilesight.tilesight"
FILE = f"{ID}.metainfo.xml"


def document(version: str, released: datetime) -> str:
    """The XML file."""
    root = Xml.Element("component", type="desktop-application")
    _add(root, "id", ID)
    _add(root, "metadata_license", "CC0-1.0")
    _add(root, "project_license", product.LICENCE)
    _add(root, "name", product.TITLE)
    _add(root, "summary", product.SUMMARY)
    developer = Xml.SubElement(root, "developer", id="tilesight")
    _add(developer, "name", "The Tilesight developers")
    description = Xml.SubElement(root, "description")
    for paragraph in product.PARAGRAPHS:
        _add(description, "p", paragraph)
    Xml.SubElement(root, "launchable", type="desktop-id").text = desktop.FILE
    Xml.SubElement(root, "icon", type="stock").text = product.NAME
    _several(root, "categories", "category", ("Development", "Profiling"))
    _several(root, "keywords", "keyword", product.KEYWORDS)
    provides = Xml.SubElement(root, "provides")
    _add(provides, "binary", product.NAME)
    for kind in filetypes.OWN:
        _add(provides, "mediatype", kind.mime)
    Xml.SubElement(root, "content_rating", type="oars-1.1")
    releases = Xml.SubElement(root, "releases")
    Xml.SubElement(releases, "release", version=version, date=released.strftime("%Y-%m-%d"))
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add(parent: Xml.Element, name: str, text: str) -> None:
    Xml.SubElement(parent, name).text = text


def _several(parent: Xml.Element, group: str, name: str, texts: tuple[str, ...]) -> None:
    entry = Xml.SubElement(parent, group)
    for text in texts:
        _add(entry, name, text)
