"""The description for software centres (AppStream 1.0, desktop applications)."""

from __future__ import annotations

from datetime import datetime
from xml.etree import ElementTree as Xml

from installer import chinese, filetypes, product
from installer.mime import DECLARATION

FILE = f"{product.ID}.metainfo.xml"


def document(version: str, released: datetime, name: str = product.NAME) -> str:
    """The XML file; ``name``: of the desktop entry and the icon."""
    root = Xml.Element("component", type="desktop-application")
    _add(root, "id", product.ID)
    _add(root, "metadata_license", "CC0-1.0")
    _add(root, "project_license", product.LICENCE)
    _add(root, "name", product.TITLE)
    _add(root, "summary", product.SUMMARY)
    _add(root, "summary", chinese.SUMMARY, chinese.LANGUAGE)
    developer = Xml.SubElement(root, "developer", id="tilesight")
    _add(developer, "name", product.DEVELOPERS)
    description = Xml.SubElement(root, "description")
    for paragraph, translated in zip(product.PARAGRAPHS, chinese.PARAGRAPHS, strict=True):
        _add(description, "p", paragraph)
        _add(description, "p", translated, chinese.LANGUAGE)
    Xml.SubElement(root, "launchable", type="desktop-id").text = f"{name}.desktop"
    Xml.SubElement(root, "icon", type="stock").text = name
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
    return f"{DECLARATION}\n{Xml.tostring(root, encoding='unicode')}\n"


def _add(parent: Xml.Element, name: str, text: str, language: str = "") -> None:
    Xml.SubElement(parent, name, {"xml:lang": language} if language else {}).text = text


def _several(parent: Xml.Element, group: str, name: str, texts: tuple[str, ...]) -> None:
    entry = Xml.SubElement(parent, group)
    for text in texts:
        _add(entry, name, text)
