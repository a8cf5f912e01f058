/* Measures the T-pose of skeletons, and computes the joints of legs from normalised rotations. */
#include "contact_figure.h"

#include <math.h>
#include <stdlib.h>

#include "jointcast/transform.h"

const enum jc_bone jc_leg_bones[JC_SIDES][JC_LEG_BONES] = {
	{ JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_LOWER_LEG, JC_BONE_LEFT_FOOT },
	{ JC_BONE_RIGHT_UPPER_LEG, JC_BONE_RIGHT_LOWER_LEG, JC_BONE_RIGHT_FOOT },
};

const enum jc_bone jc_toes[JC_SIDES] = { JC_BONE_LEFT_TOES, JC_BONE_RIGHT_TOES };

static void find_joints(struct jc_contact_t_pose *t_pose, const struct jc_mat4 *worlds)
{
	struct jc_quat to_canonical = jc_quat_conjugate(jc_skeleton_facing(t_pose->skeleton));

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(t_pose->skeleton, (enum jc_bone)b);

		if (node >= 0) {
			t_pose->joints[b] =
				jc_quat_rotate(to_canonical, jc_mat4_translation(worlds[node]));
			t_pose->joints[b].y -= jc_skeleton_floor(t_pose->skeleton);
		}
	}
}

int jc_contact_t_pose_init(struct jc_contact_t_pose *t_pose, const struct jc_skeleton *skeleton)
{
	size_t nodes = jc_skeleton_node_count(skeleton);
	struct jc_quat normalised[JC_BONE_COUNT];
	struct jc_skeleton_pose pose = { 0 };
	struct jc_transform *locals = calloc(nodes + 1, sizeof(*locals));
	struct jc_mat4 *worlds = calloc(nodes + 1, sizeof(*worlds));
	int error = locals && worlds ? JC_OK : JC_ERROR_MEMORY;

	if (error) {
		goto out;
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		normalised[b] = JC_QUAT_IDENTITY;
	}
	jc_skeleton_relative(skeleton, normalised, pose.rotations);
	jc_skeleton_locals(skeleton, &pose, locals);
	jc_skeleton_worlds(skeleton, locals, worlds);
	*t_pose = (struct jc_contact_t_pose){ .skeleton = skeleton };
	find_joints(t_pose, worlds);
out:
	free(locals);
	free(worlds);
	return error;
}

/* Each bone of the leg hangs on the one before; no offset of an operator turns the chain. */
static bool is_chain(const struct jc_skeleton *skeleton, int side)
{
	enum jc_bone above = JC_BONE_HIPS;

	for (int i = 0; i < JC_LEG_BONES; i++) {
		enum jc_bone bone = jc_leg_bones[side][i];

		if (jc_skeleton_bone_node(skeleton, bone) < 0 ||
			jc_skeleton_mapped_parent(skeleton, bone) != above) {
			return false;
		}
		above = bone;
	}
	return jc_quat_angle(jc_skeleton_offset(skeleton, JC_BONE_HIPS), JC_QUAT_IDENTITY) < 1e-4f;
}

/* The ball of a foot without toes: that of the built-in figure, as long as this leg. */
static struct jc_vec3 estimate_ball(int side, struct jc_vec3 ankle, float leg)
{
	struct jc_vec3 knee = jc_bone_rest_position(jc_leg_bones[side][JC_LEG_LOWER]);
	struct jc_vec3 hip = jc_bone_rest_position(jc_leg_bones[side][JC_LEG_UPPER]);
	struct jc_vec3 foot = jc_bone_rest_position(jc_leg_bones[side][JC_LEG_FOOT]);
	struct jc_vec3 ball = jc_bone_rest_position(jc_toes[side]);
	float size = leg / (jc_vec3_length(jc_vec3_subtract(knee, hip)) +
				   jc_vec3_length(jc_vec3_subtract(foot, knee)));
	struct jc_vec3 to_ball = jc_vec3_scale(jc_vec3_subtract(ball, foot), size);

	to_ball.y = -(ankle.y < -to_ball.y ? ankle.y : -to_ball.y);
	return jc_vec3_add(ankle, to_ball);
}

/* How far the ankle is from the hip where the knee, a hinge about X, is straight: as far as both
 * bones reach together, less what they are apart sideways. */
static float longest(struct jc_vec3 thigh, struct jc_vec3 shin)
{
	return hypotf(thigh.x + shin.x, hypotf(thigh.y, thigh.z) + hypotf(shin.y, shin.z));
}

