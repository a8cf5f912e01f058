#!/usr/bin/python3
"""Watches a space and prints each frame as one line of JSON.

usage: watch.py [--space NAME] [--codings 3,2,1] [--wander] [--quiet] URL

Each line has `time` (microseconds of server time of the capture), `body` (id), `name` and
`bones`: for each bone of the skeleton its `rotation` N (that of the hips in the space) and
the `position` of its joint in the space, metres. --wander publishes a body and moves it and
the viewpoint along a circle, 30 times a second; --quiet prints no poses.
"""

import argparse
import asyncio
import itertools
import json
import math
import sys

from jointcast_example.connection import Client
from jointcast_example.pose_line import line_of


async def watch(client, wanders):
    await asyncio.gather(client.run(), *([wander(client)] if wanders else []))


async def wander(client):
    publication = await client.publish("wanderer")
    for step in itertools.count():
        angle = step / 30
        x, z = 2 * math.cos(angle), 2 * math.sin(angle)
        if client.space.revision is not None:
            await client.look([{"position": [x, 1.6, z], "yaw": angle}])
        await publication.place([x, 0, z], angle)
        await asyncio.sleep(1 / 30)


def main():
    parser = argparse.ArgumentParser(description="Prints the frames of a space as lines of JSON.")
    parser.add_argument("--space", default="lobby")
    parser.add_argument("--codings", default="3,2,1", help="rotation codings, default 3,2,1")
    parser.add_argument("--wander", action="store_true", help="move a body and the viewpoint along a circle")
    parser.add_argument("--quiet", action="store_true", help="print no poses")
    parser.add_argument("url")
    arguments = parser.parse_args()

    def on_frame(body, time):
        if arguments.quiet:
            return
        skeleton = client.space.skeletons[body.skeleton]
        print(json.dumps(line_of(body, time, skeleton)), flush=True)

    def on_message(message):
        if message.get("type") == "error":
            print(f"error {message['code']}: {message['message']}", file=sys.stderr)

    codings = [int(coding) for coding in arguments.codings.split(",")]
    client = Client(arguments.url, arguments.space, codings, on_frame=on_frame, on_message=on_message)
    asyncio.run(watch(client, arguments.wander))


if __name__ == "__main__":
    try:
        main()
    except (KeyboardInterrupt, BrokenPipeError):
        pass
