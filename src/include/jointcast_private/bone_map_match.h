/* Finds the joints of a bone map in a file. */
#ifndef JC_PRIVATE_BONE_MAP_MATCH_H
#define JC_PRIVATE_BONE_MAP_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/bone_map.h"

/* `family` of figures whose bones are those of a map. */
#define JC_BONE_MAP_FAMILY "bone map"

/* The joints of a file by their number, in any order. Names are as in the file, "" if a joint has
 * none; parents are -1 for roots and form a forest. */
struct jc_named_joints {
	size_t count;
	const char *const *names;
	const int *parents;
	bool are_hanim; /* vertebrae are allowed */
};

/* Sets the joint of each bone, or -1. JC_ERROR_INVALID, with the line of the map in the diagnostic,
 * if a joint does not exist (the nearest names are listed), has the name of another one, has two
 * bones, or hangs below a joint whose bone is not above its own in the humanoid hierarchy. */
int jc_bone_map_match(const struct jc_bone_map *map, const struct jc_named_joints *joints,
	int *out_bones, struct jc_diagnostic *diagnostic);

/* Sets the joint of each vertebra of H-Anim, JC_HANIM_VERTEBRA_COUNT of them by rising order, or
 * -1. Call it after jc_bone_map_match. */
int jc_bone_map_match_vertebrae(const struct jc_bone_map *map, const struct jc_named_joints *joints,
	int *out_vertebrae, struct jc_diagnostic *diagnostic);

/* Like jc_diagnose, with the map as the place. */
int jc_bone_map_refuse(const struct jc_bone_map *map, struct jc_diagnostic *diagnostic, int error,
	const char *what);

/* Whether a line of a map can name a joint so: "= NAME" reads back as this name. It may still be
 * the name of several joints. */
bool jc_bone_map_can_write(const char *name);

#endif
