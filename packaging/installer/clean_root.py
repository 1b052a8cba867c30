"""A separate minimal Debian, in which the .deb is installed as on a machine that has never had Tilesight."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import dev_system
from dev_shell import SetupError, last_lines, quietly, say
from installer import product

RELEASE = "bookworm"
"""Debian 12, the oldest release that the bundle supports."""
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
HOME = "/tmp/person"
KEPT = ("var/cache/apt", "tmp/person")
"""What removal does not delete: downloaded packages, and the user's files."""
NOBODY = "65534"
INSIDE = (
    'mount -t proc proc "$1/proc" && mkdir -p "$1/tmp/.X11-unix" && '
    '{ [ ! -d /tmp/.X11-unix ] || mount --bind /tmp/.X11-unix "$1/tmp/.X11-unix"; } && exec chroot "$@"'
)
"""Mounts in a namespace that ends with the command, so that nothing remains mounted. Of this machine, only the
display's socket is writable inside, so packages cannot change anything outside."""


@dataclass(frozen=True, slots=True)
class CleanRoot:
    folder: Path

    def command(self, words: Sequence[str], *, person: bool = False, display: str = "") -> list[str]:
        """The command that runs ``words`` in the root, as administrator or as an unprivileged user (``person``)."""
        inside = ["env", "-i", f"PATH={PATH}", "LC_ALL=C.UTF-8", f"HOME={HOME if person else '/root'}"]
        inside += ["DEBIAN_FRONTEND=noninteractive", *(f"{name}={value}" for name, value in proxies())]
        inside += [f"DISPLAY={display}"] if display else []
        inside += ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"] if person else []
        enter = ["unshare", "--mount", "--fork", "--kill-child", "sh", "-c", INSIDE, "sh", str(self.folder)]
        return [*(dev_system.privilege() or []), *enter, *inside, *words]

    def run(self, words: Sequence[str], *, person: bool = False) -> str:
        """Runs a command and returns its output; SetupError if its exit status is not 0."""
        done = quietly(self.command(words, person=person), cwd=Path("/"))
        if done.returncode:
            raise SetupError(f"{shlex.join(words)}: exit status {done.returncode}\n{last_lines(done.stdout, 15)}")
        return done.stdout.strip()

    def install(self, deb: Path) -> str:
        """Installs the .deb and its dependencies from the distribution; returns a summary."""
        shutil.copy(deb, self.folder / "tmp" / deb.name)
        before = self._packages()
        self.run(["apt-get", "-q", "-y", "install", "--no-install-recommends", f"/tmp/{deb.name}"])
        (self.folder / "tmp" / deb.name).unlink()
        brought = len(self._packages() - before) - 1
        return f"{deb.name} and {brought} packages that it depends on"

    def remove(self) -> str:
        """Purges the package; SetupError names the files that are left."""
        self.run(["apt-get", "-q", "-y", "purge", product.NAME])
        left = sorted(leftovers(self.folder))
        if left:
            raise SetupError(f"removal leaves {', '.join(left)}")
        return "nothing is left"

    def _packages(self) -> set[str]:
        return set(self.run(["dpkg-query", "-W", "-f", "${Package}\\n"]).splitlines())


@contextmanager
def fresh(root: Path) -> Iterator[CleanRoot]:
    """A root made by debootstrap (cached as an archive in build/), with the tools of a desktop. It is deleted at the
    end."""
    if dev_system.privilege() is None:
        raise SetupError("a clean root needs an administrator's rights: run the check as root or with sudo")
    base = root / "build" / f"clean-{RELEASE}-{platform.machine()}.tar"
    folder = root / "build" / "clean-root"
    _forget(folder)
    if not base.is_file():
        _bootstrap(folder, base)
    else:
        _as_root(["mkdir", "-p", str(folder)])
        _as_root(["tar", "-xf", str(base), "-C", str(folder)])
    try:
        (folder / "tmp" / "person").mkdir(mode=0o777)
        (folder / "tmp" / "person").chmod(0o777)
        yield CleanRoot(folder)
    finally:
        _forget(folder)


def scratch(root: Path) -> Path:
    """A new, empty folder outside the clean root."""
    folder = root / "build" / "scratch"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def leftovers(folder: Path) -> Iterator[str]:
    """Paths below ``folder`` that contain our name, and desktop databases that still mention it."""
    for top in ("opt", "usr", "etc", "var", "tmp", "root", "home"):
        for path in (folder / top).rglob(f"*{product.NAME}*"):
            if not any(path.is_relative_to(folder / kept) for kept in KEPT):
                yield str(path.relative_to(folder))
    for pattern in ("usr/share/applications/*.cache", "usr/share/mime/*", "var/lib/dpkg/status"):
        for path in folder.glob(pattern):
            if path.is_file() and product.NAME.encode() in path.read_bytes():
                yield f"{path.relative_to(folder)} names it"


def proxies() -> Iterable[tuple[str, str]]:
    """The proxy settings of this machine."""
    names = ("http_proxy", "https_proxy", "no_proxy")
    return [(name, value) for name, value in os.environ.items() if name.lower() in names]


def _bootstrap(folder: Path, base: Path) -> None:
    say(f"Making a minimal Debian ({RELEASE}); this is done once")
    _as_root(["debootstrap", "--variant=minbase", RELEASE, str(folder), *_mirror()])
    root = CleanRoot(folder)
    _as_root(["cp", "/etc/resolv.conf", str(folder / "etc" / "resolv.conf")])
    root.run(["apt-get", "-q", "update"])
    # tools of a desktop, so that menu entries and file types are registered and removed
    desktop = ["shared-mime-info", "desktop-file-utils", "xdg-utils", "libglib2.0-bin", "hicolor-icon-theme"]
    root.run(["apt-get", "-q", "-y", "install", "--no-install-recommends", *desktop])
    scratch = base.with_suffix(".part")
    _as_root(["tar", "--one-file-system", "-cf", str(scratch), "-C", str(folder), "."])
    scratch.rename(base)


def _mirror() -> list[str]:
    """The mirror that this machine uses, if it is configured."""
    done = quietly(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Component: main"])
    return done.stdout.split()[:1] if done.returncode == 0 else []


def _forget(folder: Path) -> None:
    if folder.exists():
        _as_root(["rm", "-rf", "--one-file-system", str(folder)])


def _as_root(command: Sequence[str]) -> None:
    done = subprocess.run(
        [*(dev_system.privilege() or []), *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode:
        raise SetupError(f"{shlex.join(command)} failed:\n{last_lines(done.stdout.decode(errors='replace'))}")
