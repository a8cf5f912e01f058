/* One registered humanoid: nodes, rest pose, bone map, virtual transforms.
 *
 * Words used below, per bone b (all world rotations in canonical space, so a
 * figure that its file lets face -Z is turned first):
 *   W  world rotation of the bone's node in the T-pose
 *   P  world rotation of that node's actual parent node in the T-pose
 *   L  local rotation of the node at rest, as the file has it
 *   N  normalised rotation of the bone (struct jc_pose)
 *   O  offset of the bone: how it stands where N is identity, in canonical axes;
 *      identity unless somebody corrects a figure by hand
 *   R  rotation relative to rest: local = L * R
 * A posed node's local rotation is P^-1 N O W: the bone first turns by O, with all
 * that hangs on it, then as the motion has it. Where the rest is the T-pose that
 * is L W^-1 N O W, without offset R = W^-1 N W as EXT_skeleton_humanoid has it ("Animation
 * remapping"); VRM 1.0's normalised humanoid and three-vrm agree. */
#ifndef JOINTCAST_SKELETON_H
#define JOINTCAST_SKELETON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "gltf.h"
#include "humanoid.h"
#include "lint.h"
#include "types.h"

enum jc_skeleton_format {
	JC_SKELETON_BUILTIN,
	JC_SKELETON_DESCRIPTOR,
	JC_SKELETON_VRM0,
	JC_SKELETON_VRM1,
	JC_SKELETON_BVH,
	JC_SKELETON_HANIM,
	JC_SKELETON_EXT,  /* EXT_skeleton_humanoid */
	JC_SKELETON_GLTF, /* glTF that does not say which nodes are bones */
};

const char *jc_skeleton_format_name(enum jc_skeleton_format format); /* "vrm-1.0", … */

struct jc_skeleton_node {
	const char *name;         /* "" where there is none */
	int parent;               /* index or -1; in any order */
	struct jc_transform rest; /* local */
};

/* KHR_virtual_transform, "Properties"; read with the skeleton, evaluated later. */
struct jc_virtual_transform {
	const char *name;
	int parent; /* node index or -1 */
	struct jc_transform offset;
	bool respect_position, respect_rotation, respect_scale;
	size_t tag_count;
	const char *const *tags;
};

/* How far a joint may turn from its rest, radians. The rotation vector (axis
 * times angle, within half a turn) in the axes of `orientation` has each of its
 * components between lower and upper: H-Anim names no order of axes, and for a
 * turn about one axis this is the angle. Where both are zero the axis is
 * locked. Not part of the descriptor. */
struct jc_joint_limit {
	int node;
	struct jc_vec3 lower, upper;
	struct jc_quat orientation;
};

/* VRMC_node_constraint 1.0: how the program that shows an avatar turns `node`
 * after `source`, such as a twist joint after a hand. Told, never applied: that
 * program applies it, and what was applied twice would turn twice as far. Not
 * part of the descriptor. */
enum jc_constraint_kind {
	JC_CONSTRAINT_ROLL,
	JC_CONSTRAINT_AIM,
	JC_CONSTRAINT_ROTATION,
};

const char *jc_constraint_kind_name(enum jc_constraint_kind kind); /* "roll", … */

struct jc_node_constraint {
	int node, source; /* never the same */
	enum jc_constraint_kind kind;
	const char *axis; /* static: rollAxis "X" …, aimAxis "PositiveX" …, else "" */
	float weight;     /* 0 … 1 */
};

/* What a file says of its figure for people to know; only H-Anim does. Told,
 * never used. Not part of the descriptor. */
struct jc_skeleton_facts {
	const char *version; /* of the format; "" where it is not said */
	double mass;         /* kilograms; 0 where it is not said */
	size_t info_count;   /* JC_LIMIT_FACTS at most */
	const char *const *info;
	size_t info_dropped; /* strings past that maximum */
};

/* What a skeleton is made from. Everything is borrowed for the call. */
struct jc_skeleton_description {
	enum jc_skeleton_format format;
	const char *name;
	/* How the bones were found, recognition.h: static, "" where the file says
	 * which they are, and confidence 1 then. Not part of the descriptor. */
	const char *family;
	float confidence;
	size_t node_count; /* node indices are the file's own */
	const struct jc_skeleton_node *nodes;
	int bones[JC_BONE_COUNT]; /* node index or -1 */
	/* Rotation of the file's model space relative to canonical space: a
	 * canonical direction d stands in the file as facing * d. */
	struct jc_quat facing;
	/* K: T-pose world rotation = K * rest world rotation, in the file's
	 * model space; identity where the rest is the T-pose. */
	struct jc_quat corrections[JC_BONE_COUNT];
	struct jc_quat offsets[JC_BONE_COUNT]; /* O; identity by itself */
	/* Where the format says at what level the ground lies, metres along
	 * canonical up; VRM and VRMA put models on y = 0. Else jc_skeleton_floor
	 * finds it. */
	bool has_floor;
	float floor;
	size_t virtual_transform_count;
	const struct jc_virtual_transform *virtual_transforms;
	size_t limit_count; /* node_count at most */
	const struct jc_joint_limit *limits;
	size_t constraint_count; /* node_count at most */
	const struct jc_node_constraint *constraints;
	struct jc_skeleton_facts facts; /* strings are cut to JC_LIMIT_FACT_BYTES */
};

