"""The accessibility tree of a program: its controls as reported over AT-SPI, read from another process.

Interfaces and state numbers are those of the AT-SPI 2 D-Bus protocol (org.a11y.atspi.*).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from jeepney import DBusAddress, HeaderFields, Message, MessageType, new_error, new_method_call
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
LEAVES = frozenset(("label", "check box", "radio button", "page tab", "grip", "scroll bar"))
"""Roles without children; a field may have switches in it."""
DOCK = "panel"
"""The role of docks: those behind others report that they are visible, but their position is beside the screen."""
PROPERTIES = "org.freedesktop.DBus.Properties"
SERIAL = slice(8, 12)
"""The number of a message, in its bytes (D-Bus specification, message format)."""
MOST_QUESTIONS = 1 << 14
"""Of which the bytes are remembered: searches ask the same again and again, and writing them takes half of the time."""
REPLY_S = PATIENCE_S
"""Timeout for an answer."""
BUS = "org.freedesktop.DBus"
NO_REPLY = "org.freedesktop.DBus.Error.NoReply"

Address: TypeAlias = tuple[str, str]
"""Of a control: the name of its program on the bus, and its path there."""
Wanted: TypeAlias = Callable[[str, frozenset[str]], bool]
"""Whether a control with a role and states is."""


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
        """Whether a user cannot see it."""
        return "showing" not in self.states or _beside(self.box)

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

    def below(self, wanted: Wanted = lambda _role, _states: True) -> Iterator[Node]:
        """This control and all visible descendants, level by level, of them those that are ``wanted``; without the rows
        of tables and lists. Those deeper than the last one taken are not queried."""
        if wanted(self.role, self.states):
            yield self
        level = [] if self.role in LARGE else self.tree.addresses([(self.sender, self.path)])
        while level:
            nodes, level = self.tree.look(level, wanted)
            yield from nodes

    def all(self, role: str | Sequence[str] = (), name: str | Callable[[str], bool] = "") -> list[Node]:
        """Every visible descendant with one of the roles and the name (a text, or a predicate on it; empty: any)."""
        return list(self.each(role, name))

    def each(self, role: str | Sequence[str] = (), name: str | Callable[[str], bool] = "") -> Iterator[Node]:
        """The same, one by one."""
        roles = (role,) if isinstance(role, str) else role
        nodes = self.below(lambda own, _: not roles or own in roles)
        return (node for node in nodes if (name(node.name) if callable(name) else name in ("", node.name)))

    def find(
        self, role: str | Sequence[str] = (), name: str | Callable[[str], bool] = "", seconds: float = PATIENCE_S
    ) -> Node:
        """The first such control; waits until there is one."""
        return until(lambda: next(self.each(role, name), None), f"a control: {role} {name}", seconds)

    @property
    def focused(self) -> Node | None:
        """The innermost visible descendant that has the keyboard focus. Qt says so of the current tab of any tab bar,
        wherever the focus is: tabs do not count."""
        nodes = list(self.below(lambda role, states: "focused" in states and role != "page tab"))
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
        self._roles: dict[Address, str] = {}

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
        question = _call(BUS, "/org/freedesktop/DBus", BUS, "GetConnectionUnixProcessID", "s", (sender,))
        reply = self._all([question])[0]
        return -1 if _failed(reply) else int(reply.body[0])

    def children(self, nodes: Sequence[Node]) -> list[Node]:
        """The children of all ``nodes``, in order; none for a node that no longer exists."""
        return self.describe(self.addresses([(node.sender, node.path) for node in nodes]))

    def addresses(self, parents: Sequence[Address]) -> list[Address]:
        """Those of the children of all ``parents``."""
        replies = self._all([_call(*parent, ACCESSIBLE, "GetChildren") for parent in parents])
        return [address for reply in replies for address in _addresses(reply)]

    def describe(self, places: Sequence[Address]) -> list[Node]:
        """Many controls at once, without those that no longer exist."""
        kinds = self._kinds(places)
        questions = [ask(place) for place, _, _ in kinds for ask in (_name, _extents)]
        replies = self._all(questions)
        return [
            Node(self, *place, role, str(name.body[0][1]), states, self._box(extents))
            for (place, role, states), name, extents in zip(kinds, replies[::2], replies[1::2], strict=True)
            if not _failed(name)
        ]

    def look(self, places: Sequence[Address], wanted: Wanted) -> tuple[list[Node], list[Address]]:
        """(those of some controls that a user can see and that are ``wanted``; the addresses of the children of all
        that he can see, without rows of tables and lists). What is not wanted is asked as little as possible: a window
        has a thousand controls, half of them hidden."""
        seen = [kind for kind in self._kinds(places) if "showing" in kind[2]]
        questions: dict[tuple[Address, str], Question] = {}
        for place, role, states in seen:
            if own := wanted(role, states):
                questions[place, "name"] = _name(place)
            if own or role == DOCK:
                questions[place, "extents"] = _extents(place)
            if role not in LARGE | LEAVES:
                questions[place, "children"] = _call(*place, ACCESSIBLE, "GetChildren")
        replies = dict(zip(questions, self._all(list(questions.values())), strict=True))
        nodes, below = list[Node](), list[Address]()
        for place, role, states in seen:
            extents, name = replies.get((place, "extents")), replies.get((place, "name"))
            box = (0, 0, 0, 0) if extents is None else self._box(extents)
            if extents is not None and _beside(box):
                continue
            if name is not None and not _failed(name):
                nodes.append(Node(self, *place, role, str(name.body[0][1]), states, box))
            if (children := replies.get((place, "children"))) is not None:
                below += _addresses(children)
        return nodes, below

    def _kinds(self, places: Sequence[Address]) -> list[tuple[Address, str, frozenset[str]]]:
        """The roles and states of those that exist. A role is asked for once: it does not change."""
        new = [place for place in places if place not in self._roles]
        replies = self._all(
            [_call(*place, ACCESSIBLE, "GetState") for place in places]
            + [_call(*place, ACCESSIBLE, "GetRoleName") for place in new]
        )
        for place, role in zip(new, replies[len(places) :], strict=True):
            if not _failed(role):
                self._roles[place] = str(role.body[0])
        return [
            (place, self._roles[place], frozenset(STATES[bit] for bit in _bits(state.body[0]) if bit in STATES))
            for place, state in zip(places, replies, strict=False)
            if not _failed(state) and place in self._roles
        ]

    def _box(self, extents: Message) -> Box:
        left, top, width, height = (0, 0, 0, 0) if _failed(extents) else extents.body[0]
        return left * self._scale, top * self._scale, width * self._scale, height * self._scale

    def ask(
        self, sender: str, path: str, interface: str, method: str, signature: str = "", body: tuple[Any, ...] = ()
    ) -> tuple[Any, ...]:
        """The answer to one call; AssertionError if the program rejects it."""
        reply = self._all([_call(sender, path, interface, method, signature, body)])[0]
        if _failed(reply):
            raise AssertionError(f"{interface}.{method} of {path}: {reply.body}")
        return tuple(reply.body)

    def properties(self, sender: str, path: str, interface: str, name: str) -> Any:
        """The value of one property; AssertionError if there is none."""
        reply = self._all([_property(sender, path, interface, name)])[0]
        if _failed(reply):
            raise AssertionError(f"{interface}.{name} of {path}: {reply.body}")
        return reply.body[0][1]

    def _all(self, questions: Sequence[Question]) -> list[Message]:
        """The replies to ``questions``, all of which are sent before the first reply is awaited. Qt does not answer for
        a control that no longer exists, but it answers in the order of the questions: when the last question, which
        concerns the program itself, is answered, the controls without an answer are gone. So a busy program is waited
        for, and a deleted control is not."""
        last = [
            _call(to, ROOT, ACCESSIBLE, "GetRole") for to in dict.fromkeys(q.receiver for q in questions) if to != BUS
        ]
        batch = [*questions, *last]
        serials = [next(self._connection.outgoing_serial) for _ in batch]
        waiting = dict(zip(serials, range(len(batch)), strict=True))
        self._connection.sock.sendall(b"".join(map(Question.numbered, batch, serials)))
        replies: dict[int, Message] = {}
        needed = set(range(len(questions), len(batch))) or set(range(len(questions)))
        while not needed <= replies.keys():
            try:
                reply = self._connection.receive(timeout=REPLY_S)
            except TimeoutError:
                raise AssertionError(f"no answer over AT-SPI for {REPLY_S:g} s") from None
            place_or_none = waiting.pop(reply.header.fields.get(HeaderFields.reply_serial, -1), None)
            if place_or_none is not None:
                replies[place_or_none] = reply
        return [replies.get(place) or new_error(question.message, NO_REPLY) for place, question in enumerate(questions)]


class Question(Struct, frozen=True):
    """A call with its bytes."""

    message: Message
    receiver: str
    written: bytes

    def numbered(self, serial: int) -> bytes:
        """The bytes with the number by which the reply is known."""
        return self.written[: SERIAL.start] + struct.pack("<I", serial) + self.written[SERIAL.stop :]


@lru_cache(MOST_QUESTIONS)
def _call(
    sender: str, path: str, interface: str, method: str, signature: str = "", body: tuple[Any, ...] = ()
) -> Question:
    message = new_method_call(DBusAddress(path, sender, interface), method, signature or None, body)
    return Question(message, sender, message.serialise(serial=1))


def _property(sender: str, path: str, interface: str, name: str) -> Question:
    return _call(sender, path, PROPERTIES, "Get", "ss", (interface, name))


def _name(place: Address) -> Question:
    return _property(*place, ACCESSIBLE, "Name")


def _extents(place: Address) -> Question:
    return _call(*place, COMPONENT, "GetExtents", "u", (0,))


def _addresses(reply: Message) -> list[Address]:
    return [] if _failed(reply) else [(str(sender), str(path)) for sender, path in reply.body[0]]


def _failed(reply: Message) -> bool:
    return reply.header.message_type is MessageType.error


def _beside(box: Box) -> bool:
    """Whether it is beside the screen."""
    left, top, width, height = box
    return left + width <= 0 or top + height <= 0


def _bits(words: Sequence[int]) -> Iterator[int]:
    for place, word in enumerate(words):
        for bit in range(32):
            if word >> bit & 1:
                yield 32 * place + bit
