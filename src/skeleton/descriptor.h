/* Converts skeletons to and from JSON descriptors (proto/SKELETONS.md, "Skeleton descriptors"). */
#ifndef JC_SKELETON_DESCRIPTOR_H
#define JC_SKELETON_DESCRIPTOR_H

#include "skeleton_private.h"

/* Writes an analysed skeleton. The caller frees *out_json; out_hash gets
 * JC_SKELETON_HASH_LENGTH digits and a NUL. */
int jc_descriptor_write(const struct jc_skeleton *skeleton, char **out_json, char *out_hash,
	struct jc_diagnostic *diagnostic);

/* Reads a parsed descriptor into a skeleton. */
int jc_descriptor_read(const struct json_t *root, struct jc_skeleton **out_skeleton,
	struct jc_diagnostic *diagnostic);

/* The format with this name; JC_SKELETON_DESCRIPTOR for an unknown name. */
enum jc_skeleton_format jc_descriptor_find_format(const char *name);

#endif