/* A description with no nodes, no bones and identity rotations. */
void jc_skeleton_description_init(struct jc_skeleton_description *description);

/* Immutable once made; safe to share between readers. */
struct jc_skeleton;

/* Validates (finite values, no cycles, no node twice, no node of a bone below
 * that of a bone which is not above it in the humanoid, depth and counts within
 * limits.h, a descriptor of bearable size) and copies. A humanoid without any
 * bone is JC_ERROR_NO_HUMANOID; any bone alone may be missing. */
int jc_skeleton_create(const struct jc_skeleton_description *description,
	struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic);

/* The built-in `humanoid`: identity rest, VRM-normalised, 55 bones, 1.75 m;
 * node index = enum jc_bone. */
int jc_skeleton_create_builtin(struct jc_skeleton **out_skeleton);

/* Finds the format by content: EXT_skeleton_humanoid, VRM 1.0, VRM 0.x (the
 * first of these that a glTF file has), else the humanoids that recognition.h
 * finds in a glTF file, H-Anim or a JSON descriptor. index chooses among several
 * humanoids of a file (0 the first; JC_ERROR_ABSENT past the last). resolver and lint may
 * be NULL.
 *
 * Recognised humanoids are looked for among the joints of every skin and what
 * stands between them, by names and structure, or, where no skin has one, among
 * the trees of all nodes by names alone. Their rest is the bind pose, turned into
 * the T-pose by measured corrections, and they may face any way. */
