"""Poses a skeleton by its descriptor (SKELETONS.md)."""

import re

from .rotation import (IDENTITY, about_y, apply, from_matrix, inverse, inverted, matrix,
                       multiply, polar_rotation, power, product, rotate, times, transposed)
from .tables import BONES

# The vertebrae of H-Anim, which share the rotation of the bone below them.
VERTEBRAE = re.compile(r"(vl[1-5]|vt([1-9]|1[0-2])|vc[1-7])", re.IGNORECASE)
SPINE = ("spine", "chest", "upperChest", "neck")


class Node:
    def __init__(self, node):
        self.name = node.get("name", "")
        self.parent = node.get("parent", -1)
        self.translation = node.get("translation", [0, 0, 0])
        self.rotation = node.get("rotation", IDENTITY)
        self.scale = node.get("scale", [1, 1, 1])
        self.bone = None


class Skeleton:
    """A skeleton. Names: N is a normalised rotation, R one relative to the rest pose, K a
    correction, O an offset, W and P the T-pose world rotations of a bone and of its parent node."""

    def __init__(self, descriptor):
        self.nodes = [Node(node) for node in descriptor["nodes"]]
        self.bones = {name: index for name, index in descriptor["bones"].items() if name in BONES}
        for name, index in self.bones.items():
            self.nodes[index].bone = name
        self.facing = descriptor.get("facing", IDENTITY)
        self.corrections = descriptor.get("corrections", {})
        self.offsets = descriptor.get("offsets", {})
        self.h_anim = descriptor.get("format") == "h-anim"
        self.virtual_transforms = descriptor.get("virtualTransforms", [])
        self.order = self._parents_first()
        self.rest_world = self._rest_world_rotations()
        self.rest = self._multiply_down([node.rotation for node in self.nodes], None)
        self.W = {name: self._t_pose(index) for name, index in self.bones.items()}
        self.P = {name: self._t_pose(self.nodes[index].parent) for name, index in self.bones.items()}

    def _parents_first(self):
        order, placed = [], set()
        for index in range(len(self.nodes)):
            way = []
            while index >= 0 and index not in placed and index not in way:
                way.append(index)
                index = self.nodes[index].parent
            order += reversed(way)
            placed.update(way)
        return order

    def _rest_world_rotations(self):
        world = {}
        for index in self.order:
            node = self.nodes[index]
            world[index] = multiply(world[node.parent], node.rotation) if node.parent >= 0 else node.rotation
        return world

    def _nearest_bone(self, index):
        """The bone of a node, or the nearest one above it; None where there is none."""
        while index >= 0 and self.nodes[index].bone is None:
            index = self.nodes[index].parent
        return self.nodes[index].bone if index >= 0 else None

    def _t_pose(self, index):
        """The world rotation of a node in the T-pose, in canonical space."""
        if index < 0:
            return inverse(self.facing)
        correction = self.corrections.get(self._nearest_bone(index), IDENTITY)
        return product(inverse(self.facing), correction, self.rest_world[index])

    def normalised(self, rotations):
        """N of each bone, of rotations R relative to the rest pose."""
        return {name: product(self.P[name], self.nodes[index].rotation, rotations.get(name, IDENTITY),
                              inverse(self.W[name]), inverse(self.offsets.get(name, IDENTITY)))
                for name, index in self.bones.items()}

    def local_rotations(self, normalised):
        """The local rotation of each node, of the rotations N of bones."""
        local = [node.rotation for node in self.nodes]
        for name, index in self.bones.items():
            local[index] = product(inverse(self.P[name]), normalised.get(name, IDENTITY),
                                   self.offsets.get(name, IDENTITY), self.W[name])
        if self.h_anim:
            self._distribute_spine(local)
        return local

    def model_matrices(self, local, hips=None):
        """The matrix (3 x 3 part, position) of each node in model space.

        `hips`: the displacement of the hips from rest, in canonical axes.
        """
        if hips is None or "hips" not in self.bones:
            return self._multiply_down(local, None)
        index = self.bones["hips"]
        moved = rotate(self.facing, hips)
        return self._multiply_down(local, (index, [a + b for a, b in zip(self.rest[index][1], moved)]))

    def _multiply_down(self, local, moved):
        found = [None] * len(self.nodes)
        for index in self.order:
            node = self.nodes[index]
            scaled = [[c * s for c, s in zip(row, node.scale)] for row in matrix(local[index])]
            position = list(node.translation)
            if node.parent >= 0:
                above, origin = found[node.parent]
                scaled = times(above, scaled)
                position = [a + b for a, b in zip(origin, apply(above, position))]
            if moved and moved[0] == index:
                position = moved[1]
            found[index] = (scaled, position)
        return found

    def positions(self, matrices, placement):
        """The position of each bone's joint in the space of the body, metres."""
        turn = multiply(about_y(placement["yaw"]), inverse(self.facing))
        return {name: [a + b for a, b in zip(placement["position"], rotate(turn, matrices[index][1]))]
                for name, index in self.bones.items()}

    def virtual_transform(self, index, matrices):
        """Translation, rotation and scale of a virtual transform in model space."""
        item = self.virtual_transforms[index]
        parent = item.get("parent", -1)
        return virtual_transform(item, matrices[parent] if parent >= 0 else None)

    def _distribute_spine(self, local):
        """Lets vertebrae share the rotations of spine, chest, upperChest and neck."""
        for name in SPINE:
            chain, lengths = self._vertebrae(name) if name in self.bones else ([], [])
            if len(chain) < 2 or sum(lengths) == 0:
                continue
            world = self.W[name]
            whole = product(self.P[name], local[chain[0]], inverse(world))
            for position, (index, length) in enumerate(zip(chain, lengths)):
                share = power(whole, length / sum(lengths))
                if position == 0:
                    local[index] = product(inverse(self.P[name]), share, world)
                    continue
                rest = self.nodes[index].rotation
                world = multiply(world, rest)
                local[index] = product(rest, inverse(world), share, world)

    def _vertebrae(self, name):
        """The nodes that share the rotation of a bone, and the length of each."""
        following = ("chest", "upperChest", "neck", "head")[SPINE.index(name):]
        ends = [bone for bone in following if self._bone_above(bone) == name]
        if not ends:
            return [], []
        between, index = [], self.nodes[self.bones[ends[0]]].parent
        while index != self.bones[name]:
            between.insert(0, index)
            index = self.nodes[index].parent
        branches = [bone for bone in self.bones if self._bone_above(bone) == name]
        vertebrae = [index for index in between if VERTEBRAE.fullmatch(self.nodes[index].name)]
        shared = [index for index in vertebrae if all(self._is_above(index, bone) for bone in branches)]
        chain = [self.bones[name], *shared]
        left_out = [index for index in vertebrae if index not in shared]
        points = [*chain, left_out[0] if left_out else self.bones[ends[0]]]
        return chain, [_distance(self.rest[a][1], self.rest[b][1]) for a, b in zip(points, points[1:])]

    def _bone_above(self, bone):
        return self._nearest_bone(self.nodes[self.bones[bone]].parent) if bone in self.bones else None

    def _is_above(self, node, bone):
        index = self.nodes[self.bones[bone]].parent
        while index >= 0 and index != node:
            index = self.nodes[index].parent
        return index == node


