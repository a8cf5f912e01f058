/* Moves points and directions in the JSON of VRM to a new rest. A point p of a node becomes
 * C^-1 p, where C is the change of the node (rerest_plan.h). */
#include "vrm_vector.h"

#include <jansson.h>

#include "jointcast/transform.h"

static const char *const letters[3] = { "x", "y", "z" };

static const json_t *component(const json_t *value, int i)
{
	return json_is_array(value) ? json_array_get(value, (size_t)i)
				    : json_object_get(value, letters[i]);
}

bool jc_vrm_vector_read(const json_t *value, struct jc_vec3 *out_vector)
{
	float read[3] = { 0.0f, 0.0f, 0.0f };

	if (json_is_array(value) ? json_array_size(value) != 3 : !json_is_object(value)) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		const json_t *number = component(value, i);

		if (number ? !json_is_number(number) : json_is_array(value)) {
			return false;
		}
		read[i] = (float)json_number_value(number);
	}
	*out_vector = (struct jc_vec3){ read[0], read[1], read[2] };
	return jc_vec3_is_finite(*out_vector);
}

static void write_vector(
	struct jc_rerest_document *document, json_t *holder, const char *key, struct jc_vec3 vector)
{
	json_t *value = json_object_get(holder, key);
	float numbers[3] = { vector.x, vector.y, vector.z };

	if (!jc_vec3_is_finite(vector)) {
		return;
	}
	if (json_is_array(value)) {
		jc_gltf_edit_set(&document->edit, holder, key, jc_gltf_edit_numbers(numbers, 3));
		return;
	}
	for (int i = 0; i < 3; i++) {
		jc_gltf_edit_set(&document->edit, value, letters[i], json_real((double)numbers[i]));
	}
}

void jc_vrm_vector_move_point(
	struct jc_rerest_document *document, json_t *holder, const char *key, int node)
{
	const json_t *value = json_object_get(holder, key);
	float mirror = json_is_object(value) ? -1.0f : 1.0f;
	struct jc_vec3 point;

	if (node < 0 || !jc_vrm_vector_read(value, &point)) {
		return;
	}
	point.z *= mirror;
	point = jc_mat4_transform_point(jc_mat4_invert(document->plan.change[node]), point);
	point.z *= mirror;
	write_vector(document, holder, key, point);
}

void jc_vrm_vector_rotate(struct jc_rerest_document *document, json_t *holder, const char *key,
	struct jc_quat rotation)
{
	struct jc_vec3 direction;

	if (jc_vrm_vector_read(json_object_get(holder, key), &direction)) {
		write_vector(document, holder, key, jc_quat_rotate(rotation, direction));
	}
}

int jc_vrm_vector_node(
	const struct jc_rerest_document *document, const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	json_int_t node = json_integer_value(value);

	return json_is_integer(value) && node >= 0 && (size_t)node < document->plan.count
		       ? (int)node
		       : -1;
}
