"""A client of the protocol jointcast.v1, written from proto/ alone.

It shares no code with the daemon, with clients/js or with libjointcast, and
serves two purposes: it tests the protocol document, and it shows implementers
a complete client in plain Python. It needs Python 3.11 and, for the
connection only, python3-websockets.
"""
