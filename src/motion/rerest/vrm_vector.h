/* Moves points and directions in the JSON of VRM to a new rest. */
#ifndef JC_MOTION_VRM_VECTOR_H
#define JC_MOTION_VRM_VECTOR_H

#include "rerest_document.h"

/* Moves a point that is fixed to a node: an array in VRM 1.0, an object in VRM 0.x, which mirrors
 * its z (it comes from left-handed coordinates). Other values stay. */
void jc_vrm_vector_move_point(
	struct jc_rerest_document *document, struct json_t *holder, const char *key, int node);

/* Reads a vector as it is written; a missing component of an object is 0. False for other values.
 */
bool jc_vrm_vector_read(const struct json_t *value, struct jc_vec3 *out_vector);

/* Rotates a direction, an array or an object whose z is not mirrored. Other values stay. */
void jc_vrm_vector_rotate(struct jc_rerest_document *document, struct json_t *holder,
	const char *key, struct jc_quat rotation);

/* The node that a member of an object refers to, or -1. */
int jc_vrm_vector_node(
	const struct jc_rerest_document *document, const struct json_t *object, const char *key);

#endif
