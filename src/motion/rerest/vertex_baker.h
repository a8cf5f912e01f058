/* Vertices of primitives, moved by the joints that hold them. */
#ifndef JC_MOTION_VERTEX_BAKER_H
#define JC_MOTION_VERTEX_BAKER_H

#include "gltf/gltf_edit.h"
#include "jointcast/types.h"

struct jc_vertex_baker_source {
	int mesh, primitive;       /* for messages */
	const struct json_t *json; /* the primitive as the file has it */
	int skin;                  /* tells matrices apart */
	size_t matrix_count;
	const struct jc_mat4 *matrices; /* by joint of the skin; borrowed for the call */
};

/* Keeps what it has baked, for primitives that share their vertices. */
struct jc_vertex_baker;

struct jc_vertex_baker *jc_vertex_baker_create(struct jc_gltf_edit *edit); /* or NULL */
void jc_vertex_baker_destroy(struct jc_vertex_baker *baker);

/* Points `out_primitive` at positions, normals, tangents and morph targets moved
 * by the weighted sum of matrices. A vertex without weights goes with the first
 * joint. */
int jc_vertex_baker_bake(struct jc_vertex_baker *baker, const struct jc_vertex_baker_source *source,
	struct json_t *out_primitive, struct jc_diagnostic *diagnostic);

#endif