int jc_skeleton_read(const void *bytes, size_t length, size_t index,
	const struct jc_gltf_resolver *resolver, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* The same of a glTF file that is read already, without findings. */
int jc_skeleton_read_gltf(const struct jc_gltf *gltf, size_t index,
	struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic);

void jc_skeleton_destroy(struct jc_skeleton *skeleton);

/* Appends what an artist should mend: bones missing or off the T-pose, axes,
 * facing, size, scales, constraints. jc_skeleton_read does so itself. JC_OK or
 * JC_ERROR_MEMORY; lint may be NULL. */
int jc_skeleton_lint(const struct jc_skeleton *skeleton, struct jc_lint *lint);

/* Of the file it was first read from: a descriptor keeps what it was made of. */
enum jc_skeleton_format jc_skeleton_format(const struct jc_skeleton *skeleton);
const char *jc_skeleton_name(const struct jc_skeleton *skeleton);
const char *jc_skeleton_family(const struct jc_skeleton *skeleton); /* of names, or "" */
float jc_skeleton_confidence(const struct jc_skeleton *skeleton);
size_t jc_skeleton_node_count(const struct jc_skeleton *skeleton);
const struct jc_skeleton_node *jc_skeleton_nodes(const struct jc_skeleton *skeleton);
const struct jc_mat4 *jc_skeleton_rest_worlds(const struct jc_skeleton *skeleton); /* by node */
int jc_skeleton_bone_node(const struct jc_skeleton *skeleton, enum jc_bone bone);  /* or -1 */
uint64_t jc_skeleton_bone_mask(const struct jc_skeleton *skeleton); /* bit = enum jc_bone */
struct jc_quat jc_skeleton_facing(const struct jc_skeleton *skeleton);
struct jc_quat jc_skeleton_correction(const struct jc_skeleton *skeleton, enum jc_bone bone);

struct jc_quat jc_skeleton_offset(const struct jc_skeleton *skeleton, enum jc_bone bone);

/* W and P of a mapped bone; identity for an absent one. */
struct jc_quat jc_skeleton_t_pose(const struct jc_skeleton *skeleton, enum jc_bone bone);
struct jc_quat jc_skeleton_parent_t_pose(const struct jc_skeleton *skeleton, enum jc_bone bone);

/* Nearest mapped bone above in the node tree, JC_BONE_NONE at the top. Where a
 * file hangs a bone elsewhere (a shoulder on the chest beside the upper chest),
 * that is farther up than the nearest mapped bone by jc_bone_parent. */
enum jc_bone jc_skeleton_mapped_parent(const struct jc_skeleton *skeleton, enum jc_bone bone);

/* Level of the ground under the T-pose, metres along canonical up: the one it
 * was made with, unless the hips do not stand above that; else the lowest foot
 * or toe joint, y = 0 where there is none. jc_skeleton_has_floor tells the first
 * case. */
bool jc_skeleton_has_floor(const struct jc_skeleton *skeleton);
float jc_skeleton_floor(const struct jc_skeleton *skeleton);

/* Height of the hips joint over the floor in the T-pose, metres, always > 0;
 * where the hips do not stand above it leg length, else 1. In H-Anim the hips
 * are HumanoidRoot, which often lies about a tenth lower than hips do: there the
 * height is that of the upper legs' joints where these stand higher. */
float jc_skeleton_hips_height(const struct jc_skeleton *skeleton);

size_t jc_skeleton_virtual_transform_count(const struct jc_skeleton *skeleton);
const struct jc_virtual_transform *jc_skeleton_virtual_transforms(
	const struct jc_skeleton *skeleton);

const struct jc_skeleton_facts *jc_skeleton_facts(const struct jc_skeleton *skeleton);

size_t jc_skeleton_constraint_count(const struct jc_skeleton *skeleton);
const struct jc_node_constraint *jc_skeleton_constraints(const struct jc_skeleton *skeleton);

/* One posed figure of a known skeleton. */
struct jc_skeleton_pose {
	struct jc_quat rotations[JC_BONE_COUNT]; /* R; identity for bones the skeleton lacks */
	uint8_t states[JC_BONE_COUNT];           /* enum jc_state */
	struct jc_vec3 hips_translation;         /* of the hips from rest: metres, canonical axes */
};

/* N of a pose's bones from R and back; identity for bones that the skeleton lacks:
 *   N = P L R W^-1 O^-1, R = L^-1 P^-1 N O W. */
void jc_skeleton_normalized(const struct jc_skeleton *skeleton,
	const struct jc_quat rotations[JC_BONE_COUNT],
	struct jc_quat out_normalized[JC_BONE_COUNT]);
void jc_skeleton_relative(const struct jc_skeleton *skeleton,
	const struct jc_quat normalized[JC_BONE_COUNT],
	struct jc_quat out_rotations[JC_BONE_COUNT]);

/* Local transform of every node (node_count of them) under a pose, and world
 * matrices in the file's model space from locals. */
void jc_skeleton_locals(const struct jc_skeleton *skeleton, const struct jc_skeleton_pose *pose,
	struct jc_transform *out_locals);
void jc_skeleton_worlds(const struct jc_skeleton *skeleton, const struct jc_transform *locals,
	struct jc_mat4 *out_worlds);

/* Shares the rotations of spine, chest, upperChest and neck among the joints
 * that an H-Anim skeleton has from one of these bones to the next (vl4 below
 * vl1, vc1 below skullbase): powers of N about its axis, weights by length of
 * segment, so that what hangs above keeps its orientation and the spine bends
 * evenly. Of a bone from which others branch off earlier, like shoulders from
 * vt4, the joints up to there share. Other skeletons stay as they are. locals
 * come from jc_skeleton_locals. */
void jc_skeleton_split_spine(const struct jc_skeleton *skeleton, struct jc_transform *locals);

/* Joints with limits; of these, how many stand past them by more than arithmetic;
 * and the same while turning these back, axis by axis. */
size_t jc_skeleton_limit_count(const struct jc_skeleton *skeleton);
const struct jc_joint_limit *jc_skeleton_limits(const struct jc_skeleton *skeleton);
size_t jc_skeleton_count_past_limits(
	const struct jc_skeleton *skeleton, const struct jc_transform *locals);
size_t jc_skeleton_clamp_to_limits(const struct jc_skeleton *skeleton, struct jc_transform *locals);

/* The other way: the proportion-free pose in which the nodes stand, measured in
 * the world, so that what moves above the hips moves the hips. Mapped bones
 * come out tracked, others absent; N is relative to the nearest mapped bone by
 * jc_bone_parent; the displacement of the hips is taken from where they stand
 * at rest, in units of hips height. What joints of an H-Anim spine share is
 * gathered in the bone, however it is shared. Offsets are taken off. */
void jc_skeleton_normalize(const struct jc_skeleton *skeleton, const struct jc_transform *locals,
	struct jc_pose *out_pose);

/* The skeleton as JSON for subscribers (proto/schema/descriptor.schema.json):
 * only what bones and virtual transforms need, renumbered, names kept, numbers
 * that read back exactly. Canonical: equal skeletons give equal text. The text
 * is the caller's to free. */
int jc_skeleton_write_descriptor(const struct jc_skeleton *skeleton, char **out_json);

/* SHA-256 of that text as 64 hex digits: names the skeleton on the wire. */
#define JC_SKELETON_HASH_LENGTH 64
const char *jc_skeleton_hash(const struct jc_skeleton *skeleton);

#endif
