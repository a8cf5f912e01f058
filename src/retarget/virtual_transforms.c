/* Evaluates KHR_virtual_transform: points attached to nodes, such as a grip or a seat. */
#include "jointcast/retarget.h"
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
static struct jc_transform place(
	const struct jc_virtual_transform *virtual_transform, const struct jc_mat4 *parent)
{
	const struct jc_transform *offset = &virtual_transform->offset;
	struct jc_transform frame;
	struct jc_mat4 product;

	if (virtual_transform->respect_position && virtual_transform->respect_rotation &&
		virtual_transform->respect_scale) {
		product = jc_mat4_multiply(*parent, jc_mat4_compose(*offset));
		return parts(&product);
	}
	frame = parts(parent);
	if (!virtual_transform->respect_position) {
		frame.translation = (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
	}
	if (!virtual_transform->respect_rotation) {
		frame.rotation = JC_QUAT_IDENTITY;
	}
	if (!virtual_transform->respect_scale) {
		frame.scale = (struct jc_vec3){ 1.0f, 1.0f, 1.0f };
	}
	return (struct jc_transform){
		.translation = jc_vec3_add(frame.translation,
			jc_quat_rotate(frame.rotation,
				jc_vec3_multiply(frame.scale, offset->translation))),
		.rotation = jc_quat_normalize(jc_quat_multiply(frame.rotation, offset->rotation)),
		.scale = jc_vec3_multiply(frame.scale, offset->scale),
	};
}

void jc_virtual_transforms_evaluate(const struct jc_skeleton *skeleton,
	const struct jc_mat4 *worlds, struct jc_transform *out_transforms)
{
	size_t count = jc_skeleton_virtual_transform_count(skeleton);
	const struct jc_virtual_transform *all = jc_skeleton_virtual_transforms(skeleton);

	for (size_t i = 0; i < count; i++) {
		out_transforms[i] =
			all[i].parent >= 0 ? place(&all[i], &worlds[all[i].parent]) : all[i].offset;
	}
}
