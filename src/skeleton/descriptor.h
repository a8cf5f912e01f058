/* The skeleton as JSON (proto/PROTOCOL.md, section 3), out and in. */
#ifndef JC_SKELETON_DESCRIPTOR_H
#define JC_SKELETON_DESCRIPTOR_H

#include "skeleton_private.h"

/* Writes an analysed skeleton; *out_json is the caller's to free, out_hash gets
 * JC_SKELETON_HASH_LENGTH digits and a NUL. */
int jc_descriptor_write(const struct jc_skeleton *skeleton, char **out_json, char *out_hash,
	struct jc_diagnostic *diagnostic);

/* Reads a parsed descriptor into a skeleton. */
int jc_descriptor_read(const struct json_t *root, struct jc_skeleton **out_skeleton,
	struct jc_diagnostic *diagnostic);

/* The format of that name, JC_SKELETON_DESCRIPTOR for any other. */
enum jc_skeleton_format jc_descriptor_find_format(const char *name);

#endif
