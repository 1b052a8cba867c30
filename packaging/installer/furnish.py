"""What makes the program known to the desktop: menu entry, file types, icons and metadata.

``python3 -m installer.furnish FOLDER NAME`` (in the folder packaging) writes them, for the build of the Flatpak, which
has nothing but Python's standard library."""

from __future__ import annotations

import gzip
import shutil
import sys
from pathlib import Path

from installer import desktop, metainfo, mime, product

COMPLETION = {
    "tilesight.bash": "bash-completion/completions/tilesight",
    "_tilesight": "zsh/site-functions/_tilesight",
    "tilesight.fish": "fish/vendor_completions.d/tilesight.fish",
}
"""Files of packaging/completion, and where the shells look for them below ``share`` of a prefix."""
ZSH_OF_DEBIAN = "zsh/vendor-completions/_tilesight"
"""Where packages of Debian have them for zsh, which looks for the others in /usr/local only."""
ICON_SIZES = (16, 22, 24, 32, 48, 64, 128, 256)


def furnish(root: Path, share: Path, name: str = product.NAME) -> None:
    """Writes the files into ``share``. ``name``: of the files and the icon; a Flatpak's must be its id."""
    write(share / "applications" / f"{name}.desktop", desktop.entry(name))
    write(share / "mime" / "packages" / f"{name}.xml", mime.document(name))
    write(share / "metainfo" / metainfo.FILE, metainfo.document(product.version(root), product.released(root), name))
    icons, hicolor = root / "resources" / "icons", share / "icons" / "hicolor"
    for size in ICON_SIZES:
        copy(icons / f"tilesight-{size}.png", hicolor / f"{size}x{size}" / "apps" / f"{name}.png")
    copy(icons / "tilesight.svg", hicolor / "scalable" / "apps" / f"{name}.svg")


def completion(root: Path) -> dict[str, Path]:
    """What makes shells complete the command: place below ``share`` to file."""
    return {place: root / "packaging" / "completion" / name for name, place in COMPLETION.items()}


def complete(root: Path, share: Path, *, debian: bool = False) -> None:
    """Writes what makes shells complete the command. ``debian``: those of Debian, as its packages do."""
    for place, path in completion(root).items():
        copy(path, share / (ZSH_OF_DEBIAN if debian and path.name == "_tilesight" else place))


def write(path: Path, text: str) -> None:
    """Writes a text; compressed, without name and time, if the path ends in .gz."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    path.write_bytes(gzip.compress(data, 9, mtime=0) if path.suffix == ".gz" else data)


def copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


if __name__ == "__main__":
    furnish(Path(__file__).resolve().parent.parent.parent, Path(sys.argv[1]), sys.argv[2])