def _distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5


def virtual_transform(item, parent):
    """The virtual transform `item` in model space; `parent`: (3 x 3 part, position), None for a root."""
    o, q = item.get("translation", [0, 0, 0]), item.get("rotation", IDENTITY)
    s = item.get("scale", [1, 1, 1])
    if parent is None:
        return o, q, s
    part, position = parent
    respects = [item.get(f"respectParent{name}", True) for name in ("Position", "Rotation", "Scale")]
    if all(respects):
        scaled = [[c * k for c, k in zip(row, s)] for row in times(part, matrix(q))]
        rotation, scale = _decompose(scaled)
        return [a + b for a, b in zip(position, apply(part, o))], rotation, scale
    rotation, scale = _decompose(part)
    position = position if respects[0] else [0, 0, 0]
    rotation = rotation if respects[1] else IDENTITY
    scale = scale if respects[2] else [1, 1, 1]
    moved = rotate(rotation, [a * b for a, b in zip(scale, o)])
    return ([a + b for a, b in zip(position, moved)], multiply(rotation, q), [a * b for a, b in zip(scale, s)])


def _decompose(part):
    """The rotation nearest to a 3 x 3 matrix, and the scale that goes with it."""
    if inverted(part) is None:
        return IDENTITY, [sum(c * c for c in column) ** 0.5 for column in transposed(part)]
    turn = polar_rotation(part)
    rest = times(transposed(turn), part)
    return from_matrix(turn), [rest[i][i] for i in range(3)]
