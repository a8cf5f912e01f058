/* Reads glTF 2.0 containers: JSON or GLB, nodes, skins and accessors. Syntax only; skeleton.h
 * finds humanoids in them. Clause numbers are those of the glTF 2.0 specification of the
 * Khronos Group. */
#ifndef JOINTCAST_GLTF_H
#define JOINTCAST_GLTF_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "lint.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct json_t; /* jansson */

/* Delivers the bytes of an external buffer. uri is decoded and relative; the resolver decides
 * whether it may be read. On success *out_bytes must stay valid until the glTF is destroyed. */
struct jc_gltf_resolver {
	/* Returns JC_OK or a negative enum jc_error, with which the reader then fails. */
	int (*read)(void *context, const char *uri, const void **out_bytes, size_t *out_length);
	void *context; /* passed to read */
};

/* A node of the file (3.5.3). */
struct jc_gltf_node {
	const char *name;          /* owned by the file; "" if the node has no name */
	int parent;                /* -1 for a root; the graph is proven to be a forest */
	int mesh, skin;            /* -1: none */
	struct jc_transform local; /* matrices are decomposed; rotation is unit */
};

/* A skin of the file (3.7.3). */
struct jc_gltf_skin {
	const char *name;                   /* owned by the file; "" if it has no name */
	size_t joint_count;                 /* of the next two fields */
	const int *joints;                  /* node indices */
	const struct jc_mat4 *inverse_bind; /* joint_count matrices, or NULL */
	int skeleton;                       /* node index or -1 */
};

struct jc_gltf;

/* Reads .gltf or .glb. bytes are borrowed until the glTF is destroyed. resolver
 * may be NULL: external buffers are then missing, which matters only to
 * accessors in them. Findings that do not stop a reader (decomposed shear,
 * unreadable inverse bind matrices) go to lint (may be NULL). */
int jc_gltf_read(const void *bytes, size_t length, const struct jc_gltf_resolver *resolver,
	struct jc_gltf **out_gltf, struct jc_lint *lint, struct jc_diagnostic *diagnostic);
void jc_gltf_destroy(struct jc_gltf *gltf);

/* The nodes and skins, in the order of the file; owned by the glTF. */
size_t jc_gltf_node_count(const struct jc_gltf *gltf);
const struct jc_gltf_node *jc_gltf_nodes(const struct jc_gltf *gltf);
size_t jc_gltf_skin_count(const struct jc_gltf *gltf);
const struct jc_gltf_skin *jc_gltf_skins(const struct jc_gltf *gltf);

/* The JSON document, borrowed. */
const struct json_t *jc_gltf_json(const struct jc_gltf *gltf);

/* The root extension object of that name, borrowed, or NULL. */
const struct json_t *jc_gltf_extension(const struct jc_gltf *gltf, const char *name);

/* Reads count x components floats of an accessor (bounds, strides, normalised
 * integers and sparse substitution handled; 3.6.2). *out_values is the
 * caller's to free. */
int jc_gltf_accessor_floats(const struct jc_gltf *gltf, int accessor, size_t *out_count,
	size_t *out_components, float **out_values, struct jc_diagnostic *diagnostic);

/* How many buffers there are, and the bytes of one (3.6.1), borrowed;
 * JC_ERROR_INVALID where they are missing. */
size_t jc_gltf_buffer_count(const struct jc_gltf *gltf);
int jc_gltf_buffer(const struct jc_gltf *gltf, size_t index, const void **out_bytes,
	size_t *out_length, struct jc_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif
