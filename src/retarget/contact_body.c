/* Computes the joints of trunk, arms and thighs from normalised rotations. */
#include "contact_body.h"

#include <math.h>

#include "jointcast/transform.h"

#define MEMBERS 18

/* Parents first. */
static const enum jc_bone members[MEMBERS] = {
	JC_BONE_HIPS,
	JC_BONE_SPINE,
	JC_BONE_CHEST,
	JC_BONE_UPPER_CHEST,
	JC_BONE_NECK,
	JC_BONE_HEAD,
	JC_BONE_LEFT_SHOULDER,
	JC_BONE_LEFT_UPPER_ARM,
	JC_BONE_LEFT_LOWER_ARM,
	JC_BONE_LEFT_HAND,
	JC_BONE_RIGHT_SHOULDER,
	JC_BONE_RIGHT_UPPER_ARM,
	JC_BONE_RIGHT_LOWER_ARM,
	JC_BONE_RIGHT_HAND,
	JC_BONE_LEFT_UPPER_LEG,
	JC_BONE_LEFT_LOWER_LEG,
	JC_BONE_RIGHT_UPPER_LEG,
	JC_BONE_RIGHT_LOWER_LEG,
};

bool jc_contact_body_has(const struct jc_contact_body *body, enum jc_bone bone)
{
	return body->mask >> bone & 1;
}

static bool is_member(enum jc_bone bone)
{
	for (int i = 0; i < MEMBERS; i++) {
		if (members[i] == bone) {
			return true;
		}
	}
	return false;
}

/* Of the head joint; the proportions of the built-in figure give that of a figure without one. */
static float find_height(const struct jc_contact_body *body, struct jc_vec3 head)
{
	if (jc_contact_body_has(body, JC_BONE_HEAD) && head.y > body->hips_height) {
		return head.y;
	}
	return body->hips_height * jc_bone_rest_position(JC_BONE_HEAD).y /
	       jc_bone_rest_position(JC_BONE_HIPS).y;
}

void jc_contact_body_init(struct jc_contact_body *body, const struct jc_contact_t_pose *t_pose)
{
	const struct jc_skeleton *skeleton = t_pose->skeleton;
	const struct jc_vec3 *joints = t_pose->joints;

	*body = (struct jc_contact_body){
		.mask = jc_skeleton_bone_mask(skeleton),
		.hips = joints[JC_BONE_HIPS],
		.hips_point = jc_skeleton_hips_point(skeleton),
		.hips_height = jc_skeleton_hips_height(skeleton),
	};
	for (int i = 0; i < MEMBERS; i++) {
		enum jc_bone bone = members[i];
		enum jc_bone above = jc_skeleton_mapped_parent(skeleton, bone);

		while (above != JC_BONE_NONE && !is_member(above)) {
			above = jc_skeleton_mapped_parent(skeleton, above);
		}
		body->above[bone] = (int8_t)above;
		if (jc_contact_body_has(body, bone) && above != JC_BONE_NONE) {
			body->ways[bone] = jc_vec3_subtract(joints[bone], joints[above]);
		}
	}
	body->height = find_height(body, joints[JC_BONE_HEAD]);
}

bool jc_contact_body_is_like(
	const struct jc_contact_body *a, const struct jc_contact_body *b, float scale)
{
	float most = 2e-3f * b->height;

	for (int i = 1; i < MEMBERS; i++) {
		enum jc_bone bone = members[i];
		struct jc_vec3 way = jc_vec3_scale(a->ways[bone], scale);

		if (jc_contact_body_has(a, bone) != jc_contact_body_has(b, bone) ||
			jc_vec3_length(jc_vec3_subtract(way, b->ways[bone])) > most) {
			return false;
		}
	}
	return fabsf(a->hips.y * scale - b->hips.y) <= most;
}

/* Positions of the mapped bones, which hang on each other as in the file. */
static void place(
	const struct jc_contact_body *body, struct jc_vec3 hips, struct jc_contact_posed *posed)
{
	posed->joints[JC_BONE_HIPS] = hips;
	for (int i = 1; i < MEMBERS; i++) {
		enum jc_bone bone = members[i];
		int above = body->above[bone];

		if (jc_contact_body_has(body, bone) && above >= 0) {
			posed->joints[bone] = jc_vec3_add(posed->joints[above],
				jc_quat_rotate(posed->turns[above], body->ways[bone]));
		}
	}
}

void jc_contact_body_pose_source(const struct jc_contact_body *body, const struct jc_pose *pose,
	struct jc_contact_posed *out_posed)
{
	struct jc_vec3 hips =
		jc_vec3_subtract(jc_vec3_scale(pose->hips_translation, body->hips_height),
			jc_quat_displace(pose->rotations[JC_BONE_HIPS], body->hips_point));

	out_posed->turns[JC_BONE_HIPS] = pose->rotations[JC_BONE_HIPS];
	for (int i = 1; i < MEMBERS; i++) {
		enum jc_bone bone = members[i];

		out_posed->turns[bone] = jc_quat_multiply(
			out_posed->turns[jc_bone_parent(bone)], pose->rotations[bone]);
	}
	place(body, jc_vec3_add(body->hips, hips), out_posed);
}

void jc_contact_body_pose_target(const struct jc_contact_body *body,
	const struct jc_quat rotations[JC_BONE_COUNT], struct jc_vec3 hips_translation,
	struct jc_contact_posed *out_posed)
{
	for (int i = 0; i < MEMBERS; i++) {
		enum jc_bone bone = members[i];
		int above = body->above[bone];

		if (jc_contact_body_has(body, bone)) {
			out_posed->turns[bone] =
				above >= 0
					? jc_quat_multiply(out_posed->turns[above], rotations[bone])
					: rotations[bone];
		}
	}
	place(body, jc_vec3_add(body->hips, hips_translation), out_posed);
}
