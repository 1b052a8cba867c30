"""The accessibility tree of a program: its controls as reported over AT-SPI, read from another process.

Interfaces and state numbers are those of the AT-SPI 2 D-Bus protocol (org.a11y.atspi.*).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from jeepney import DBusAddress, HeaderFields, Message, MessageType, Properties, new_error, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from msgspec import Struct
from msgspec.structs import replace

from desktop.eyes import Box
from desktop.hands import Place
from desktop.waiting import PATIENCE_S, until

ROOT = "/org/a11y/atspi/accessible/root"
ACCESSIBLE, COMPONENT = "org.a11y.atspi.Accessible", "org.a11y.atspi.Component"
TABLE, TEXT, VALUE = "org.a11y.atspi.Table", "org.a11y.atspi.Text", "org.a11y.atspi.Value"
STATES = {
    1: "active",
    4: "checked",
    5: "collapsed",
    7: "editable",
    8: "enabled",
    10: "expanded",
    11: "focusable",
    12: "focused",
    16: "modal",
    23: "selected",
    25: "showing",
    30: "visible",
}
LABELLED_BY = 2
"""Of the kinds of relations."""
LARGE = frozenset(("table", "tree table", "tree", "list", "combo box", "table cell", "list item", "tree item"))
"""Roles that may have a million children; searches do not descend into them."""
REPLY_S = PATIENCE_S
"""Timeout for an answer."""
BUS = "org.freedesktop.DBus"
NO_REPLY = "org.freedesktop.DBus.Error.NoReply"


class Node(Struct, frozen=True):
    """One control as it was when it was queried (:meth:`again` queries it anew)."""

    tree: Tree
    sender: str
    path: str
    role: str
    name: str
    states: frozenset[str]
    box: Box
    """Its rectangle on the screen in pixels; empty for a control without a position."""

    @property
    def gone(self) -> bool:
        """Whether a user cannot see it: docks behind others report that they are visible, but their position is beside
        the screen."""
        left, top, width, height = self.box
        return "showing" not in self.states or left + width <= 0 or top + height <= 0

    @property
    def middle(self) -> Place:
        left, top, width, height = self.box
        return left + width // 2, top + height // 2

    @property
    def description(self) -> str:
        return str(self.tree.properties(self.sender, self.path, ACCESSIBLE, "Description"))

    @property
    def text(self) -> str:
        """The text of a field or a label."""
        return str(self.tree.ask(self.sender, self.path, TEXT, "GetText", "ii", (0, -1))[0])

    @property
    def children(self) -> list[Node]:
        return self.tree.children([self])

    @property
    def child_count(self) -> int:
        """Number of children, without asking about each: a table has thousands."""
        return int(self.tree.properties(self.sender, self.path, ACCESSIBLE, "ChildCount"))

    @property
    def rows(self) -> int:
        """Number of rows of a table."""
        return int(self.tree.properties(self.sender, self.path, TABLE, "NRows"))

    @property
    def columns(self) -> int:
        """Number of columns of a table."""
        return int(self.tree.properties(self.sender, self.path, TABLE, "NColumns"))

    def cell(self, row: int, column: int) -> Node:
        """One cell of a table."""
        sender, path = self.tree.ask(self.sender, self.path, TABLE, "GetAccessibleAt", "ii", (row, column))[0]
        return self.tree.describe([(sender, path)])[0]

    def header(self, column: int) -> str:
        """The heading of a column of a table."""
        return str(self.tree.ask(self.sender, self.path, TABLE, "GetColumnDescription", "i", (column,))[0])

    @property
    def selected_rows(self) -> list[int]:
        """Selected rows of a table."""
        return [int(row) for row in self.tree.ask(self.sender, self.path, TABLE, "GetSelectedRows")[0]]

    @property
    def labels(self) -> list[str]:
        """The texts of the labels of this control."""
        relations = self.tree.ask(self.sender, self.path, ACCESSIBLE, "GetRelationSet")[0]
        places = [(str(to), str(path)) for kind, targets in relations if kind == LABELLED_BY for to, path in targets]
        return [node.name for node in self.tree.describe(places)]

    def again(self) -> Node:
        """The same control in its current state; without any state if it no longer exists."""
        return next(iter(self.tree.describe([(self.sender, self.path)])), replace(self, states=frozenset()))

    def below(self) -> Iterator[Node]:
        """This control and all visible descendants, level by level; without the rows of tables and lists."""
        level = [self]
        while level:
            yield from level
            level = [node for node in self.tree.children([n for n in level if n.role not in LARGE]) if not node.gone]

    def all(self, role: str | Sequence[str] = (), name: str | Callable[[str], bool] = "") -> list[Node]:
        """Every visible descendant with one of the roles and the name (a text, or a predicate on it; empty: any)."""
        return list(self.each(role, name))

    def each(self, role: str | Sequence[str] = (), name: str | Callable[[str], bool] = "") -> Iterator[Node]:
        """The same, one by one; controls deeper than the last one taken are not queried."""
        return (node for node in self.below() if _is(node, role, name))

    def find(
        self, role: str | Sequence[str] = (), name: str | Callable[[str], bool] = "", seconds: float = PATIENCE_S
    ) -> Node:
        """The first such control; waits until there is one."""
        return until(lambda: next(self.each(role, name), None), f"a control: {role} {name}", seconds)

    @property
    def focused(self) -> Node | None:
        """The innermost visible descendant that has the keyboard focus. Qt says so of the current tab of any tab bar,
        wherever the focus is: tabs do not count."""
        nodes = [node for node in self.below() if "focused" in node.states and node.role != "page tab"]
        return nodes[-1] if nodes else None

    def outline(self) -> str:
        """All visible descendants as text, for failure messages."""
        return "\n".join(f"{node.role}: {node.name} [{' '.join(sorted(node.states))}]" for node in self.below())


class Tree:
    """A connection to the accessibility bus, for use by one thread. ``scale``: physical pixels for each of Qt's logical
    pixels."""

    def __init__(self, address: str, scale: int = 1) -> None:
        self._scale = scale
        self._connection: DBusConnection = open_dbus_connection(address)

    def close(self) -> None:
        self._connection.close()

    def program(self, pid: int) -> Node:
        """The application of a process; waits until it has registered."""
        return until(lambda: self._program(pid), f"process {pid} on the bus for assistive tools")

    def _program(self, pid: int) -> Node | None:
        registry = ("org.a11y.atspi.Registry", ROOT)
        for sender, path in self.ask(*registry, ACCESSIBLE, "GetChildren")[0]:
            if self._pid(sender) == pid:
                return next(iter(self.describe([(sender, path)])), None)
        return None

    def _pid(self, sender: str) -> int:
        bus = DBusAddress("/org/freedesktop/DBus", BUS, BUS)
        reply = self._all([new_method_call(bus, "GetConnectionUnixProcessID", "s", (sender,))])[0]
        return -1 if _failed(reply) else int(reply.body[0])

    def children(self, nodes: Sequence[Node]) -> list[Node]:
        """The children of all ``nodes``, in order; none for a node that no longer exists."""
        messages = [new_method_call(_address(n.sender, n.path, ACCESSIBLE), "GetChildren") for n in nodes]
        places = [place for reply in self._all(messages) if not _failed(reply) for place in reply.body[0]]
        return self.describe([(str(sender), str(path)) for sender, path in places])

    def describe(self, places: Sequence[tuple[str, str]]) -> list[Node]:
        """Role, name and states of many controls at once, without those that no longer exist."""
        messages: list[Message] = []
        for sender, path in places:
            address = _address(sender, path, ACCESSIBLE)
            messages += [new_method_call(address, "GetRoleName"), new_method_call(address, "GetState")]
            messages.append(Properties(address).get("Name"))
            messages.append(new_method_call(_address(sender, path, COMPONENT), "GetExtents", "u", (0,)))
        replies = self._all(messages)
        nodes = []
        for i, (sender, path) in enumerate(places):
            role, state, name, extents = replies[4 * i : 4 * i + 4]
            if not any(map(_failed, (role, state, name))):
                states = frozenset(STATES[bit] for bit in _bits(state.body[0]) if bit in STATES)
                nodes.append(
                    Node(self, sender, path, str(role.body[0]), str(name.body[0][1]), states, self._box(extents))
                )
        return nodes

    def _box(self, extents: Message) -> Box:
        left, top, width, height = (0, 0, 0, 0) if _failed(extents) else extents.body[0]
        return left * self._scale, top * self._scale, width * self._scale, height * self._scale

    def ask(
        self, sender: str, path: str, interface: str, method: str, signature: str = "", body: tuple[Any, ...] = ()
    ) -> tuple[Any, ...]:
        """The answer to one call; AssertionError if the program rejects it."""
        reply = self._all([new_method_call(_address(sender, path, interface), method, signature or None, body)])[0]
        if _failed(reply):
            raise AssertionError(f"{interface}.{method} of {path}: {reply.body}")
        return tuple(reply.body)

    def properties(self, sender: str, path: str, interface: str, name: str) -> Any:
        """The value of one property; AssertionError if there is none."""
        reply = self._all([Properties(_address(sender, path, interface)).get(name)])[0]
        if _failed(reply):
            raise AssertionError(f"{interface}.{name} of {path}: {reply.body}")
        return reply.body[0][1]

    def _all(self, messages: Sequence[Message]) -> list[Message]:
        """The replies to ``messages``, all of which are sent before the first reply is awaited. Qt does not answer for
        a control that no longer exists, but it answers in the order of the questions: when the last question, which
        concerns the program itself, is answered, the controls without an answer are gone. So a busy program is waited
        for, and a deleted control is not."""
        last = [_about_root(to) for to in dict.fromkeys(_receiver(m) for m in messages) if to != BUS]
        batch = [*messages, *last]
        waiting: dict[int, int] = {}
        for place, message in enumerate(batch):
            serial = next(self._connection.outgoing_serial)
            waiting[serial] = place
            self._connection.send(message, serial=serial)
        replies: dict[int, Message] = {}
        needed = set(range(len(messages), len(batch))) or set(range(len(messages)))
        while not needed <= replies.keys():
            try:
                reply = self._connection.receive(timeout=REPLY_S)
            except TimeoutError:
                raise AssertionError(f"no answer over AT-SPI for {REPLY_S:g} s") from None
            place_or_none = waiting.pop(reply.header.fields.get(HeaderFields.reply_serial, -1), None)
            if place_or_none is not None:
                replies[place_or_none] = reply
        return [replies.get(place) or new_error(message, NO_REPLY) for place, message in enumerate(messages)]


def _receiver(message: Message) -> str:
    return str(message.header.fields[HeaderFields.destination])


def _about_root(sender: str) -> Message:
    return new_method_call(_address(sender, ROOT, ACCESSIBLE), "GetRole")


def _address(sender: str, path: str, interface: str) -> DBusAddress:
    return DBusAddress(path, sender, interface)


def _failed(reply: Message) -> bool:
    return reply.header.message_type is MessageType.error


def _bits(words: Sequence[int]) -> Iterator[int]:
    for place, word in enumerate(words):
        for bit in range(32):
            if word >> bit & 1:
                yield 32 * place + bit


def _is(node: Node, role: str | Sequence[str], name: str | Callable[[str], bool]) -> bool:
    roles = (role,) if isinstance(role, str) else role
    if roles and node.role not in roles:
        return False
    return name(node.name) if callable(name) else name in ("", node.name)
