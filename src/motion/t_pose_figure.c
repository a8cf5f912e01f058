/* Computes the T-pose of any skeleton in canonical space. */
#include "t_pose_figure.h"

#include <math.h>
#include <stdlib.h>

#include "jointcast/transform.h"
#include "jointcast_private/posture.h"

bool jc_t_pose_figure_has(const struct jc_t_pose_figure *t_pose, enum jc_bone bone)
{
	return t_pose->bones >> bone & 1;
}

static int measure_positions(struct jc_t_pose_figure *t_pose, const struct jc_skeleton *skeleton)
{
	size_t count = jc_skeleton_node_count(skeleton);
	struct jc_quat to_canonical = jc_quat_conjugate(jc_skeleton_facing(skeleton));
	struct jc_transform *locals = calloc(count, sizeof(*locals));
	struct jc_mat4 *worlds = calloc(count, sizeof(*worlds));
	int error = JC_ERROR_MEMORY;

	if (locals && worlds) {
		jc_posture_t_pose(skeleton, locals);
		jc_skeleton_worlds(skeleton, locals, worlds);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);

			if (node >= 0) {
				t_pose->positions[b] = jc_quat_rotate(
					to_canonical, jc_mat4_translation(worlds[node]));
			}
		}
		error = JC_OK;
	}
	free(worlds);
	free(locals);
	return error;
}

/* INFINITY without feet. */
static float lowest_foot(const struct jc_t_pose_figure *t_pose)
{
	static const enum jc_bone feet[] = { JC_BONE_LEFT_FOOT, JC_BONE_LEFT_TOES,
		JC_BONE_RIGHT_FOOT, JC_BONE_RIGHT_TOES };
	float lowest = INFINITY;

	for (size_t i = 0; i < sizeof(feet) / sizeof(feet[0]); i++) {
		if (jc_t_pose_figure_has(t_pose, feet[i])) {
			lowest = fminf(lowest, t_pose->positions[feet[i]].y);
		}
	}
	return lowest;
}

/* As jc_skeleton_hips_height measures, which takes the hip joints if they are higher. */
static void find_hips_point(struct jc_t_pose_figure *t_pose)
{
	const struct jc_vec3 *positions = t_pose->positions;
	struct jc_vec3 legs = jc_vec3_lerp(
		positions[JC_BONE_LEFT_UPPER_LEG], positions[JC_BONE_RIGHT_UPPER_LEG], 0.5f);

	legs = jc_vec3_subtract(legs, positions[JC_BONE_HIPS]);
	if (!jc_t_pose_figure_has(t_pose, JC_BONE_LEFT_UPPER_LEG) ||
		!jc_t_pose_figure_has(t_pose, JC_BONE_RIGHT_UPPER_LEG) || !(legs.y > 0.0f)) {
		legs = (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
	}
	t_pose->hips_point = legs;
}

static float hips_level(const struct jc_t_pose_figure *t_pose)
{
	return t_pose->positions[JC_BONE_HIPS].y + t_pose->hips_point.y;
}

void jc_t_pose_figure_measure(struct jc_t_pose_figure *t_pose)
{
	float height;

	find_hips_point(t_pose);
	height = hips_level(t_pose) - lowest_foot(t_pose);
	if (height > 0.0f) {
		t_pose->hips_height = height;
	}
}

/* Deeper soles are no soles: the floor is that of something else. */
#define SOLE_MOST 0.25f /* of the height of the hips over the feet */

/* Motions of a skeleton without a floor of its own have theirs at y = 0. */
static void measure_sole(struct jc_t_pose_figure *t_pose, const struct jc_skeleton *skeleton)
{
	bool has_floor = jc_skeleton_has_floor(skeleton);
	float lowest = lowest_foot(t_pose);
	float sole = lowest - (has_floor ? jc_skeleton_floor(skeleton) : 0.0f);

	if (sole > 0.0f && sole < SOLE_MOST * (t_pose->positions[JC_BONE_HIPS].y - lowest)) {
		t_pose->sole = sole;
		t_pose->hips_height_has_sole = has_floor;
	}
}

/* Estimated length, in hips heights. */
static float length_of(enum jc_bone bone)
{
	switch (bone) {
	case JC_BONE_HEAD:
		return 0.2f;
	case JC_BONE_LEFT_HAND:
	case JC_BONE_RIGHT_HAND:
	case JC_BONE_LEFT_FOOT:
	case JC_BONE_RIGHT_FOOT:
		return 0.15f;
	case JC_BONE_LEFT_TOES:
	case JC_BONE_RIGHT_TOES:
		return 0.07f;
	default:
		return 0.025f;
	}
}

/* Readers take feet and toes that point down by more than 50 degrees in the zero pose for turned.
 */
#define SLOPE_MOST 1.1f

/* Whether the end of each foot, on the floor at this height, shows the sole. */
static bool feet_reach(const struct jc_t_pose_figure *t_pose, float ground)
{
	static const enum jc_bone ends[][2] = { { JC_BONE_LEFT_TOES, JC_BONE_LEFT_FOOT },
		{ JC_BONE_RIGHT_TOES, JC_BONE_RIGHT_FOOT } };

	for (int i = 0; i < 2; i++) {
		enum jc_bone end = ends[i][!jc_t_pose_figure_has(t_pose, ends[i][0])];

		if (jc_t_pose_figure_has(t_pose, end) &&
			t_pose->positions[end].y - ground >
				SLOPE_MOST * length_of(jc_bone_left_of(end)) *
					t_pose->hips_height) {
			return false;
		}
	}
	return true;
}

void jc_t_pose_figure_set_down(struct jc_t_pose_figure *t_pose)
{
	float lowest, ground;

	jc_t_pose_figure_measure(t_pose);
	lowest = lowest_foot(t_pose);
	if (!feet_reach(t_pose, lowest - t_pose->sole)) {
		t_pose->sole = 0.0f;
	}
	if (t_pose->hips_height_has_sole) {
		t_pose->hips_height += t_pose->sole;
	}
	ground = lowest < hips_level(t_pose)
			 ? lowest - t_pose->sole
			 : t_pose->positions[JC_BONE_HIPS].y - t_pose->hips_height;
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		t_pose->positions[b].y -= ground;
	}
}

