/* The properties of a glTF file's nodes that a motion changes, collected frame by frame. */
#ifndef JC_MOTION_GLTF_KEYS_H
#define JC_MOTION_GLTF_KEYS_H

#include "gltf_track.h"

struct jc_gltf_keys {
	const struct jc_gltf_node *nodes; /* of the file, borrowed */
	size_t node_count;
	size_t frame_count;
	size_t value_count; /* in all arrays */
	/* Owned. By node * JC_GLTF_PATHS + path: an array with the values of each frame, or NULL
	 * while the property is that of the file. */
	float **values;
};

int jc_gltf_keys_init(struct jc_gltf_keys *keys, const struct jc_gltf *gltf, size_t frame_count);
void jc_gltf_keys_finish(struct jc_gltf_keys *keys);

/* Keeps keys of a property even if the motion never changes it. JC_OK, JC_ERROR_MEMORY, or
 * JC_ERROR_LIMIT beyond JC_LIMIT_MOTION_VALUES. */
int jc_gltf_keys_add(struct jc_gltf_keys *keys, int node, enum jc_gltf_path path);

/* Stores the local transforms of all nodes in one frame. Errors as jc_gltf_keys_add. */
int jc_gltf_keys_store(struct jc_gltf_keys *keys, size_t frame, const struct jc_transform *locals);

/* The values of a property, or NULL. Quaternions have the sign that is nearer to the previous
 * frame once jc_gltf_keys_smooth was called. */
float *jc_gltf_keys_of(const struct jc_gltf_keys *keys, int node, enum jc_gltf_path path);
void jc_gltf_keys_smooth(struct jc_gltf_keys *keys);

#endif
