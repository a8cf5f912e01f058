/* Evaluates one virtual transform, and inverts the formula for writers. */
#include "jointcast_private/virtual_placement.h"

#include <stddef.h>

#include "jointcast/transform.h"

/* Length of a matrix column: the scale along that axis where a matrix is too
 * collapsed to decompose. */
static float column_length(const struct jc_mat4 *matrix, int column)
{
	const float *m = matrix->m + (ptrdiff_t)4 * column;

	return jc_vec3_length((struct jc_vec3){ m[0], m[1], m[2] });
}

static struct jc_transform parts(const struct jc_mat4 *matrix)
{
	struct jc_transform transform;

	if (jc_mat4_decompose(*matrix, &transform, NULL)) {
		return transform;
	}
	return (struct jc_transform){
		.translation = jc_mat4_translation(*matrix),
		.rotation = JC_QUAT_IDENTITY,
		.scale = { column_length(matrix, 0), column_length(matrix, 1),
			column_length(matrix, 2) },
	};
}

/* A parent component that is not respected is replaced by identity. */
static struct jc_transform respected(
	const struct jc_virtual_transform *virtual_transform, struct jc_transform parent)
{
	struct jc_transform frame = JC_TRANSFORM_IDENTITY;

	if (virtual_transform->respect_position) {
		frame.translation = parent.translation;
	}
	if (virtual_transform->respect_rotation) {
		frame.rotation = parent.rotation;
	}
	if (virtual_transform->respect_scale) {
		frame.scale = parent.scale;
	}
	return frame;
}

struct jc_transform jc_virtual_transform_place(
	const struct jc_virtual_transform *virtual_transform, const struct jc_mat4 *parent)
{
	const struct jc_transform *offset = &virtual_transform->offset;
	struct jc_transform frame;
	struct jc_mat4 product;

	if (!parent) {
		return *offset;
	}
	if (virtual_transform->respect_position && virtual_transform->respect_rotation &&
		virtual_transform->respect_scale) {
		product = jc_mat4_multiply(*parent, jc_mat4_compose(*offset));
		return parts(&product);
	}
	frame = respected(virtual_transform, parts(parent));
	return (struct jc_transform){
		.translation = jc_vec3_add(frame.translation,
			jc_quat_rotate(frame.rotation,
				jc_vec3_multiply(frame.scale, offset->translation))),
		.rotation = jc_quat_normalize(jc_quat_multiply(frame.rotation, offset->rotation)),
		.scale = jc_vec3_multiply(frame.scale, offset->scale),
	};
}

static struct jc_vec3 divide(struct jc_vec3 a, struct jc_vec3 b)
{
	return (struct jc_vec3){ a.x / b.x, a.y / b.y, a.z / b.z };
}

void jc_virtual_transform_carry(struct jc_virtual_transform *virtual_transform, struct jc_quat turn,
	const struct jc_mat4 *before, const struct jc_mat4 *after)
{
	struct jc_transform old = JC_TRANSFORM_IDENTITY, new = JC_TRANSFORM_IDENTITY;
	struct jc_transform *offset = &virtual_transform->offset;
	struct jc_vec3 place;

	if (before && (!jc_mat4_decompose(*before, &old, NULL) ||
			      !jc_mat4_decompose(*after, &new, NULL))) {
		return;
	}
	old = respected(virtual_transform, old);
	new = respected(virtual_transform, new);
	place = jc_quat_rotate(turn,
		jc_quat_rotate(old.rotation, jc_vec3_multiply(old.scale, offset->translation)));
	offset->translation =
		divide(jc_quat_rotate(jc_quat_conjugate(new.rotation), place), new.scale);
	offset->rotation = jc_quat_normalize(jc_quat_multiply(jc_quat_conjugate(new.rotation),
		jc_quat_multiply(turn, jc_quat_multiply(old.rotation, offset->rotation))));
	offset->scale = divide(jc_vec3_multiply(old.scale, offset->scale), new.scale);
}

bool jc_virtual_transform_is_root(const struct jc_virtual_transform *virtual_transform)
{
	return virtual_transform->parent < 0 ||
	       (!virtual_transform->respect_position && !virtual_transform->respect_rotation &&
		       !virtual_transform->respect_scale);
}
