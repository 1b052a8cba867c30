"""The desktop's menu entry (Desktop Entry Specification)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from installer import chinese, filetypes, product

FILE = f"{product.NAME}.desktop"


def entry(icon: str = product.NAME) -> str:
    """The desktop file; ``icon``: the name of the icon. Types that are not ours come last: desktops use their own
    defaults for them, and this list only adds Tilesight to the choices."""
    types = [*(kind.mime for kind in filetypes.OWN), *filetypes.OFFERED]
    lines: Mapping[str, str] = {
        "Type": "Application",
        "Name": product.TITLE,
        "GenericName": "Profile viewer",
        f"GenericName[{chinese.LANGUAGE}]": chinese.GENERIC_NAME,
        "Comment": product.SUMMARY,
        f"Comment[{chinese.LANGUAGE}]": chinese.SUMMARY,
        "Exec": f"{product.NAME} %F",
        "TryExec": product.NAME,
        "Icon": icon,
        "Terminal": "false",
        "Categories": "Development;Profiling;",
        "Keywords": _listed(product.KEYWORDS),
        f"Keywords[{chinese.LANGUAGE}]": _listed((*chinese.KEYWORDS, *product.KEYWORDS)),
        "MimeType": _listed(types),
        "StartupNotify": "true",
        "StartupWMClass": product.NAME,
    }
    return "[Desktop Entry]\n" + "".join(f"{key}={value}\n" for key, value in lines.items())


def _listed(words: Iterable[str]) -> str:
    return "".join(f"{word};" for word in words)
