# Prints where Blender puts the bones of a glTF file while it plays an animation, as one line of
# JSON after the word "poses": for each time the world rotations [x, y, z, w] and positions of bones
# and of objects by name, in the axes of glTF.
#
# usage: blender -b --factory-startup -P blender_poses.py -- FILE.glb ANIMATION TIME,…
import json
import math
import sys

import bpy
import numpy
from mathutils import Matrix

# Debian 12's importer uses a name that Debian 12's NumPy no longer has.
numpy.bool = bool

# From glTF's axes to Blender's, whose Z is up and whose -Y is glTF's +Z.
AXES = Matrix.Rotation(math.pi / 2, 4, "X")


def select(animation):
    """Gives every object the action that the importer made of the animation."""
    found = False
    for thing in bpy.data.objects:
        data = thing.animation_data
        tracks = data.nla_tracks if data else []
        for track in tracks:
            track.mute = True
        actions = [track.strips[0].action for track in tracks if track.name == animation]
        if data:
            data.action = actions[0] if actions else None
        found = found or bool(actions)
    if not found:
        sys.exit(f"no animation '{animation}'")


def describe(matrix):
    place, turn, _ = (AXES.inverted() @ matrix).decompose()
    return {"position": list(place), "rotation": [turn.x, turn.y, turn.z, turn.w]}


def pose(time):
    frame = time * bpy.context.scene.render.fps
    bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
    bones, nodes = {}, {}
    for thing in bpy.data.objects:
        nodes[thing.name] = describe(thing.matrix_world @ AXES)
        # Bones keep the axes of their nodes.
        for bone in thing.pose.bones if thing.pose else []:
            bones[bone.name] = describe(thing.matrix_world @ bone.matrix)
    return {"t": time, "bones": bones, "nodes": nodes}


path, animation, times = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=path, bone_heuristic="BLENDER")
select(animation)
print("poses", json.dumps([pose(float(time)) for time in times.split(",")]))
