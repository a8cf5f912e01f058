#!/usr/bin/python3
"""Publishes a body that stands with its head turned 30 degrees to its left and its left arm lowered.

usage: publish.py [--space NAME] [--name NAME] [--rate HZ] URL

The body leaves when the standard input ends.
"""

import argparse
import asyncio
import math
import sys

from jointcast_example.capture import POSE, Capture, Item
from jointcast_example.connection import Client

HEAD_LEFT = [0.0, math.sin(math.pi / 12), 0.0, math.cos(math.pi / 12)]
ARM_DOWN = [0.0, 0.0, math.sin(-math.pi / 6), math.cos(-math.pi / 6)]


def pose(time):
    return Capture(POSE, time, {"hips": Item([0.0, 0.0, 0.0, 1.0]), "head": Item(HEAD_LEFT),
                                "leftUpperArm": Item(ARM_DOWN)})


async def publish(arguments):
    def on_message(message):
        if message["type"] == "error":
            print(f"error {message['code']}: {message['message']}", file=sys.stderr)

    client = Client(arguments.url, arguments.space, subscribes=False, on_message=on_message)
    connection = asyncio.create_task(client.run())
    publication = await client.publish(arguments.name)
    ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    while not ended.done() and not connection.done():
        if publication.ready():
            await publication.send(pose(client.clock.server()))
        await asyncio.sleep(1 / arguments.rate)
    await publication.withdraw()
    while publication.number in client.publications and not connection.done():
        await asyncio.sleep(0.01)
    connection.cancel()


def main():
    parser = argparse.ArgumentParser(description="Publishes a body that stands still.")
    parser.add_argument("--space", default="lobby")
    parser.add_argument("--name", default="Ada")
    parser.add_argument("--rate", type=float, default=60.0, help="captures per second, default 60")
    parser.add_argument("url")
    asyncio.run(publish(parser.parse_args()))


if __name__ == "__main__":
    main()
