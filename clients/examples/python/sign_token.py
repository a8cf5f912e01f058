"""Signs tokens for the users of a web service with PyJWT, as a backend in Python does.

usage: sign_token.py KEY ALGORITHM KID AUDIENCE SPACE USER     prints the token of USER
       Before: pip install "pyjwt[crypto]"; jointcast token --new-key KEY --algorithm ES256 --kid KID
"""
import sys, time
from pathlib import Path

import jwt


def sign_token(key, algorithm, kid, audience, space, user):
    """Permits a user who has logged in to watch one space and to publish a body of the user's name.
    The key is the content of a file of `jointcast token --new-key`."""
    claims = {
        "sub": user,
        "aud": audience,
        "exp": int(time.time()) + 600,
        "roles": ["watch", "publish"],
        "spaces": [space],
        "bodies": [user],
    }
    return jwt.encode(claims, key, algorithm, headers={"kid": kid})


if __name__ == "__main__":
    file, *rest = sys.argv[1:]
    print(sign_token(Path(file).read_bytes(), *rest))
