/* Looks up bones and joints, and the two reference frames: EXT_skeleton_humanoid's for bones, the
 * WebXR draft's for joints. */
#include "jointcast/humanoid.h"

#include <assert.h>
#include <string.h>

#include "jointcast/transform.h"
#include "tables.h"

const char *jc_state_name(enum jc_state state)
{
	switch (state) {
	case JC_TRACKED:
		return "tracked";
	case JC_ESTIMATED:
		return "estimated";
	case JC_ABSENT:
		break;
	}
	return "absent";
}

const char *jc_bone_name(enum jc_bone bone)
{
	assert(bone >= 0 && bone < JC_BONE_COUNT);
	return jc_bone_table[bone].name;
}

enum jc_bone jc_bone_parent(enum jc_bone bone)
{
	assert(bone >= 0 && bone < JC_BONE_COUNT);
	return jc_bone_table[bone].parent;
}

enum jc_bone jc_bone_find(const char *name)
{
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		if (strcmp(jc_bone_table[i].name, name) == 0) {
			return (enum jc_bone)i;
		}
	}
	return JC_BONE_NONE;
}

enum jc_bone jc_bone_mirror(enum jc_bone bone)
{
	assert(bone >= 0 && bone < JC_BONE_COUNT);
	return jc_bone_table[bone].mirror;
}

/* Left bones stand before their mirrors in the table. */
bool jc_bone_is_right(enum jc_bone bone)
{
	return jc_bone_mirror(bone) < bone;
}

enum jc_bone jc_bone_left_of(enum jc_bone bone)
{
	return jc_bone_is_right(bone) ? jc_bone_mirror(bone) : bone;
}

const char *jc_joint_name(enum jc_joint joint)
{
	assert(joint >= 0 && joint < JC_JOINT_COUNT);
	return jc_joint_table[joint].name;
}

enum jc_joint jc_joint_parent(enum jc_joint joint)
{
	assert(joint >= 0 && joint < JC_JOINT_COUNT);
	return jc_joint_table[joint].parent;
}

enum jc_joint jc_joint_find(const char *name)
{
	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		if (strcmp(jc_joint_table[i].name, name) == 0) {
			return (enum jc_joint)i;
		}
	}
	for (size_t i = 0; i < jc_joint_alias_count; i++) {
		if (strcmp(jc_joint_aliases[i].name, name) == 0) {
			return jc_joint_aliases[i].joint;
		}
	}
	return JC_JOINT_NONE;
}

enum jc_joint jc_joint_mirror(enum jc_joint joint)
{
	assert(joint >= 0 && joint < JC_JOINT_COUNT);
	return jc_joint_table[joint].mirror;
}

enum jc_bone jc_joint_bone(enum jc_joint joint)
{
	assert(joint >= 0 && joint < JC_JOINT_COUNT);
	return jc_joint_table[joint].bone;
}

struct jc_quat jc_joint_t_pose(enum jc_profile profile, enum jc_joint joint)
{
	const struct jc_profile_axes *local;
	const struct jc_joint_entry *world;

	assert(joint >= 0 && joint < JC_JOINT_COUNT);
	assert(profile < JC_PROFILE_COUNT);
	local = &jc_profile_table[profile].joints[joint];
	world = &jc_joint_table[joint];
	return jc_quat_multiply(
		jc_quat_from_axes(world->along, world->up, jc_vec3_cross(world->along, world->up)),
		jc_quat_conjugate(jc_quat_from_axes(
			local->along, local->up, jc_vec3_cross(local->along, local->up))));
}

const char *jc_profile_name(enum jc_profile profile)
{
	assert(profile < JC_PROFILE_COUNT);
	return jc_profile_table[profile].name;
}

int jc_profile_find(const char *name)
{
	for (int i = 0; i < JC_PROFILE_COUNT; i++) {
		if (strcmp(jc_profile_table[i].name, name) == 0) {
			return i;
		}
	}
	return -1;
}

bool jc_profile_delivers(enum jc_profile profile, enum jc_joint joint)
{
	assert(joint >= 0 && joint < JC_JOINT_COUNT);
	assert(profile < JC_PROFILE_COUNT);
	return jc_profile_table[profile].joints[joint].delivered;
}

struct jc_vec3 jc_bone_rest_position(enum jc_bone bone)
{
	assert(bone >= 0 && bone < JC_BONE_COUNT);
	return jc_bone_table[bone].rest;
}

/* The middle and left half of the reference pose; +X is the axis about which
 * the bone bends. The right half is its mirror image. */
struct reference {
	enum jc_bone first, last;
	struct jc_vec3 along, bend;
};

#define HALF 0.70710678118654752f

static const struct reference references[] = {
	{ JC_BONE_HIPS, JC_BONE_HEAD, { 0, 1, 0 }, { 1, 0, 0 } },
	{ JC_BONE_LEFT_SHOULDER, JC_BONE_LEFT_SHOULDER, { 1, 0, 0 }, { 0, 0, 1 } },
	{ JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_UPPER_ARM, { 1, 0, 0 }, { 0, 0, -1 } },
	{ JC_BONE_LEFT_LOWER_ARM, JC_BONE_LEFT_LOWER_ARM, { 1, 0, 0 }, { 0, -1, 0 } },
	{ JC_BONE_LEFT_HAND, JC_BONE_LEFT_HAND, { 1, 0, 0 }, { 0, 0, -1 } },
	{ JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_UPPER_LEG, { 0, -1, 0 }, { -1, 0, 0 } },
	{ JC_BONE_LEFT_LOWER_LEG, JC_BONE_LEFT_LOWER_LEG, { 0, -1, 0 }, { 1, 0, 0 } },
	{ JC_BONE_LEFT_FOOT, JC_BONE_LEFT_FOOT, { 0, 0, 1 }, { -1, 0, 0 } },
	{ JC_BONE_LEFT_TOES, JC_BONE_LEFT_TOES, { 0, 0, 1 }, { 1, 0, 0 } },
	{ JC_BONE_LEFT_EYE, JC_BONE_LEFT_EYE, { 0, 0, 1 }, { 1, 0, 0 } },
	{ JC_BONE_JAW, JC_BONE_JAW, { 0, 0, 1 }, { -1, 0, 0 } },
	{ JC_BONE_LEFT_THUMB_METACARPAL, JC_BONE_LEFT_THUMB_DISTAL, { HALF, 0, HALF },
		{ 0, 1, 0 } },
	{ JC_BONE_LEFT_INDEX_PROXIMAL, JC_BONE_LEFT_LITTLE_DISTAL, { 1, 0, 0 }, { 0, 0, -1 } },
};

struct jc_quat jc_bone_reference_rotation(enum jc_bone bone)
{
	enum jc_bone left = jc_bone_left_of(bone);

	for (size_t i = 0; i < sizeof(references) / sizeof(references[0]); i++) {
		struct jc_vec3 along = references[i].along;
		struct jc_vec3 bend = references[i].bend;

		if (left < references[i].first || left > references[i].last) {
			continue;
		}
		if (jc_bone_is_right(bone)) {
			/* Across x = 0 a direction flips its x; an axis of
			 * rotation, being axial, flips the other two. */
			along.x = -along.x;
			bend.y = -bend.y;
			bend.z = -bend.z;
		}
		return jc_quat_from_axes(bend, along, jc_vec3_cross(bend, along));
	}
	return JC_QUAT_IDENTITY;
}
