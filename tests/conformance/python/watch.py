#!/usr/bin/python3
"""Watches a space and prints each frame as one line of JSON.

usage: watch.py [--space NAME] [--codings 2,1] URL

Each line has `time` (microseconds of server time of the capture), `body` (id), `name` and
`bones`: for each bone of the skeleton its `rotation` N (that of the hips in the space) and
the `position` of its joint in the space, metres.
"""

import argparse
import asyncio
import json
import sys

from jointcast_example.connection import Client
from jointcast_example.pose_line import line_of


def main():
    parser = argparse.ArgumentParser(description="Prints the frames of a space as lines of JSON.")
    parser.add_argument("--space", default="lobby")
    parser.add_argument("--codings", default="2,1", help="rotation codings, default 2,1")
    parser.add_argument("url")
    arguments = parser.parse_args()

    def on_frame(body, time):
        skeleton = client.space.skeletons[body.skeleton]
        print(json.dumps(line_of(body, time, skeleton)), flush=True)

    def on_message(message):
        if message.get("type") == "error":
            print(f"error {message['code']}: {message['message']}", file=sys.stderr)

    codings = [int(coding) for coding in arguments.codings.split(",")]
    client = Client(arguments.url, arguments.space, codings, on_frame=on_frame, on_message=on_message)
    asyncio.run(client.run())


if __name__ == "__main__":
    try:
        main()
    except (KeyboardInterrupt, BrokenPipeError):
        pass
