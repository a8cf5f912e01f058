/* The lines of a bone map. */
#ifndef JC_SKELETON_BONE_MAP_H
#define JC_SKELETON_BONE_MAP_H

#include "jointcast/bone_map.h"
#include "jointcast/humanoid.h"
#include "jointcast/limits.h"
#include "jointcast_private/hanim.h"

#define JC_BONE_MAP_NAME 96 /* of the map in diagnostics; a longer one loses its beginning */

struct jc_bone_map_line {
	size_t number;                   /* of the line, from 1; 0: the map has no such line */
	char joint[JC_LIMIT_NAME_BYTES]; /* the name; empty if the joint is given by its number */
	size_t joint_number;
};

struct jc_bone_map {
	char name[JC_BONE_MAP_NAME];
	struct jc_bone_map_line lines[JC_BONE_COUNT]; /* by bone */
	struct jc_bone_map_line vertebrae[JC_HANIM_VERTEBRA_COUNT];
};

/* Like jc_diagnose; the place is a line of the map. */
int jc_bone_map_refuse_line(const struct jc_bone_map *map, size_t line,
	struct jc_diagnostic *diagnostic, int error, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

#endif
