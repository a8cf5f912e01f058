/* Skeletons: nodes, rest pose, bone map, virtual transforms.
 *
 * Symbols, per bone b (world rotations are in canonical space; a skeleton that faces -Z in its
 * file is turned first):
 *   W  world rotation of the bone's node in the T-pose
 *   P  world rotation of that node's actual parent node in the T-pose
 *   L  local rotation of the node at rest, as the file has it
 *   N  normalised rotation of the bone (struct jc_pose)
 *   O  offset of the bone: its rotation where N is identity, in canonical axes; identity
 *      unless an operator corrects the skeleton
 *   R  rotation relative to rest: local = L * R
 * The local rotation of a posed node is P^-1 N O W: the bone and its children turn first by O,
 * then by the motion. If the rest pose is the T-pose, this equals L W^-1 N O W; without offset
 * R = W^-1 N W, as in EXT_skeleton_humanoid ("Animation remapping"), VRM 1.0's normalised
 * humanoid and three-vrm. */
#ifndef JOINTCAST_SKELETON_H
#define JOINTCAST_SKELETON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bone_map.h"
#include "error.h"
#include "gltf.h"
#include "humanoid.h"
#include "lint.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The formats in which skeletons are described. */
enum jc_skeleton_format {
	JC_SKELETON_BUILTIN,
	JC_SKELETON_DESCRIPTOR,
	JC_SKELETON_VRM0,
	JC_SKELETON_VRM1,
	JC_SKELETON_BVH,
	JC_SKELETON_HANIM,
	JC_SKELETON_EXT,  /* EXT_skeleton_humanoid */
	JC_SKELETON_GLTF, /* glTF without a bone map; bones are recognised */
};

const char *jc_skeleton_format_name(enum jc_skeleton_format format); /* "vrm-1.0", … */

/* A node of a skeleton. */
struct jc_skeleton_node {
	const char *name;         /* "" if the node has no name */
	int parent;               /* index or -1; in any order */
	struct jc_transform rest; /* local */
};

/* KHR_virtual_transform, "Properties". jc_virtual_transforms_evaluate (retarget.h) poses them. */
struct jc_virtual_transform {
	const char *name;           /* "" if it has no name */
	int parent;                 /* node index or -1 */
	struct jc_transform offset; /* from the parent */
	/* Which parts of the parent's transform it follows. */
	bool respect_position, respect_rotation, respect_scale;
	size_t tag_count;        /* JC_LIMIT_TAGS at most */
	const char *const *tags; /* such as "seating" */
};

/* Range of a joint's rotation from rest, radians. Each component of the rotation vector (axis
 * times angle, angle at most pi) in the axes of `orientation` lies between lower and upper.
 * H-Anim defines no order of axes; for a rotation about one axis the component is the angle.
 * An axis with lower = upper = 0 is locked. */
struct jc_joint_limit {
	int node;                    /* of the joint */
	struct jc_vec3 lower, upper; /* radians */
	struct jc_quat orientation;  /* of the axes, relative to the node at rest */
	struct jc_vec3 stiffness; /* about the same axes, 0 free to 1 stiff; never applied here */
	bool is_unlimited;        /* only the stiffness is known; lower and upper are zero */
};

/* A part of the body that moves with a node ("The Segment Node" of H-Anim), for simulations.
 * Reported and never used here. Lengths are in units of the node, along its axes at rest. */
struct jc_skeleton_segment {
	const char *name;              /* "" if it has no name */
	int node;                      /* with which it moves */
	float mass;                    /* kilograms; 0 if unknown */
	struct jc_vec3 center_of_mass; /* relative to the node */
	bool has_inertia;              /* the next field is set */
	float inertia[9]; /* moments of inertia by rows, kilograms times the square of a length */
};

/* VRMC_node_constraint 1.0: the renderer turns `node` with `source`, for example a twist joint
 * with a hand. Constraints are reported and never applied here, because the renderer applies
 * them. Not part of the descriptor. */
enum jc_constraint_kind {
	JC_CONSTRAINT_ROLL,
	JC_CONSTRAINT_AIM,
	JC_CONSTRAINT_ROTATION,
};

const char *jc_constraint_kind_name(enum jc_constraint_kind kind); /* "roll", … */

/* A constraint of a node by another one. */
struct jc_node_constraint {
	int node, source;             /* never the same */
	enum jc_constraint_kind kind; /* how the node follows */
	const char *axis; /* static: rollAxis "X" …, aimAxis "PositiveX" …, else "" */
	float weight;     /* 0 … 1 */
};

