/* Moves the vertices of primitives by the joints of their skin. */
#ifndef JC_MOTION_VERTEX_BAKER_H
#define JC_MOTION_VERTEX_BAKER_H

#include "gltf/gltf_edit.h"
#include "jointcast/types.h"

struct jc_vertex_baker_source {
	int mesh, primitive;       /* for messages */
	const struct json_t *json; /* the primitive in the file */
	int skin;                  /* identifies the matrices */
	size_t matrix_count;
	const struct jc_mat4 *matrices; /* by joint of the skin; borrowed for the call */
};

/* Keeps its results, for primitives that share vertices. */
struct jc_vertex_baker;

struct jc_vertex_baker *jc_vertex_baker_create(
	struct jc_gltf_edit *edit); /* NULL if memory is short */
void jc_vertex_baker_destroy(struct jc_vertex_baker *baker);

/* Changes `out_primitive` to refer to positions, normals, tangents and morph targets that
 * are moved by the weighted sum of matrices. A vertex without weights moves with the
 * first joint. */
int jc_vertex_baker_bake(struct jc_vertex_baker *baker, const struct jc_vertex_baker_source *source,
	struct json_t *out_primitive, struct jc_diagnostic *diagnostic);

#endif
