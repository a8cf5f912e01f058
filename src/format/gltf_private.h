/* Internal structure of an open glTF file, for the files that read it. */
#ifndef JC_FORMAT_GLTF_PRIVATE_H
#define JC_FORMAT_GLTF_PRIVATE_H

#include <stdint.h>

#include "jointcast/gltf.h"

struct jc_gltf_buffer {
	const uint8_t *bytes; /* NULL where they are missing */
	size_t length;
	void *decoded;       /* owned copy of a data: URI's bytes, else NULL */
	const char *missing; /* why there are no bytes */
};

struct jc_gltf {
	struct json_t *root;   /* owned */
	const uint8_t *binary; /* GLB's second chunk, in the caller's bytes; may be NULL */
	size_t binary_length;
	size_t buffer_count;
	struct jc_gltf_buffer *buffers;
	size_t node_count;
	struct jc_gltf_node *nodes; /* names in root */
	size_t skin_count;
	struct jc_gltf_skin *skins; /* names in root; joints and inverse_bind owned */
};

/* Finds the JSON text and the binary chunk (NULL and 0 if absent). */
int jc_gltf_split(const void *bytes, size_t length, const char **out_text, size_t *out_text_length,
	const uint8_t **out_binary, size_t *out_binary_length, struct jc_diagnostic *diagnostic);

/* Each fills its part of a gltf whose root is set. */
int jc_gltf_read_buffers(struct jc_gltf *gltf, const struct jc_gltf_resolver *resolver,
	struct jc_diagnostic *diagnostic);
int jc_gltf_read_nodes(
	struct jc_gltf *gltf, struct jc_lint *lint, struct jc_diagnostic *diagnostic);
int jc_gltf_read_skins(
	struct jc_gltf *gltf, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#endif