static void measure_leg(struct jc_contact_figure *figure,
	const struct jc_vec3 joints[JC_BONE_COUNT], int side, bool has_toes)
{
	struct jc_contact_leg *leg = &figure->legs[side];
	const enum jc_bone *bones = jc_leg_bones[side];
	struct jc_vec3 hip = joints[bones[JC_LEG_UPPER]], knee = joints[bones[JC_LEG_LOWER]];
	struct jc_vec3 ankle = joints[bones[JC_LEG_FOOT]], ball = joints[jc_toes[side]];

	leg->upper = jc_vec3_length(jc_vec3_subtract(knee, hip));
	leg->lower = jc_vec3_length(jc_vec3_subtract(ankle, knee));
	if (!has_toes) {
		ball = estimate_ball(side, ankle, leg->upper + leg->lower);
	}
	leg->hip = jc_vec3_subtract(hip, figure->hips);
	leg->knee = jc_vec3_subtract(knee, hip);
	leg->ankle = jc_vec3_subtract(ankle, knee);
	leg->ball = jc_vec3_subtract(ball, ankle);
	leg->longest = longest(leg->knee, leg->ankle);
	leg->ankle_level = ankle.y;
	leg->ball_level = ball.y;
}

void jc_contact_figure_init(
	struct jc_contact_figure *figure, const struct jc_contact_t_pose *t_pose)
{
	const struct jc_skeleton *skeleton = t_pose->skeleton;

	*figure = (struct jc_contact_figure){ .height = jc_skeleton_hips_height(skeleton) };
	if (!is_chain(skeleton, JC_LEFT) || !is_chain(skeleton, JC_RIGHT)) {
		return;
	}
	figure->hips = t_pose->joints[JC_BONE_HIPS];
	figure->point = jc_skeleton_hips_point(skeleton);
	figure->has_legs = true;
	figure->has_toes = true;
	for (int side = 0; side < JC_SIDES; side++) {
		struct jc_contact_leg *leg = &figure->legs[side];
		bool has_toes = jc_skeleton_bone_node(skeleton, jc_toes[side]) >= 0;

		measure_leg(figure, t_pose->joints, side, has_toes);
		figure->leg += 0.5f * (leg->upper + leg->lower);
		figure->has_toes &= has_toes;
		figure->has_legs &= leg->upper > 0.0f && leg->lower > 0.0f;
	}
	figure->has_legs &= figure->leg > 0.05f * figure->height;
}

static bool are_near(struct jc_vec3 a, struct jc_vec3 b, float size)
{
	return jc_vec3_length(jc_vec3_subtract(jc_vec3_scale(a, size), b)) < 1e-4f * size;
}

bool jc_contact_figure_is_like(const struct jc_contact_figure *a, const struct jc_contact_figure *b)
{
	float size = b->height / a->height;

	for (int side = 0; side < JC_SIDES; side++) {
		const struct jc_contact_leg *one = &a->legs[side], *other = &b->legs[side];

		if (!are_near(one->hip, other->hip, size) ||
			!are_near(one->knee, other->knee, size) ||
			!are_near(one->ankle, other->ankle, size) ||
			!are_near(one->ball, other->ball, size)) {
			return false;
		}
	}
	return true;
}

void jc_contact_figure_pose(const struct jc_contact_figure *figure, int side,
	const struct jc_quat rotations[JC_BONE_COUNT], struct jc_posed_leg *out_leg)
{
	const struct jc_contact_leg *leg = &figure->legs[side];
	struct jc_quat turn = rotations[JC_BONE_HIPS];

	out_leg->hip = jc_quat_rotate(turn, leg->hip);
	for (int i = 0; i < JC_LEG_BONES; i++) {
		turn = jc_quat_multiply(turn, rotations[jc_leg_bones[side][i]]);
		out_leg->turns[i] = turn;
	}
	out_leg->thigh = jc_quat_rotate(out_leg->turns[JC_LEG_UPPER], leg->knee);
	out_leg->shin = jc_quat_rotate(out_leg->turns[JC_LEG_LOWER], leg->ankle);
	out_leg->ankle = jc_vec3_add(out_leg->hip, jc_vec3_add(out_leg->thigh, out_leg->shin));
	out_leg->ball =
		jc_vec3_add(out_leg->ankle, jc_quat_rotate(out_leg->turns[JC_LEG_FOOT], leg->ball));
}
