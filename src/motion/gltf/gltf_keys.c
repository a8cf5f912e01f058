/* A property gets keys when a motion first changes it: until then all of its frames are those of
 * the file. */
#include "gltf_keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"

/* Differences from the file that are rounding: of quaternions and scales, and of translations
 * relative to their length. */
#define SAME 1e-5f

int jc_gltf_keys_init(struct jc_gltf_keys *keys, const struct jc_gltf *gltf, size_t frame_count)
{
	*keys = (struct jc_gltf_keys){
		.nodes = jc_gltf_nodes(gltf),
		.node_count = jc_gltf_node_count(gltf),
		.frame_count = frame_count,
		.values = calloc(jc_gltf_node_count(gltf) * JC_GLTF_PATHS + 1, sizeof(float *)),
	};
	return keys->values ? JC_OK : JC_ERROR_MEMORY;
}

void jc_gltf_keys_finish(struct jc_gltf_keys *keys)
{
	for (size_t i = 0; keys->values && i < keys->node_count * JC_GLTF_PATHS; i++) {
		free(keys->values[i]);
	}
	free(keys->values);
	*keys = (struct jc_gltf_keys){ .node_count = 0 };
}

float *jc_gltf_keys_of(const struct jc_gltf_keys *keys, int node, enum jc_gltf_path path)
{
	return keys->values[node * JC_GLTF_PATHS + (int)path];
}

int jc_gltf_keys_add(struct jc_gltf_keys *keys, int node, enum jc_gltf_path path)
{
	float **values = &keys->values[node * JC_GLTF_PATHS + (int)path];
	size_t width = jc_gltf_path_width(path);

	if (*values) {
		return JC_OK;
	}
	if (keys->frame_count > (JC_LIMIT_MOTION_VALUES - keys->value_count) / width) {
		return JC_ERROR_LIMIT;
	}
	*values = calloc(keys->frame_count, width * sizeof(float));
	if (!*values) {
		return JC_ERROR_MEMORY;
	}
	keys->value_count += keys->frame_count * width;
	for (size_t i = 0; i < keys->frame_count; i++) {
		jc_gltf_path_values(&keys->nodes[node].local, path, *values + i * width);
	}
	return JC_OK;
}

static bool is_same(
	const struct jc_transform *a, const struct jc_transform *b, enum jc_gltf_path path)
{
	float first[4], second[4];
	float dot = 0.0f, difference = 0.0f, length = 0.0f;

	jc_gltf_path_values(a, path, first);
	jc_gltf_path_values(b, path, second);
	for (size_t i = 0; i < jc_gltf_path_width(path); i++) {
		dot += first[i] * second[i];
		length = fmaxf(length, fabsf(first[i]));
	}
	for (size_t i = 0; i < jc_gltf_path_width(path); i++) {
		float other = path == JC_GLTF_ROTATION && dot < 0.0f ? -second[i] : second[i];

		difference = fmaxf(difference, fabsf(first[i] - other));
	}
	return difference <= SAME * fmaxf(length, path == JC_GLTF_TRANSLATION ? 1.0f : length);
}

int jc_gltf_keys_store(struct jc_gltf_keys *keys, size_t frame, const struct jc_transform *locals)
{
	for (size_t i = 0; i < keys->node_count; i++) {
		for (int p = 0; p < JC_GLTF_PATHS; p++) {
			enum jc_gltf_path path = (enum jc_gltf_path)p;
			float **values = &keys->values[i * JC_GLTF_PATHS + (size_t)p];
			int error = JC_OK;

			if (!*values && !is_same(&keys->nodes[i].local, &locals[i], path)) {
				error = jc_gltf_keys_add(keys, (int)i, path);
			}
			if (error) {
				return error;
			}
			if (*values) {
				jc_gltf_path_values(&locals[i], path,
					*values + frame * jc_gltf_path_width(path));
			}
		}
	}
	return JC_OK;
}

void jc_gltf_keys_smooth(struct jc_gltf_keys *keys)
{
	for (size_t i = 0; i < keys->node_count; i++) {
		float *q = jc_gltf_keys_of(keys, (int)i, JC_GLTF_ROTATION);

		for (size_t k = 1; q && k < keys->frame_count; k++, q += 4) {
			if (q[0] * q[4] + q[1] * q[5] + q[2] * q[6] + q[3] * q[7] < 0.0f) {
				for (int c = 4; c < 8; c++) {
					q[c] = -q[c];
				}
			}
		}
	}
}
