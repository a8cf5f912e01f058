"""Imports a motion into Blender, states where its bones are, and exports it as FBX and glTF.

usage: blender -b --factory-startup -P fbx_of_blender.py -- MOTION.bvh|FIGURE.glb FOLDER
"""
import builtins
import json
import pathlib
import sys

import bpy
import numpy

# Importers of Blender 3.4 need a mode of open() and a name of numpy that Debian's versions lack.
open_file = builtins.open
builtins.open = lambda file, mode="r", *rest, **named: open_file(file, mode.replace("U", ""), *rest, **named)
numpy.bool = bool

source, folder = map(pathlib.Path, sys.argv[sys.argv.index("--") + 1:])
# Axes and unit of the world, and the axis along a bone.
VARIANTS = {
    "plain": {},
    "z_up": {"axis_forward": "Y", "axis_up": "Z"},
    "x_bones": {"primary_bone_axis": "X", "secondary_bone_axis": "-Y"},
    "metres": {"apply_scale_options": "FBX_SCALE_ALL"},
    "baked": {"use_space_transform": True, "bake_space_transform": True},
}


def skin(armature):
    """Gives every bone a vertex, so that exporters write the bind pose."""
    bones = armature.data.bones
    places = [armature.matrix_world @ bone.head_local for bone in bones]
    mesh = bpy.data.meshes.new("body")
    mesh.from_pydata(places, [], [(i, i + 1, i + 2) for i in range(len(places) - 2)])
    body = bpy.data.objects.new("body", mesh)
    bpy.context.scene.collection.objects.link(body)
    for i, bone in enumerate(bones):
        body.vertex_groups.new(name=bone.name).add([i], 1.0, "REPLACE")
    body.modifiers.new("armature", "ARMATURE").object = armature
    body.parent = armature
    body.matrix_parent_inverse = armature.matrix_world.inverted()


def frame_of(armature, seconds):
    bones = {}
    for bone in armature.pose.bones:
        place = armature.matrix_world @ bone.matrix
        q, p = place.to_quaternion(), place.translation
        # Blender's +Z is up: (x, y, z) becomes (x, z, -y).
        bones[bone.name] = {"rotation": [q.x, q.z, -q.y, q.w], "position": [p.x, p.z, -p.y]}
    return {"t": seconds, "bones": bones}


bpy.ops.wm.read_factory_settings(use_empty=True)
if source.suffix == ".bvh":
    bpy.ops.import_anim.bvh(filepath=str(source), global_scale=0.01, update_scene_fps=True, update_scene_duration=True)
else:
    bpy.ops.import_scene.gltf(filepath=str(source))
scene = bpy.context.scene
armature = next(thing for thing in scene.objects if thing.type == "ARMATURE")
if not any(thing.type == "MESH" for thing in scene.objects):
    skin(armature)
rate = scene.render.fps / scene.render.fps_base
frames = []
for number in range(scene.frame_start, min(scene.frame_end, scene.frame_start + 60) + 1, 7):
    scene.frame_set(number)
    frames.append(frame_of(armature, (number - scene.frame_start) / rate))
# The pose of the file is not that of the mesh.
scene.frame_set(scene.frame_start + 20)
parents = {bone.name: bone.parent.name for bone in armature.data.bones if bone.parent}
heads = {bone.name: list(armature.matrix_world @ bone.head_local) for bone in armature.data.bones}
(folder / "truth.json").write_text(json.dumps({"frames": frames, "parents": parents, "bind": heads}))
for name, options in VARIANTS.items():
    bpy.ops.export_scene.fbx(filepath=str(folder / f"{name}.fbx"), object_types={"ARMATURE", "MESH"},
                             add_leaf_bones=False, bake_anim_use_all_actions=False, bake_anim_use_nla_strips=False,
                             bake_anim_simplify_factor=0.0, **options)
