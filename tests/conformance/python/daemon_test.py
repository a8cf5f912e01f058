#!/usr/bin/python3
"""Holds conversations with a daemon as a client that shares no code with it.

usage: daemon_test.py JOINTCASTD JOINTCAST
"""

import asyncio
import json
import math
import re
import subprocess
import sys
import tempfile
import threading
import unittest

from jointcast_example import connection
from jointcast_example.capture import POSE, Capture, Item
from jointcast_example.connection import Client
from jointcast_example.pose_line import line_of

DAEMON, JOINTCAST = sys.argv[1:3]
PATIENCE = 30.0  # seconds, for a machine that is busy
STANDARD_DEGREES = 0.25  # by which rotations of coding 2 are off at most, with the default precision
MODEL_DEGREES = 2.02     # and those of coding 3: by the bound of a head and that of the neck


def degrees_between(a, b):
    """The angle between two rotations: by their distance, which is exact where they are near."""
    distance = min(math.dist(a, b), math.dist(a, [-c for c in b]))
    return math.degrees(4 * math.asin(min(1.0, distance / 2)))


class Watcher(Client):
    """A client that keeps all messages and frames."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, on_frame=self.keep, on_message=lambda message: self.messages.append(message),
                         **options)
        self.messages = []
        self.frames = {}  # (name of the body, time): line

    def keep(self, body, time):
        skeleton = self.space.skeletons[body.skeleton]
        self.frames[body.entry["name"], time] = line_of(body, time, skeleton)

    def of(self, kind):
        return [message for message in self.messages if message["type"] == kind]

    async def until(self, what, find):
        """Waits until find() returns something, and returns that."""
        for _ in range(int(PATIENCE * 50)):
            found = find()
            if found:
                return found
            await asyncio.sleep(0.02)
        raise AssertionError(f"still not: {what}; last messages: {json.dumps(self.messages[-3:])[:600]}")

    async def ask(self, message, *kinds, **fields):
        """Sends a message, and returns the next one of these types with these fields, or the next error."""
        seen = len(self.messages)
        await self.send(message)
        return await self.until(f"an answer to {message}", lambda: next(
            (found for found in self.messages[seen:] if found["type"] == "error" or (
                found["type"] in kinds and fields.items() <= found.items())), None))

    async def ask_with(self, request, message):
        """Sends a message with a request, and returns the answer, which repeats it."""
        await self.send(message | {"request": request})
        return await self.until(f"an answer to {message}", lambda: next(
            (found for found in self.messages if found.get("request") == request), None))

    async def ask_replay(self, action, **fields):
        message = {"type": "replay", "space": self.space.name, "action": action} | fields
        return await self.ask(message, "replaying", answers=action)


class Conversations(unittest.IsolatedAsyncioTestCase):
    async def daemon(self, *options):
        """Starts a daemon on a free port, and returns its address."""
        process = await asyncio.create_subprocess_exec(
            DAEMON, "--listen", "127.0.0.1:0", *options, stderr=asyncio.subprocess.PIPE)
        self.addAsyncCleanup(self.stop, process)
        while True:
            line = (await asyncio.wait_for(process.stderr.readline(), PATIENCE)).decode()
            self.assertTrue(line, "the daemon ended")
            if found := re.search(r"listening on (127\.0\.0\.1:\d+)", line):
                break
        self.log = asyncio.create_task(process.stderr.read())
        return f"ws://{found[1]}/"

    async def stop(self, process):
        process.terminate()
        self.assertEqual(await process.wait(), 0, "the daemon does not end cleanly")

    async def client(self, url, **options):
        """A client that has its answer to hello."""
        client = Watcher(url, **options)
        task = asyncio.create_task(client.run())
        self.addAsyncCleanup(self.finish, task)
        await client.until("welcome", lambda: client.welcome)
        return client

    @staticmethod
    async def finish(task):
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def test_each_coding_and_the_tool_show_the_same_motion(self):
        url = await self.daemon("--source", "demo:walk?name=walker", "--source", "demo:wave?name=waver")
        tool = subprocess.Popen([JOINTCAST, "watch", "--poses", "--skeleton", "own", url], stdout=subprocess.PIPE)
        self.addCleanup(tool.wait)
        self.addCleanup(tool.stdout.close)
        lines = []
        reader = threading.Thread(target=lambda: [lines.append(line) for line in tool.stdout])
        reader.start()
        self.addCleanup(reader.join)
        self.addCleanup(tool.kill)
        model, chains, plain = [await self.client(url, codings=codings) for codings in ([3, 2, 1], [2, 1], [1])]
        for client, degrees in ((model, MODEL_DEGREES), (chains, STANDARD_DEGREES)):
            await client.until("common frames", lambda: len(client.frames.keys() & plain.frames.keys()) > 60)
            for key in client.frames.keys() & plain.frames.keys():
                self.compare(client.frames[key], plain.frames[key], degrees + 0.02, 0.02)

        def found():
            poses = map(json.loads, list(lines))
            return [line for line in poses if (line["name"], line["time"]) in plain.frames]
        await plain.until("frames that the tool has too", lambda: len(found()) > 10)
        for line in found():
            self.compare(plain.frames[line["name"], line["time"]], line, 0.09, 0.007)  # the tool has the precision local
        self.assertEqual((model.damaged, chains.damaged, plain.damaged), (0, 0, 0))
        codings = [{chain.coding for body in client.space.bodies.values() for chain in body._chains.values()}
                   for client in (model, chains, plain)]
        self.assertEqual(codings, [{3}, {2}, set()])

    def compare(self, one, other, degrees, metres):
        self.assertEqual(one["bones"].keys(), other["bones"].keys())
        for name, bone in one["bones"].items():
            self.assertLess(degrees_between(bone["rotation"], other["bones"][name]["rotation"]), degrees, name)
            self.assertLess(math.dist(bone["position"], other["bones"][name]["position"]), metres, name)

    async def test_welcome_and_errors_are_as_documented(self):
        client = await self.client(await self.daemon("--source", "demo:walk?name=walker"), subscribes=False)
        self.assertEqual(client.welcome["protocol"], "jointcast.v1")
        self.assertEqual([coding["id"] for coding in client.welcome["codings"]], [1, 2, 3])
        limits = client.welcome["limits"]
        for message, code in (
                ({"type": "subscribe", "space": "lobby"}, "not-joined"),
                ({"type": "weather"}, "unknown-type"),
                ({"type": "join", "space": "nowhere"}, "unknown-space"),
                ({"type": "place", "space": "lobby", "body": 999, "position": [0, 0, 0], "yaw": 0}, "unknown-body"),
                ({"type": "unpublish", "publication": 7}, "unknown-publication"),
                ({"type": "publish", "space": "lobby", "publication": 300, "name": "x", "kind": "poses"}, "bad-field"),
                ({"type": "hello", "codings": [14]}, "unsupported")):
            error = await client.ask(message)
            self.assertEqual((error["code"], error["ref"]), (code, message["type"]), error)
        answers = len(client.messages)
        for _ in range(2 * limits["rosters"] + 8):
            await client.send({"type": "join", "space": "lobby"})
        await client.until("a roster rate that is exceeded", lambda: any(
            error["code"] == "too-many" and error["ref"] == "join" for error in client.of("error")))
        self.assertGreaterEqual(len([m for m in client.messages[answers:] if m["type"] == "roster"]), limits["rosters"])
        pong = await client.ask({"type": "ping", "t": 12.5}, "pong")
        self.assertEqual(pong["type"], "pong")
        self.assertIsNone(client.closed)

    async def test_every_request_has_one_answer_that_repeats_it(self):
        client = await self.client(await self.daemon("--source", "demo:walk?name=walker"), subscribes=False)
        lobby, publication = {"space": "lobby"}, {"publication": 3}
        conversation = (
            ("hello", {"codings": [2, 1]}, "welcome"), ("ping", {"t": 1}, "pong"), ("join", lobby, "roster"),
            ("subscribe", lobby, "subscribed"), ("keyframe", lobby, "done"), ("unsubscribe", lobby, "done"),
            ("publish", lobby | publication | {"name": "Ada", "kind": "poses"}, "published"),
            ("amend", publication | {"display": "Ada L."}, "amended"), ("unpublish", publication, "unpublished"),
            ("skeletons", {}, "wardrobe"), ("leave", lobby, "done"), ("leave", lobby, "error"),
            ("weather", {}, "error"), ("replay", lobby | {"action": "list"}, "error"))
        for form in (int, "request {}".format):
            for number, (kind, message, answer) in enumerate(conversation):
                request = form(number)
                found = await client.ask_with(request, {"type": kind} | message)
                self.assertEqual(found["type"], answer, found)
                self.assertEqual(found.get("ref", kind), kind)
        limit = client.welcome["limits"]["rosters"]
        for number in range(3 * limit):  # more than are served at once
            await client.send({"type": "join", "space": "lobby", "request": f"surplus {number}"})
        answers = await client.until("an answer to each", lambda: len(found := [
            message for message in client.messages if str(message.get("request", "")).startswith("surplus")]) == 3 * limit and found)
        self.assertEqual({message["type"] for message in answers}, {"roster", "error"})
        refused = await client.ask({"type": "ping", "t": 1, "request": 33 * "x"})
        self.assertEqual(refused["code"], "bad-field")

    async def test_leave_ends_the_motion_and_join_begins_it(self):
        client = await self.client(await self.daemon("--source", "demo:walk?name=walker"))
        await client.until("frames", lambda: len(client.frames) > 5)
        await client.leave()
        await client.ask({"type": "ping", "t": 0}, "pong")  # bundles before the answer may be on their way
        count = client.bundles
        await asyncio.sleep(0.3)  # proves that nothing comes
        self.assertEqual(client.bundles, count)
        frames = len(client.frames)
        await client.join()
        await client.until("frames again", lambda: len(client.frames) > frames + 5)
        self.assertEqual(client.of("error"), [])

    async def test_a_discarded_bundle_costs_one_rejoin(self):
        url = await self.daemon("--source", "demo:walk?name=walker")
        client, plain = await self.client(url), await self.client(url, codings=[1])
        await client.until("frames", lambda: len(client.frames) > 20)
        decode, lost, waited = connection.decode_bundle, [3], []

        def lose_some(message, before):
            bundle = decode(message, before)
            if lost[0] and before is client._before:
                lost[0] -= 1
                client.space.discard()
                waited.append(client.space.lost())
                bundle.packets.clear()
            return bundle
        connection.decode_bundle = lose_some
        self.addCleanup(setattr, connection, "decode_bundle", decode)
        await client.until("discarded bundles", lambda: not lost[0])
        self.assertTrue(all(waited), "the stream waits after each of them")
        await client.until("a rejoin packet", lambda: not client.space.lost())
        rejoined = max(time for _, time in client.frames)
        await client.until("frames after it", lambda: max(time for _, time in client.frames) > rejoined + 500_000)
        later = [key for key in client.frames.keys() & plain.frames.keys() if key[1] >= rejoined]
        self.assertGreater(len(later), 3)
        for key in later:
            self.compare(client.frames[key], plain.frames[key], MODEL_DEGREES + 0.02, 0.02)

    async def test_a_published_body_is_seen_as_it_was_sent(self):
        url = await self.daemon()
        publisher, watcher = await self.client(url, subscribes=False), await self.client(url)
        publication = await publisher.publish("Ada", placement={"position": [1, 0, 2], "yaw": 0})
        turned = [0.0, math.sin(math.pi / 12), 0.0, math.cos(math.pi / 12)]
        straight = [0.0, 0.0, 0.0, 1.0]
        for _ in range(int(PATIENCE * 30)):
            items = {"hips": Item(straight), "spine": Item(straight), "head": Item(turned)}
            if publication.ready():
                await publication.send(Capture(POSE, publisher.clock.server(), items))
            if any(degrees_between(line["bones"]["head"]["rotation"], turned) < MODEL_DEGREES
                   for line in watcher.frames.values()):
                break
            await asyncio.sleep(1 / 30)
        else:
            self.fail("the watcher does not see the head turned by 30 degrees")
        line = list(watcher.frames.values())[-1]
        self.assertEqual(line["name"], "Ada")
        self.assertLess(math.hypot(line["bones"]["hips"]["position"][0] - 1,
                                   line["bones"]["hips"]["position"][2] - 2), 0.01)
        body = publication.body
        await publication.withdraw()
        await watcher.until("the body has left", lambda: body not in watcher.space.bodies)
        self.assertEqual(publisher.of("error"), [])

    async def test_a_recording_plays_as_another_body(self):
        with tempfile.TemporaryDirectory() as folder:
            url = await self.daemon("--source", "demo:walk?name=walker", "--record", folder)
            client = await self.client(url)
            await client.until("frames", lambda: len(client.frames) > 60)
            stopped = await client.ask({"type": "record", "space": "lobby", "action": "stop"}, "recording")
            self.assertEqual(stopped["type"], "recording", stopped)
            while not (recordings := (await client.ask_replay("list"))["recordings"]):
                await asyncio.sleep(0.3)  # the file is still being written
            file = recordings[0]["file"]
            opened = await client.ask_replay("open", file=file, names={"walker": "ghost"}, loop=True)
            self.assertIn("opened", opened)
            await client.until("frames of the replay", lambda: len(
                [name for name, _ in client.frames if name == "ghost"]) > 20)
            paused = await client.ask_replay("pause", id=opened["opened"])
            self.assertEqual(paused["replays"][0]["state"], "paused")
            await client.ask_replay("close", id=opened["opened"])
            await client.until("the body has left", lambda: all(
                body.entry["name"] != "ghost" for body in client.space.bodies.values()))
            self.assertEqual(client.of("error"), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