/* Information for people from the file, only in H-Anim. Reported and never used. Not part of
 * the descriptor. */
struct jc_skeleton_facts {
	const char *version;     /* format version; "" if unknown */
	double mass;             /* kilograms, of all segments if 0 is given; 0 if unknown */
	size_t info_count;       /* JC_LIMIT_FACTS at most */
	const char *const *info; /* "name=value", such as "authorName=A. Author" */
	size_t info_dropped;     /* strings beyond that maximum */
};

/* Input of jc_skeleton_create. All pointers are borrowed for the call. */
struct jc_skeleton_description {
	enum jc_skeleton_format format; /* of the file */
	const char *name;               /* of the figure; "" if it has no name */
	/* Name family by which the bones were recognised (static string) and confidence, 0 to 1.
	 * "" and 1 if the file names its bones. Not part of the descriptor. */
	const char *family;
	float confidence;
	bool is_prop;      /* a thing: it has no bones */
	size_t node_count; /* node indices are the file's own */
	const struct jc_skeleton_node *nodes;
	int bones[JC_BONE_COUNT]; /* node index or -1 */
	/* Rotation from canonical space to the file's model space: the canonical direction d is
	 * facing * d in the file. */
	struct jc_quat facing;
	/* K: T-pose world rotation = K * rest world rotation, in the file's
	 * model space; identity if the rest pose is the T-pose. */
	struct jc_quat corrections[JC_BONE_COUNT];
	struct jc_quat offsets[JC_BONE_COUNT]; /* O; identity by default */
	/* Height of the ground along canonical up, metres, if the format defines it (VRM and VRMA:
	 * y = 0). Otherwise jc_skeleton_floor measures it. */
	bool has_floor;
	float floor;
	size_t virtual_transform_count;
	const struct jc_virtual_transform *virtual_transforms;
	size_t limit_count; /* JC_LIMIT_JOINT_LIMITS at most */
	const struct jc_joint_limit *limits;
	size_t segment_count; /* JC_LIMIT_SEGMENTS at most */
	const struct jc_skeleton_segment *segments;
	size_t constraint_count; /* node_count at most */
	const struct jc_node_constraint *constraints;
	struct jc_skeleton_facts facts; /* strings are cut to JC_LIMIT_FACT_BYTES */
};

/* A description with no nodes, no bones and identity rotations. */
void jc_skeleton_description_init(struct jc_skeleton_description *description);

/* Immutable; threads may share it. */
struct jc_skeleton;

/* Validates and copies the description: finite values, no cycles, no node used for two bones,
 * bones in the order of the humanoid hierarchy, depth, counts and descriptor size within
 * limits.h. Returns JC_ERROR_NO_HUMANOID if it has no bone at all and is no prop; single bones
 * may be missing. */
int jc_skeleton_create(const struct jc_skeleton_description *description,
	struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic);

/* The built-in `humanoid`: identity rest, VRM-normalised, 55 bones, 1.75 m;
 * node index = enum jc_bone. */
int jc_skeleton_create_builtin(struct jc_skeleton **out_skeleton);

/* Reads a skeleton file; the format is detected by content: glTF with EXT_skeleton_humanoid,
 * VRM 1.0, VRM 0.x or KHR_character_skeleton_mapping (a draft; the first of these that is present),
 * glTF without them, H-Anim, or a JSON descriptor. index selects one of several humanoids of a
 * file, from 0; JC_ERROR_ABSENT past the last. resolver and lint may be NULL.
 *
 * In glTF without a bone map, humanoids are recognised among the joints of each skin and the
 * nodes between them, by names and structure; if no skin has one, among all nodes, by names
 * alone. Their rest pose is the bind pose; measured corrections turn it into the T-pose. They
 * may face any direction. */
