/* Bone maps: text that assigns joints of a file to bones, for files whose names and structure do
 * not show the bones, or show others than their author means. */
#ifndef JOINTCAST_BONE_MAP_H
#define JOINTCAST_BONE_MAP_H

#include <stddef.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A bone map, independent of the file for which it is meant. Immutable; threads may share it. */
struct jc_bone_map;

/* Reads a bone map: a text with one bone on each line,
 *
 *   BONE = JOINT
 *
 * BONE is a name of EXT_skeleton_humanoid, such as leftUpperArm; in H-Anim figures also a vertebra,
 * vl5 to vc1, which shares the rotation of the spine bone below it. JOINT is the rest of the line
 * without the blanks around it: the exact name of a joint, or # and its number in the file, from 0,
 * for a joint whose name is empty, not unique, or cannot be written on a line. Numbers count joints
 * in BVH, nodes in glTF, and in H-Anim the humanoid (0) and its joints in file order. A line is a
 * comment if its first character that is no blank is '#'; later ones belong to the joint. A bone
 * and a joint appear once at most. The map is complete: bones that it does not list stay unmapped.
 *
 * `name` is the name of the map in the places of errors ("NAME:12"), also of those that a reader of
 * a motion or skeleton finds in the map. JC_ERROR_SYNTAX for a line without '=', JC_ERROR_INVALID
 * for an unknown bone (the diagnostic lists the nearest names) or one that appears twice,
 * JC_ERROR_LIMIT past JC_LIMIT_BONE_MAP_BYTES or JC_LIMIT_NAME_BYTES. */
int jc_bone_map_read(const char *name, const void *bytes, size_t length,
	struct jc_bone_map **out_map, struct jc_diagnostic *diagnostic);
void jc_bone_map_destroy(struct jc_bone_map *map); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
