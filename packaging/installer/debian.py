"""The text files of the .deb (Debian Policy 4.6), as pure functions of the product's data."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from email.utils import format_datetime
from textwrap import wrap

from installer import product

MAINTAINER = f"{product.DEVELOPERS} <developers@{product.DOMAIN}>"
OVERRIDES = {
    "custom-library-search-path": "the libraries are in the folder of the program",
    "dir-or-file-in-opt": "the program contains its own Python and Qt, which belong in /opt (FHS 3.0, 3.13)",
    "embedded-library": "Python's own library, as on the build system",
    "hardening-no-pie": "the executable is PyInstaller's bootloader, as published",
    "library-not-linked-against-libc": "data of ICU in the form of a library",
    "shared-library-lacks-prerequisites": "modules of Python find these symbols in the interpreter",
    "unstripped-binary-or-object": "stripping breaks numpy's OpenBLAS",
}
"""Tags that lintian reports for any bundle of this kind, and the reasons."""


def control(version: str, architecture: str, depends: str, kilobytes: int) -> str:
    """DEBIAN/control."""
    fields = {
        "Package": product.NAME,
        "Version": version,
        "Architecture": architecture,
        "Maintainer": MAINTAINER,
        "Installed-Size": str(kilobytes),
        "Depends": depends,
        "Recommends": "shared-mime-info, xdg-desktop-portal, fonts-noto-cjk | fonts-wqy-microhei | fonts-wqy-zenhei",
        "Section": "devel",
        "Priority": "optional",
        "Description": description(),
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items())


def description() -> str:
    """Synopsis and paragraphs; an empty line is written as a dot, and every line begins with a space."""
    paragraphs = ["\n".join(f" {line}" for line in wrap(text, 78)) for text in product.PARAGRAPHS]
    return product.SUMMARY + "\n" + "\n .\n".join(paragraphs)


def changelog(version: str, released: datetime) -> str:
    return (
        f"{product.NAME} ({version}) stable; urgency=medium\n\n"
        f"  * Version {version}.\n\n"
        f" -- {MAINTAINER}  {format_datetime(released)}\n"
    )


def copyright_(year: int) -> str:
    """The machine-readable copyright file of the program; bundled components are listed in a file beside it."""
    return (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        f"Upstream-Name: {product.TITLE}\n"
        "Comment: The licences of Python, Qt and all other parts of the bundle are in\n"
        f" /opt/{product.NAME}/_internal/resources/licences, and the program shows them under\n"
        " Help, About, Licences.\n\n"
        "Files: *\n"
        f"Copyright: {year} the {product.TITLE} developers\n"
        "License: Apache-2.0\n"
        " On Debian systems, the text of the Apache License 2.0 is in\n"
        " /usr/share/common-licenses/Apache-2.0.\n\n"
        f"Files: opt/{product.NAME}/_internal/PySide6/* opt/{product.NAME}/_internal/shiboken6/*\n"
        f"Copyright: 2012-{year} The Qt Company Ltd. and other contributors\n"
        "License: LGPL-3\n"
        " On Debian systems, the text of the GNU Lesser General Public License 3 is in\n"
        " /usr/share/common-licenses/LGPL-3. The libraries may be replaced by other builds.\n"
    )


def overrides(tags: Iterable[str] = tuple(OVERRIDES)) -> str:
    """/usr/share/lintian/overrides: each tag with its reason."""
    return "".join(f"# {OVERRIDES[tag]}\n{product.NAME} binary: {tag}\n" for tag in tags)


def manual(version: str, released: datetime, usage: str) -> str:
    """The manual page: ``usage`` is what ``--help`` prints."""
    safe = usage.replace("\\", "\\e").replace("-", "\\-")
    lines = "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in safe.splitlines())
    name, title = product.NAME, product.NAME.upper()
    return (
        f'.TH {title} 1 "{released:%Y-%m-%d}" "{name} {version}" "User commands"\n'
        f".SH NAME\n{name} \\- {product.SUMMARY[0].lower()}{product.SUMMARY[1:]}\n"
        f".SH DESCRIPTION\n{product.PARAGRAPHS[0]}\n.PP\n.nf\n{lines}\n.fi\n"
        ".SH EXIT STATUS\n0: success; 1: a file could not be read; 2: usage error.\n"
    )