int jc_skeleton_read(const void *bytes, size_t length, size_t index,
	const struct jc_gltf_resolver *resolver, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* The same with the bones of a map (may be NULL) instead of those that the file lists or that are
 * recognised. In glTF index selects an entry of EXT_skeleton_humanoid, else there is one figure,
 * the skin or tree that holds all joints of the map. JC_ERROR_UNSUPPORTED for a descriptor, which
 * lists its bones. */
int jc_skeleton_read_mapped(const void *bytes, size_t length, size_t index,
	const struct jc_bone_map *map, const struct jc_gltf_resolver *resolver,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* Reads a prop, a thing such as a chair: all nodes of a glTF file and its virtual transforms, as a
 * skeleton without bones. jc_skeleton_rest_worlds are its node matrices, with which
 * jc_virtual_transforms_evaluate places the virtual transforms. JC_ERROR_ABSENT without a virtual
 * transform. Buffers of the file are not read. lint may be NULL. */
int jc_skeleton_read_prop(const void *bytes, size_t length, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* Reads a skeleton from an open glTF file, without lint, also with a map (may be NULL). */
int jc_skeleton_read_gltf(const struct jc_gltf *gltf, size_t index,
	struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic);
int jc_skeleton_read_gltf_mapped(const struct jc_gltf *gltf, size_t index,
	const struct jc_bone_map *map, struct jc_skeleton **out_skeleton,
	struct jc_diagnostic *diagnostic);

void jc_skeleton_destroy(struct jc_skeleton *skeleton); /* NULL is fine */

/* Appends findings for the artist: bones that are missing or away from the T-pose, axes,
 * facing, size, scales, constraints. jc_skeleton_read calls it. JC_OK or JC_ERROR_MEMORY; lint
 * may be NULL. */
int jc_skeleton_lint(const struct jc_skeleton *skeleton, struct jc_lint *lint);

/* Format of the original file; a descriptor keeps the format that it was made from. */
enum jc_skeleton_format jc_skeleton_format(const struct jc_skeleton *skeleton);
const char *jc_skeleton_name(const struct jc_skeleton *skeleton);
const char *jc_skeleton_family(const struct jc_skeleton *skeleton); /* name family, or "" */
float jc_skeleton_confidence(const struct jc_skeleton *skeleton);
size_t jc_skeleton_node_count(const struct jc_skeleton *skeleton);
const struct jc_skeleton_node *jc_skeleton_nodes(const struct jc_skeleton *skeleton);
const struct jc_mat4 *jc_skeleton_rest_worlds(const struct jc_skeleton *skeleton); /* by node */
int jc_skeleton_bone_node(const struct jc_skeleton *skeleton, enum jc_bone bone);  /* or -1 */
uint64_t jc_skeleton_bone_mask(const struct jc_skeleton *skeleton); /* bit = enum jc_bone */
struct jc_quat jc_skeleton_facing(const struct jc_skeleton *skeleton);
struct jc_quat jc_skeleton_correction(const struct jc_skeleton *skeleton, enum jc_bone bone);

/* O of a bone; identity by default. */
struct jc_quat jc_skeleton_offset(const struct jc_skeleton *skeleton, enum jc_bone bone);

/* W and P of a mapped bone; identity for an absent one. */
struct jc_quat jc_skeleton_t_pose(const struct jc_skeleton *skeleton, enum jc_bone bone);
struct jc_quat jc_skeleton_parent_t_pose(const struct jc_skeleton *skeleton, enum jc_bone bone);

/* Nearest mapped bone above in the node tree, JC_BONE_NONE at the top. It is farther up than the
 * nearest mapped bone by jc_bone_parent if the file attaches a bone elsewhere, such as a
 * shoulder to the chest beside the upper chest. */
enum jc_bone jc_skeleton_mapped_parent(const struct jc_skeleton *skeleton, enum jc_bone bone);

/* Height of the ground under the T-pose, metres along canonical up: the given one if the hips
 * are above it (jc_skeleton_has_floor is then true), else the lowest foot or toe joint, else
 * y = 0. */
bool jc_skeleton_has_floor(const struct jc_skeleton *skeleton);
float jc_skeleton_floor(const struct jc_skeleton *skeleton);

/* Height of the hips over the floor in the T-pose, metres, always > 0: of the hips joint, or of the
 * middle of the upper legs' joints if it is higher. With jc_skeleton_has_floor of the hips joint
 * alone, as VRM specifies, except in BVH and H-Anim. If these are not above the floor: the leg
 * length, else 1. */
float jc_skeleton_hips_height(const struct jc_skeleton *skeleton);

/* The point whose height that is, from the hips joint: metres, canonical axes, in the T-pose. Zero,
 * or the middle of the upper legs' joints. The hips translation of a pose (jointcast/humanoid.h) is
 * the displacement of this point; the hips joint moves by what a turn of the hips adds to it less:
 * hips_translation * hips height - (N p - p), with N of the hips and this point p. */
struct jc_vec3 jc_skeleton_hips_point(const struct jc_skeleton *skeleton);

/* The virtual transforms, in the order of the file; owned by the skeleton. */
size_t jc_skeleton_virtual_transform_count(const struct jc_skeleton *skeleton);
const struct jc_virtual_transform *jc_skeleton_virtual_transforms(
	const struct jc_skeleton *skeleton);

/* Information of the file for people; owned by the skeleton. */
const struct jc_skeleton_facts *jc_skeleton_facts(const struct jc_skeleton *skeleton);

/* The constraints of the file; owned by the skeleton. */
size_t jc_skeleton_constraint_count(const struct jc_skeleton *skeleton);
const struct jc_node_constraint *jc_skeleton_constraints(const struct jc_skeleton *skeleton);

/* The pose of one skeleton. */
struct jc_skeleton_pose {
	struct jc_quat rotations[JC_BONE_COUNT]; /* R; identity for bones the skeleton lacks */
	uint8_t states[JC_BONE_COUNT];           /* enum jc_state */
	struct jc_vec3 hips_translation; /* hips displacement from rest: metres, canonical axes */
};

/* Convert R to N and back; identity for bones that the skeleton lacks:
 *   N = P L R W^-1 O^-1, R = L^-1 P^-1 N O W. */
void jc_skeleton_normalized(const struct jc_skeleton *skeleton,
	const struct jc_quat rotations[JC_BONE_COUNT],
	struct jc_quat out_normalized[JC_BONE_COUNT]);
void jc_skeleton_relative(const struct jc_skeleton *skeleton,
	const struct jc_quat normalized[JC_BONE_COUNT],
	struct jc_quat out_rotations[JC_BONE_COUNT]);

/* Local transforms of all nodes (node_count of them) under a pose, and world matrices in the
 * file's model space from local transforms. */
void jc_skeleton_locals(const struct jc_skeleton *skeleton, const struct jc_skeleton_pose *pose,
	struct jc_transform *out_locals);
void jc_skeleton_worlds(const struct jc_skeleton *skeleton, const struct jc_transform *locals,
	struct jc_mat4 *out_worlds);

/* Call it after jc_skeleton_locals (proto/SKELETONS.md, "Spines of H-Anim figures").
 * Distributes the rotations of spine, chest, upperChest and neck over the vertebrae of an H-Anim
 * skeleton between these bones (vl4 below vl1, vc1 below skullbase): powers of N about its
 * axis, weighted by segment length. Bones above keep their orientation and the spine bends
 * evenly. If other bones branch off in between, such as shoulders from vt4, only the joints up
 * to the branch share. Other skeletons are unchanged. Not for VMC and VRM, which have no
 * vertebrae. */
void jc_skeleton_split_spine(const struct jc_skeleton *skeleton, struct jc_transform *locals);

/* Joints with limits, and how many of them have a range. jc_skeleton_count_past_limits returns how
 * many are beyond their limits by more than rounding; jc_skeleton_clamp_to_limits also turns them
 * back, axis by axis. */
size_t jc_skeleton_limit_count(const struct jc_skeleton *skeleton);
const struct jc_joint_limit *jc_skeleton_limits(const struct jc_skeleton *skeleton);
size_t jc_skeleton_range_count(const struct jc_skeleton *skeleton);
size_t jc_skeleton_count_past_limits(
	const struct jc_skeleton *skeleton, const struct jc_transform *locals);
size_t jc_skeleton_clamp_to_limits(const struct jc_skeleton *skeleton, struct jc_transform *locals);

/* The segments of the file; owned by the skeleton. */
size_t jc_skeleton_segment_count(const struct jc_skeleton *skeleton);
const struct jc_skeleton_segment *jc_skeleton_segments(const struct jc_skeleton *skeleton);

/* The inverse: the pose of a posed skeleton, measured in world space, so that movement of nodes
 * above the hips counts as movement of the hips. Mapped bones are tracked, others absent; N is
 * relative to the nearest mapped bone by jc_bone_parent; the hips translation is measured from
 * rest in units of hips height. Rotations of shared spine joints are summed in their bone.
 * Offsets are removed. */
void jc_skeleton_normalize(const struct jc_skeleton *skeleton, const struct jc_transform *locals,
	struct jc_pose *out_pose);

/* Writes the skeleton as JSON for subscribers (proto/schema/descriptor.schema.json): only the
 * nodes that bones, virtual transforms, limits and segments need, renumbered, with names; numbers
 * read back exactly. Limits and segments are left out if the text would be too large with them.
 * Canonical: equal skeletons give equal text. The caller frees *out_json. */
int jc_skeleton_write_descriptor(const struct jc_skeleton *skeleton, char **out_json);

/* SHA-256 of that text as 64 hex digits; identifies the skeleton on the wire. */
#define JC_SKELETON_HASH_LENGTH 64
const char *jc_skeleton_hash(const struct jc_skeleton *skeleton);

#ifdef __cplusplus
}
#endif

#endif