void jc_t_pose_figure_stand(struct jc_t_pose_figure *t_pose, const struct jc_skeleton *skeleton)
{
	float hips = t_pose->positions[JC_BONE_HIPS].y;
	float height = hips - jc_skeleton_floor(skeleton);

	if (height > 1e-3f) {
		t_pose->hips_height = height;
	}
	t_pose->hips_point = (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		t_pose->positions[b].y += t_pose->hips_height - hips;
	}
}

int jc_t_pose_figure_init(struct jc_t_pose_figure *t_pose, const struct jc_skeleton *skeleton,
	struct jc_diagnostic *diagnostic)
{
	*t_pose = (struct jc_t_pose_figure){
		.bones = jc_skeleton_bone_mask(skeleton),
		.hips_height = jc_skeleton_hips_height(skeleton),
	};
	if (!jc_t_pose_figure_has(t_pose, JC_BONE_HIPS)) {
		return jc_diagnose(
			diagnostic, JC_ERROR_NO_HUMANOID, NULL, "the skeleton has no hips");
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone parent = jc_bone_parent((enum jc_bone)b);

		while (parent != JC_BONE_NONE && !jc_t_pose_figure_has(t_pose, parent)) {
			parent = jc_bone_parent(parent);
		}
		t_pose->parents[b] = parent;
	}
	if (measure_positions(t_pose, skeleton)) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	jc_t_pose_figure_measure(t_pose);
	measure_sole(t_pose, skeleton);
	return JC_OK;
}

struct jc_vec3 jc_t_pose_figure_offset(const struct jc_t_pose_figure *t_pose, enum jc_bone bone)
{
	enum jc_bone parent = t_pose->parents[bone];

	if (parent == JC_BONE_NONE) {
		return t_pose->positions[bone];
	}
	return jc_vec3_subtract(t_pose->positions[bone], t_pose->positions[parent]);
}

struct jc_vec3 jc_t_pose_figure_reach(enum jc_bone bone)
{
	const struct jc_vec3 along = { 0.0f, 1.0f, 0.0f };

	return jc_quat_rotate(
		jc_bone_reference_rotation(bone), jc_vec3_scale(along, length_of(bone)));
}

struct jc_vec3 jc_t_pose_figure_tip(const struct jc_t_pose_figure *t_pose, enum jc_bone bone)
{
	struct jc_vec3 tip = jc_vec3_scale(jc_t_pose_figure_reach(bone), t_pose->hips_height);

	if (t_pose->sole > 0.0f && (jc_bone_left_of(bone) == JC_BONE_LEFT_FOOT ||
					   jc_bone_left_of(bone) == JC_BONE_LEFT_TOES)) {
		tip.y = -t_pose->positions[bone].y;
	}
	return tip;
}

void jc_t_pose_figure_pose(const struct jc_t_pose_figure *t_pose, const struct jc_pose *pose,
	struct jc_quat out_rotations[JC_BONE_COUNT], struct jc_vec3 *out_hips)
{
	struct jc_quat turned[JC_BONE_COUNT]; /* D */

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone parent = jc_bone_parent((enum jc_bone)b);
		enum jc_bone above = t_pose->parents[b];

		turned[b] = parent == JC_BONE_NONE ? pose->rotations[b]
						   : jc_quat_normalize(jc_quat_multiply(
							     turned[parent], pose->rotations[b]));
		out_rotations[b] = above == JC_BONE_NONE
					   ? turned[b]
					   : jc_quat_normalize(jc_quat_multiply(
						     jc_quat_conjugate(turned[above]), turned[b]));
	}
	*out_hips = jc_vec3_add(t_pose->positions[JC_BONE_HIPS],
		jc_vec3_scale(pose->hips_translation, t_pose->hips_height));
	*out_hips = jc_vec3_subtract(
		*out_hips, jc_quat_displace(out_rotations[JC_BONE_HIPS], t_pose->hips_point));
}
