"""Which of the files collected by PyInstaller are left out of the bundle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatch
from pathlib import PurePosixPath

PLUGINS = (
    # platforms: windows on X11, Wayland, Windows, macOS; and rendering without a display
    "platforms/*qxcb*",
    "platforms/*qwayland*",
    "platforms/*qwindows*",
    "platforms/*qcocoa*",
    "platforms/*qoffscreen*",
    "wayland-shell-integration/*xdg-shell*",
    "wayland-decoration-client/*bradient*",
    # SVG images in style sheets
    "imageformats/*qsvg*",
    "iconengines/*qsvgicon*",
    # typing with composed letters and input methods
    "platforminputcontexts/*compose*",
    "platforminputcontexts/*ibus*",
    # the desktop's own file dialog
    "platformthemes/*xdgdesktopportal*",
    "styles/*",
)
"""Patterns of files to include below Qt's plugin folder. The other plugins are left out together with the libraries
that only they need: gtk, TLS, OpenGL, databases."""

UNWANTED = (
    "*/translations/[!q]*",  # of Qt's own texts, only those in Tilesight's languages are needed
    "*/translations/q[!t]*",
    "*/translations/qt[!b]*",
    "*/translations/qtbase_[!z]*",
    "*/translations/qtbase_zh_TW*",
    "*/opengl32sw.dll",
    "*.pyi",
    "*/.gitattributes",
    "resources/languages/*.po",  # the program loads the compiled catalogues
    "capnp/*.capnp",
    "capnp/*.h",
    "capnp/*.pyx",
    "capnp/*.pxd",
    "capnp/*.cpp",
    "numpy/*/tests/*",
    "resources/screenshots/*",  # for README
)

LEXERS = frozenset({"pygments.lexers.python", "pygments.lexers.c_cpp", "pygments.lexers._mapping"})

FROM_SYSTEM = (
    # drivers, and what must match them
    "libEGL.so.*",
    "libGL.so.*",
    "libGLX.so.*",
    "libGLdispatch.so.*",
    "libOpenGL.so.*",
    "libdrm.so.*",
    "libgbm.so.*",
    "libwayland-*.so.*",
    # part of every desktop, with its own settings
    "libX11.so.*",
    "libX11-xcb.so.*",
    "libXau.so.*",
    "libXdmcp.so.*",
    "libxcb.so.*",
    "libxcb-glx.so.*",
    "libxcb-randr.so.*",
    "libxcb-render.so.*",
    "libxcb-shape.so.*",
    "libxcb-shm.so.*",
    "libxcb-sync.so.*",
    "libxcb-xfixes.so.*",
    "libxcb-xkb.so.*",
    "libxkbcommon.so.*",
    "libxkbcommon-x11.so.*",
    "libdbus-1.so.*",
    "libexpat.so.*",
    "libfontconfig.so.*",
    "libfreetype.so.*",
    "libglib-2.0.so.*",
    "libgthread-2.0.so.*",
    # the C and C++ run-time libraries
    "libc.so.*",
    "libdl.so.*",
    "libgcc_s.so.*",
    "libm.so.*",
    "libpthread.so.*",
    "librt.so.*",
    "libstdc++.so.*",
    "libutil.so.*",
    "libz.so.*",
)
"""Left to the system, as in AppImages: bundled ones would conflict with drivers, fonts and settings. The .deb depends
on their packages."""


def wanted(path: str) -> bool:
    """Whether the file at ``path`` (in the bundle, with slashes) is included, judged by its name."""
    if any(fnmatch(path, pattern) for pattern in UNWANTED):
        return False
    if is_from_system(path):
        return False
    _, plugins, plugin = path.rpartition("/plugins/")
    return not plugins or any(fnmatch(plugin, pattern) for pattern in PLUGINS)


def is_wanted_module(name: str) -> bool:
    """Whether a Python module is included: of Pygments only the languages that are highlighted."""
    return not name.startswith(("pygments.formatters.", "pygments.styles.", "pygments.lexers.")) or name in LEXERS


def is_from_system(path: str) -> bool:
    """Whether this library is left to the system."""
    name = PurePosixPath(path).name
    return any(fnmatch(name, pattern) for pattern in FROM_SYSTEM)


def is_library(path: str) -> bool:
    """Whether only other binaries use this file. Modules and plugins are loaded by name, and Python's library by the
    program itself."""
    name = PurePosixPath(path).name
    return name.startswith("lib") and ".so" in name and "/plugins/" not in path and not name.startswith("libpython")


def reachable(paths: Iterable[str], needed: Callable[[str], Iterable[str]]) -> set[str]:
    """Of the binaries ``paths``, the modules and plugins, and the libraries that these need directly or indirectly.

    ``needed(path)``: names of the libraries that the file at ``path`` names itself.
    """
    libraries: Mapping[str, list[str]] = _by_name(path for path in paths if is_library(path))
    reached = {path for path in paths if not is_library(path)}
    waiting = list(reached)
    while waiting:
        for name in needed(waiting.pop()):
            for path in libraries.get(name, ()):
                if path not in reached:
                    reached.add(path)
                    waiting.append(path)
    return reached


def _by_name(paths: Iterable[str]) -> dict[str, list[str]]:
    named: dict[str, list[str]] = {}
    for path in paths:
        named.setdefault(PurePosixPath(path).name, []).append(path)
    return named
