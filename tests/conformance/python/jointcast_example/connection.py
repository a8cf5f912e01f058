"""A connection to a server: greets, joins, subscribes, acknowledges, publishes, and comes back."""

import asyncio
import json
import random
import sys

import websockets

from .bundle import decode_bundle
from .capture import encode_capture
from .clock import Clock
from .space import Space
from .wire import Damaged

SUBPROTOCOL = "jointcast.v1"
MOST_MESSAGE = 16 << 20   # bytes of a message from the server
ACK_SECONDS, KEYFRAME_SECONDS, PING_SECONDS = 0.1, 0.5, 2.0
BACK_OFF_SECONDS, MOST_BACK_OFF_SECONDS, STABLE_SECONDS = 0.5, 30.0, 10.0


class ProtocolMissing(Exception):
    """The server did not select the subprotocol."""


class Client:
    """Watches one space, and publishes bodies in it.

    `options`: further fields of `subscribe`. `subscribes`: False for a client that only publishes.
    Callbacks: `on_frame(body, time)`, `on_message(message)` for each control message.
    """

    def __init__(self, url, space="lobby", codings=(3, 2, 1), token=None, options=None, subscribes=True,
                 on_frame=lambda body, time: None, on_message=lambda message: None):
        self.url = url
        self.codings = list(codings)
        self.token = token
        self.options = options or {}
        self.subscribes = subscribes
        self.on_frame = on_frame
        self.on_message = on_message
        self.space = Space(space, self.on_frame)
        self.clock = Clock()
        self.welcome = None
        self.closed = None         # close code of the last connection
        self.bundles = 0
        self.damaged = 0
        self._socket = None
        self._before = None        # head of the bundle before
        self._acknowledged = None  # the newest tick that the server knows of
        self.publications = {}
        self._requested_roster = False
        self._retry_after = 0.0

    async def run(self):
        """Connects until cancelled, with exponential back-off and full jitter."""
        bound = BACK_OFF_SECONDS
        while True:
            began = self.clock.local()
            try:
                await self._converse()
            except (OSError, asyncio.TimeoutError, websockets.WebSocketException):
                pass
            if self.clock.local() - began >= STABLE_SECONDS * 1e6:
                bound = BACK_OFF_SECONDS
            await asyncio.sleep(max(self._retry_after, random.uniform(0, bound)))
            self._retry_after = 0.0
            bound = min(2 * bound, MOST_BACK_OFF_SECONDS)

    async def _converse(self):
        """One connection, from hello to close."""
        async with websockets.connect(self.url, subprotocols=[SUBPROTOCOL], compression=None,
                                      ping_interval=None, max_size=MOST_MESSAGE) as socket:
            if socket.subprotocol != SUBPROTOCOL:
                raise ProtocolMissing(self.url)
            self._socket, self._before, self._acknowledged = socket, None, None
            self.space = Space(self.space.name, self.on_frame)
            self.clock = Clock()
            hello = {"type": "hello", "codings": self.codings, "credit": True, "client": "jointcast example"}
            await self.send(hello | ({"token": self.token} if self.token else {}))
            timers = [asyncio.create_task(timer) for timer in (self._ping(), self._acknowledge(), self._repair())]
            try:
                async for message in socket:
                    if isinstance(message, bytes):
                        self._on_binary(message)
                    else:
                        await self._on_text(message)
            finally:
                for timer in timers:
                    timer.cancel()
                self.closed = socket.close_code
                self.welcome = None
                for publication in self.publications.values():
                    publication.body = None

    async def send(self, message):
        """Sends a control message, or bytes; a message to a lost connection is lost with it."""
        try:
            await self._socket.send(message if isinstance(message, bytes) else json.dumps(message))
        except websockets.ConnectionClosed:
            pass  # run() connects again

    async def _on_text(self, text):
        """Takes over a control message; ignores an unknown one, and one that breaks the protocol."""
        handlers = {"welcome": self._on_welcome, "roster": self._on_roster, "skeleton": self._on_skeleton,
                    "worn": self._on_worn, "pong": self._on_pong, "published": self._on_published,
                    "unpublished": self._on_unpublished, "going_away": self._on_going_away}
        try:
            message = json.loads(text)
            if message["type"] in handlers:
                await handlers[message["type"]](message)
            self.on_message(message)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
            print(f"ignored a message: {error!r}", file=sys.stderr)

    async def _on_welcome(self, message):
        self.welcome = message
        for publication in self.publications.values():
            await self.send(publication.request)
        if self.subscribes:
            await self.join()

    async def join(self):
        """Joins the space, or requests its complete roster again."""
        self._requested_roster = True
        await self.send({"type": "join", "space": self.space.name})

    async def leave(self):
        """Leaves the space. The server does not repeat the skeletons that it sent on this connection."""
        skeletons = self.space.skeletons
        self.space = Space(self.space.name, self.on_frame)
        self.space.skeletons = skeletons
        await self.send({"type": "leave", "space": self.space.name})

    async def _on_roster(self, message):
        if message["space"] != self.space.name:
            return
        first = self.space.revision is None and "bodies" in message
        missing = self.space.on_roster(message)
        if "bodies" in message:
            self._requested_roster = False
            if first:
                await self.send({"type": "subscribe", "space": self.space.name} | self.options)
        elif missing and not self._requested_roster:
            await self.join()

    async def _on_skeleton(self, message):
        self.space.on_skeleton(message)

    async def _on_worn(self, message):
        self.space.on_worn(message)

    async def _on_pong(self, message):
        self.clock.exchange(message["t"], self.clock.local(), message["time"])

    async def _on_published(self, message):
        publication = self.publications.get(message["publication"])
        if publication:
            publication.body = message["body"]

    async def _on_unpublished(self, message):
        publication = self.publications.pop(message["publication"], None)
        if publication:
            publication.body = None

    async def _on_going_away(self, message):
        self._retry_after = message["retryAfter"] / 1000

    def _on_binary(self, message):
        """Takes over a bundle; ignores another kind of binary message."""
        try:
            bundle = decode_bundle(message, self._before)
        except Damaged as damage:
            if damage.kind != "unsupported":
                self.damaged += 1
                self.space.discard()
            return
        self._before = bundle.head
        self.damaged += bundle.damage is not None
        if bundle.head.space == self.space.id:
            self.bundles += 1
            self.space.on_bundle(bundle)

    async def _ping(self):
        while True:
            await self.send({"type": "ping", "t": self.clock.local()})
            await asyncio.sleep(PING_SECONDS)

    async def _acknowledge(self):
        while True:
            await asyncio.sleep(ACK_SECONDS)
            tick = self.space.tick
            if tick is not None and tick != self._acknowledged:
                self._acknowledged = tick
                await self.send({"type": "ack", "space": self.space.name, "tick": tick})

    async def _repair(self):
        while True:
            await asyncio.sleep(KEYFRAME_SECONDS)
            if self.space.lost():
                await self.send({"type": "keyframe", "space": self.space.name})

    async def look(self, viewpoints):
        """Reports where the client looks from; more often than 30 times a second is of no use."""
        await self.send({"type": "viewpoint", "space": self.space.name, "viewpoints": viewpoints})

    async def publish(self, name, **fields):
        """Publishes a body; returns at once. It is published again after a reconnection."""
        number = next(number for number in range(256) if number not in self.publications)
        publication = Publication(self, number, name, fields)
        self.publications[number] = publication
        if self.welcome:
            await self.send(publication.request)
        return publication


class Publication:
    """A body of this client. `body`: its id, or None while it is not published."""

    def __init__(self, client, number, name, fields):
        self.client = client
        self.number = number
        self.request = {"type": "publish", "space": client.space.name, "publication": number, "name": name,
                        "kind": "poses"} | fields
        self.body = None
        self._captured = 0

    def ready(self):
        """Whether a capture may be sent: published, the clock known, and the socket not behind."""
        socket = self.client._socket
        return (self.body is not None and self.client.clock.offset is not None
                and socket.transport.get_write_buffer_size() == 0)

    async def send(self, capture):
        """Sends a capture, if it may be sent now; the newest is the only one that matters."""
        if self.ready() and capture.time > self._captured:
            self._captured = capture.time
            await self.client.send(bytes([0x21, self.number]) + encode_capture(capture))

    async def place(self, position, yaw):
        if self.body is not None:
            await self.client.send({"type": "place", "space": self.client.space.name, "body": self.body,
                                    "position": position, "yaw": yaw})

    async def withdraw(self):
        """The body leaves; its number is free again after `unpublished`."""
        if self.body is not None:
            self.body = None
            await self.client.send({"type": "unpublish", "publication": self.number})
