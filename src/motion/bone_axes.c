/* Turns the axes of the reference pose to the joints of a figure where a writer asks for it. */
#include "bone_axes.h"

#include "jointcast/transform.h"
#include "jointcast_private/posture.h"

#define SHORT 1e-5f /* metres; shorter bones have no direction */

static bool is_below(const struct jc_skeleton *skeleton, enum jc_bone bone, enum jc_bone above)
{
	while (bone != JC_BONE_NONE && bone != above) {
		bone = jc_skeleton_mapped_parent(skeleton, bone);
	}
	return bone == above;
}

struct jc_quat jc_bone_axes_rotation(const struct jc_skeleton *skeleton, enum jc_bone_axes axes,
	enum jc_bone bone, const struct jc_vec3 positions[JC_BONE_COUNT])
{
	struct jc_quat reference = jc_bone_reference_rotation(bone);
	struct jc_vec3 along = jc_quat_rotate(reference, (struct jc_vec3){ 0.0f, 1.0f, 0.0f });
	struct jc_vec3 bend = jc_quat_rotate(reference, (struct jc_vec3){ 1.0f, 0.0f, 0.0f });
	enum jc_bone child = jc_posture_child(skeleton, bone);
	struct jc_vec3 way;

	if (axes == JC_BONE_AXES_ANATOMIC || child == JC_BONE_NONE ||
		!is_below(skeleton, child, bone)) {
		return reference;
	}
	way = jc_vec3_subtract(positions[child], positions[bone]);
	if (!(jc_vec3_length(way) > SHORT)) {
		return reference;
	}
	return jc_quat_normalize(jc_quat_multiply(jc_quat_between(along, way, bend), reference));
}
