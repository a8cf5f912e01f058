"""A pose as an object to print, of the form of `jointcast watch --poses`."""

from .rotation import about_y, multiply


def line_of(body, time, skeleton):
    normalised = body.rotations(skeleton)
    matrices = skeleton.model_matrices(skeleton.local_rotations(normalised), body.hips)
    positions = skeleton.positions(matrices, body.placement)
    if "hips" in normalised:
        normalised["hips"] = multiply(about_y(body.placement["yaw"]), normalised["hips"])
    bones = {name: {"rotation": [round(c, 6) for c in normalised[name]],
                    "position": [round(c, 5) for c in positions[name]]} for name in skeleton.bones}
    return {"time": time, "body": body.entry["id"], "name": body.entry["name"], "bones": bones}
