/* Finds the joints of a bone map among those of a file. */
#include "jointcast_private/bone_map_match.h"

#include <stdlib.h>
#include <string.h>

#include "bone_map.h"
#include "jointcast_private/spelling.h"
#include "jointcast_private/text.h"

struct matching {
	const struct jc_bone_map *map;
	const struct jc_named_joints *joints;
	struct jc_diagnostic *diagnostic;
	signed char *own; /* by joint: enum jc_bone, or -1; owned */
};

/* Refuses a joint name that the file does not have. */
static int refuse_joint(const struct matching *matching, const struct jc_bone_map_line *line)
{
	char nearest[120];

	jc_spelling_list(line->joint, matching->joints->count, matching->joints->names, nearest,
		sizeof(nearest));
	return jc_bone_map_refuse_line(matching->map, line->number, matching->diagnostic,
		JC_ERROR_INVALID, "no joint is named '%.40s'%s%s", line->joint,
		nearest[0] ? "; nearest: " : "", nearest);
}

/* Sets -1 for a line that the map does not have. */
static int find_joint(
	const struct matching *matching, const struct jc_bone_map_line *line, int *out_joint)
{
	const struct jc_named_joints *joints = matching->joints;
	int found = -1;

	if (line->number > 0 && !line->joint[0]) {
		*out_joint = (int)line->joint_number;
		return line->joint_number < joints->count
			       ? JC_OK
			       : jc_bone_map_refuse_line(matching->map, line->number,
					 matching->diagnostic, JC_ERROR_INVALID,
					 "there is no joint #%zu: the file has %zu",
					 line->joint_number, joints->count);
	}
	for (size_t i = 0; line->number > 0 && i < joints->count; i++) {
		if (strcmp(joints->names[i], line->joint) != 0) {
			continue;
		}
		if (found >= 0) {
			return jc_bone_map_refuse_line(matching->map, line->number,
				matching->diagnostic, JC_ERROR_INVALID,
				"several joints are named '%.40s': write #%d or #%zu", line->joint,
				found, i);
		}
		found = (int)i;
	}
	*out_joint = found;
	return line->number == 0 || found >= 0 ? JC_OK : refuse_joint(matching, line);
}

static int find_joints(const struct matching *matching, int *out_bones)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		const struct jc_bone_map_line *line = &matching->map->lines[b];
		int error = find_joint(matching, line, &out_bones[b]);

		if (error) {
			return error;
		}
		if (out_bones[b] < 0) {
			continue;
		}
		if (matching->own[out_bones[b]] >= 0) {
			enum jc_bone other = (enum jc_bone)matching->own[out_bones[b]];

			return jc_bone_map_refuse_line(matching->map, line->number,
				matching->diagnostic, JC_ERROR_INVALID,
				"the joint of '%s' is already that of '%s' in line %zu",
				jc_bone_name((enum jc_bone)b), jc_bone_name(other),
				matching->map->lines[other].number);
		}
		matching->own[out_bones[b]] = (signed char)b;
	}
	return JC_OK;
}

/* Vertebrae have a meaning in H-Anim only. */
static int check_vertebrae(const struct matching *matching)
{
	for (int v = 0; !matching->joints->are_hanim && v < JC_HANIM_VERTEBRA_COUNT; v++) {
		if (matching->map->vertebrae[v].number > 0) {
			return jc_bone_map_refuse_line(matching->map,
				matching->map->vertebrae[v].number, matching->diagnostic,
				JC_ERROR_INVALID,
				"a vertebra of H-Anim, but the file has no H-Anim figure");
		}
	}
	return JC_OK;
}

static bool is_above(enum jc_bone ancestor, enum jc_bone bone)
{
	while (bone != JC_BONE_NONE && bone != ancestor) {
		bone = jc_bone_parent(bone);
	}
	return bone == ancestor;
}

/* The bones must be in the order that jc_skeleton_create demands; here the line is known. */
static int check_order(const struct matching *matching, const int *bones)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int above = bones[b];

		do {
			above = above < 0 ? -1 : matching->joints->parents[above];
		} while (above >= 0 && matching->own[above] < 0);
		if (above >= 0 && !is_above((enum jc_bone)matching->own[above], (enum jc_bone)b)) {
			return jc_bone_map_refuse_line(matching->map,
				matching->map->lines[b].number, matching->diagnostic,
				JC_ERROR_INVALID,
				"the joint of '%s' hangs below that of '%s', which is not above it "
				"in a body",
				jc_bone_name((enum jc_bone)b),
				jc_bone_name((enum jc_bone)matching->own[above]));
		}
	}
	return JC_OK;
}

int jc_bone_map_match(const struct jc_bone_map *map, const struct jc_named_joints *joints,
	int *out_bones, struct jc_diagnostic *diagnostic)
{
	int bones[JC_BONE_COUNT];
	struct matching matching = {
		.map = map,
		.joints = joints,
		.diagnostic = diagnostic,
		.own = malloc(joints->count + 1),
	};
	int error;

	if (!matching.own) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	memset(matching.own, -1, joints->count + 1);
	error = find_joints(&matching, bones);
	error = error ? error : check_order(&matching, bones);
	error = error ? error : check_vertebrae(&matching);
	free(matching.own);
	if (!error) {
		memcpy(out_bones, bones, sizeof(bones));
	}
	return error;
}

int jc_bone_map_match_vertebrae(const struct jc_bone_map *map, const struct jc_named_joints *joints,
	int *out_vertebrae, struct jc_diagnostic *diagnostic)
{
	const struct matching matching = { .map = map, .joints = joints, .diagnostic = diagnostic };
	int error = JC_OK;

	for (int v = 0; !error && v < JC_HANIM_VERTEBRA_COUNT; v++) {
		error = find_joint(&matching, &map->vertebrae[v], &out_vertebrae[v]);
	}
	return error;
}

int jc_bone_map_refuse(const struct jc_bone_map *map, struct jc_diagnostic *diagnostic, int error,
	const char *what)
{
	return jc_diagnose(diagnostic, error, map->name, "%s", what);
}

bool jc_bone_map_can_write(const char *name)
{
	size_t length = strlen(name);
	bool is_printable = true;

	if (length == 0 || length >= JC_LIMIT_NAME_BYTES || name[0] == ' ' ||
		name[length - 1] == ' ' || name[0] == '#') {
		return false;
	}
	for (const char *at = name; *at && is_printable;) {
		at += jc_text_next(at, &is_printable);
	}
	return is_printable;
}
