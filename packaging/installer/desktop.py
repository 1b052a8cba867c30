"""The desktop's menu entry (Desktop Entry Specification)."""

from __future__ import annotations

from collections.abc import Mapping

from installer import filetypes, product

FILE = f"{product.NAME}.desktop"


def entry(program: str) -> str:
    """The desktop file; ``program``: the command that starts Tilesight. Types that are not ours come last: desktops use
    their own defaults for them, and this list only adds Tilesight to the choices."""
    types = [*(kind.mime for kind in filetypes.OWN), *filetypes.OFFERED]
    lines: Mapping[str, str] = {
        "Type": "Application",
        "Name": product.TITLE,
        "GenericName": "Profile viewer",
        "Comment": product.SUMMARY,
        "Exec": f"{program} %F",
        "TryExec": program,
        "Icon": product.NAME,
        "Terminal": "false",
        "Categories": "Development;Profiling;",
        "Keywords": "".join(f"{word};" for word in product.KEYWORDS),
        "MimeType": "".join(f"{kind};" for kind in types),
        "StartupNotify": "true",
        "StartupWMClass": product.NAME,
    }
    return "[Desktop Entry]\n" + "".join(f"{key}={value}\n" for key, value in lines.items())
