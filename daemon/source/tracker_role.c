/* The joints that trackers move by their role. */
#include "source/tracker_role.h"

#include <string.h>

/* The last four, of revision 3 of XR_HTCX_vive_tracker_interaction, may be unknown to a runtime. */
static const struct {
	const char *name;
	enum jc_joint joint;
} roles[JC_TRACKER_ROLE_COUNT] = {
	{ "waist", JC_JOINT_HIPS },
	{ "chest", JC_JOINT_CHEST },
	{ "left_shoulder", JC_JOINT_LEFT_ARM_UPPER },
	{ "right_shoulder", JC_JOINT_RIGHT_ARM_UPPER },
	{ "left_elbow", JC_JOINT_LEFT_ARM_LOWER },
	{ "right_elbow", JC_JOINT_RIGHT_ARM_LOWER },
	{ "left_knee", JC_JOINT_LEFT_LOWER_LEG },
	{ "right_knee", JC_JOINT_RIGHT_LOWER_LEG },
	{ "left_foot", JC_JOINT_LEFT_FOOT_ANKLE },
	{ "right_foot", JC_JOINT_RIGHT_FOOT_ANKLE },
	{ "left_wrist", JC_JOINT_LEFT_HAND_WRIST },
	{ "right_wrist", JC_JOINT_RIGHT_HAND_WRIST },
	{ "left_ankle", JC_JOINT_LEFT_FOOT_ANKLE },
	{ "right_ankle", JC_JOINT_RIGHT_FOOT_ANKLE },
};

const char *jc_tracker_role_name(int role)
{
	return roles[role].name;
}

int jc_tracker_role_find(const char *name)
{
	for (int role = 0; role < JC_TRACKER_ROLE_COUNT; role++) {
		if (strcmp(roles[role].name, name) == 0) {
			return role;
		}
	}
	return -1;
}

int jc_tracker_role_of(enum jc_joint joint)
{
	for (int role = 0; role < JC_TRACKER_ROLE_COUNT; role++) {
		if (roles[role].joint == joint) {
			return role;
		}
	}
	return -1;
}

enum jc_joint jc_tracker_role_joint(int role)
{
	return roles[role].joint;
}

bool jc_tracker_roles_add(struct jc_tracker_roles *map, const char *tracker, int role)
{
	size_t length = strlen(tracker);

	if (length == 0 || length >= JC_TRACKER_NAME || map->count == JC_TRACKER_ROLE_COUNT ||
		jc_tracker_roles_find(map, tracker) >= 0) {
		return false;
	}
	for (size_t i = 0; i < map->count; i++) {
		if (roles[map->list[i].role].joint == roles[role].joint) {
			return false;
		}
	}
	struct jc_tracker_role *added = &map->list[map->count++];

	memcpy(added->tracker, tracker, length + 1);
	added->role = role;
	return true;
}

int jc_tracker_roles_find(const struct jc_tracker_roles *map, const char *tracker)
{
	for (size_t i = 0; i < map->count; i++) {
		if (strcmp(map->list[i].tracker, tracker) == 0) {
			return map->list[i].role;
		}
	}
	return -1;
}

bool jc_tracker_roles_equal(const struct jc_tracker_roles *a, const struct jc_tracker_roles *b)
{
	for (size_t i = 0; i < a->count && a->count == b->count; i++) {
		if (a->list[i].role != b->list[i].role ||
			strcmp(a->list[i].tracker, b->list[i].tracker) != 0) {
			return false;
		}
	}
	return a->count == b->count;
}
