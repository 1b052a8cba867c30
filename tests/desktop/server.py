"""A separate desktop: an X server without a monitor, a window manager, the session's message bus, and the accessibility
bus (AT-SPI)."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from jeepney import DBusAddress, MessageType, new_method_call
from jeepney.io.blocking import open_dbus_connection

from desktop.waiting import until

PROGRAMS = ("Xvfb", "openbox", "xdotool", "xclip", "dbus-daemon")
LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
"""Where Debian and Ubuntu install the launcher of the accessibility bus."""
STARTING_S = 10.0
WINDOW_MANAGER = """<?xml version="1.0"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
  <placement><policy>Smart</policy></placement>
  <keyboard/>
  <mouse>
    <context name="Client">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
    </context>
    <context name="Titlebar">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Left" action="Drag"><action name="Move"/></mousebind>
    </context>
  </mouse>
</openbox_config>
"""
"""A configuration without keys and mouse gestures: all of them belong to the program."""


@dataclass(frozen=True, slots=True)
class Desktop:
    """``environment``: the variables that a program needs to appear here; ``framebuffer``: the X server's picture
    memory, a file in the xwd format of ``width`` x ``height`` pixels; ``accessible_bus``: a D-Bus address."""

    width: int
    height: int
    environment: Mapping[str, str]
    framebuffer: Path
    accessible_bus: str


def missing() -> list[str]:
    """The programs for a desktop that are missing on this system."""
    absent = [name for name in PROGRAMS if shutil.which(name) is None]
    return absent if launcher() else [*absent, "at-spi-bus-launcher"]


def launcher() -> str | None:
    return next((path for path in LAUNCHERS if Path(path).exists()), None)


@contextmanager
def desktop(folder: Path, width: int, height: int) -> Iterator[Desktop]:
    """Starts everything (with its files in ``folder``) and ends it again."""
    runtime = folder / "run"
    runtime.mkdir(mode=0o700)
    base = {key: os.environ[key] for key in ("PATH", "LANG", "LC_ALL") if key in os.environ}
    base |= {"HOME": str(folder), "XDG_RUNTIME_DIR": str(runtime), "XDG_CONFIG_HOME": str(folder / "config")}
    with ExitStack() as stack:
        display = stack.enter_context(_x_server(folder, width, height, base))
        base["DISPLAY"] = display
        base["DBUS_SESSION_BUS_ADDRESS"] = stack.enter_context(_session_bus(folder, base))
        stack.enter_context(_window_manager(folder, base))
        stack.enter_context(_running([launcher() or LAUNCHERS[0], "--launch-immediately"], folder, base))
        address = until(lambda: _accessible_bus(base["DBUS_SESSION_BUS_ADDRESS"]), "the bus for assistive tools")
        yield Desktop(width, height, base, folder / "framebuffer" / "Xvfb_screen0", address)


@contextmanager
def _x_server(folder: Path, width: int, height: int, environment: Mapping[str, str]) -> Iterator[str]:
    """The display's name, such as ``:3``; the server chooses a free one."""
    (folder / "framebuffer").mkdir()
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24"]
    command += ["-fbdir", str(folder / "framebuffer"), "-nolisten", "tcp", "-noreset"]
    with ExitStack() as stack:
        stack.enter_context(_running(command, folder, environment, descriptor=writing))
        os.close(writing)
        with os.fdopen(reading) as answer:
            number = answer.readline().strip()
        if not number:
            raise AssertionError(f"the X server did not start:\n{(folder / 'Xvfb.log').read_text()}")
        yield f":{number}"


@contextmanager
def _session_bus(folder: Path, environment: Mapping[str, str]) -> Iterator[str]:
    address = f"unix:path={folder / 'run' / 'bus'}"
    with _running(["dbus-daemon", "--session", "--nofork", "--address", address], folder, environment):
        until((folder / "run" / "bus").exists, "the session's bus")
        yield address


@contextmanager
def _window_manager(folder: Path, environment: Mapping[str, str]) -> Iterator[None]:
    settings = folder / "openbox.xml"
    settings.write_text(WINDOW_MANAGER, encoding="utf-8")
    with _running(["openbox", "--sm-disable", "--config-file", str(settings)], folder, environment):
        until(lambda: _managed(environment), "the window manager")
        yield


def _managed(environment: Mapping[str, str]) -> bool:
    command = ["xdotool", "get_num_desktops"]
    return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0


def _accessible_bus(session: str) -> str | None:
    """Its address, requested from the session's bus, which starts it."""
    bus = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
    with open_dbus_connection(session) as connection:
        reply = connection.send_and_get_reply(new_method_call(bus, "GetAddress"), timeout=STARTING_S)
    return None if reply.header.message_type is MessageType.error else str(reply.body[0])


@contextmanager
def _running(
    command: list[str], folder: Path, environment: Mapping[str, str], descriptor: int | None = None
) -> Iterator[None]:
    """Runs one program in a separate process group, which is ended completely."""
    with (folder / f"{Path(command[0]).name}.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=() if descriptor is None else (descriptor,),
            process_group=0,
        )
        try:
            yield
        finally:
            end_group(process)


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Terminates a process and its children, and makes sure that they end."""
    for number in (15, 9):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            break
        try:
            process.wait(3)
            break
        except subprocess.TimeoutExpired:
            continue
