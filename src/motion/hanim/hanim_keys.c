/* Computes the keys of a written H-Anim motion. Rest rotations are identity, so the local
 * rotation of a node is the field of its joint. Joints that never turn get no keys. */
#include "hanim_keys.h"

#include <math.h>
#include <stdlib.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "t_pose_figure.h"

/* Less than this is rounding: a product of float quaternions is off by a few 1e-7. */
static const float moved_radians = 1.0e-6f;

struct posing {
	const struct jc_skeleton *figure;
	struct jc_t_pose_figure t_pose;
	struct jc_transform *locals; /* owned */
	size_t value_count;          /* number of stored values */
};

void jc_hanim_keys_finish(struct jc_hanim_keys *keys)
{
	for (size_t i = 0; keys->rotations && i < keys->node_count; i++) {
		free(keys->rotations[i]);
	}
	free(keys->rotations);
	free(keys->ways);
}

void jc_hanim_keys_reach(
	const struct jc_hanim_keys *keys, struct jc_vec3 *out_least, struct jc_vec3 *out_most)
{
	struct jc_vec3 least = keys->ways[0], most = least;

	for (size_t i = 1; i < keys->frame_count; i++) {
		struct jc_vec3 way = keys->ways[i];

		least = (struct jc_vec3){ fminf(least.x, way.x), fminf(least.y, way.y),
			fminf(least.z, way.z) };
		most = (struct jc_vec3){ fmaxf(most.x, way.x), fmaxf(most.y, way.y),
			fmaxf(most.z, way.z) };
	}
	*out_least = least;
	*out_most = most;
}

/* Converts N of the bones to R of the nodes. */
static void pose_figure(struct posing *posing, const struct jc_pose *pose, struct jc_vec3 *out_way)
{
	const struct jc_skeleton *figure = posing->figure;
	struct jc_skeleton_pose fitted = { 0 };
	struct jc_quat rotations[JC_BONE_COUNT];
	struct jc_vec3 ignored;

	jc_t_pose_figure_pose(&posing->t_pose, pose, rotations, &ignored);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone bone = (enum jc_bone)b;

		fitted.rotations[b] =
			jc_quat_multiply(jc_quat_conjugate(jc_skeleton_parent_t_pose(figure, bone)),
				jc_quat_multiply(rotations[b], jc_skeleton_t_pose(figure, bone)));
	}
	*out_way = jc_vec3_subtract(
		jc_vec3_scale(pose->hips_translation, jc_skeleton_hips_height(figure)),
		jc_quat_displace(rotations[JC_BONE_HIPS], jc_skeleton_hips_point(figure)));
	jc_skeleton_locals(figure, &fitted, posing->locals);
	jc_skeleton_split_spine(figure, posing->locals);
}

static struct jc_quat near(struct jc_quat q, struct jc_quat before)
{
	float dot = q.x * before.x + q.y * before.y + q.z * before.z + q.w * before.w;
	float sign = dot < 0.0f ? -1.0f : 1.0f;

	return (struct jc_quat){ sign * q.x, sign * q.y, sign * q.z, sign * q.w };
}

static int keep_rotation(struct jc_hanim_keys *keys, struct posing *posing, size_t node,
	size_t frame, struct jc_diagnostic *diagnostic)
{
	struct jc_quat rotation = posing->locals[node].rotation;
	struct jc_quat **track = &keys->rotations[node];

	if (!*track) {
		if (jc_quat_angle(rotation, JC_QUAT_IDENTITY) <= moved_radians) {
			return JC_OK;
		}
		if (keys->frame_count > (JC_LIMIT_MOTION_VALUES - posing->value_count) / 4) {
			return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
				"too long: more than %u numbers", JC_LIMIT_MOTION_VALUES);
		}
		posing->value_count += 4 * keys->frame_count;
		*track = calloc(keys->frame_count, sizeof(**track));
		if (!*track) {
			return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		}
		for (size_t i = 0; i < frame; i++) {
			(*track)[i] = JC_QUAT_IDENTITY;
		}
	}
	(*track)[frame] = near(rotation, frame > 0 ? (*track)[frame - 1] : JC_QUAT_IDENTITY);
	return JC_OK;
}

static int keep_frames(struct jc_hanim_keys *keys, struct posing *posing,
	const struct jc_clip *clip, struct jc_diagnostic *diagnostic)
{
	for (size_t frame = 0; frame < keys->frame_count; frame++) {
		struct jc_pose pose;

		clip->pose(clip->context, frame, &pose);
		jc_write_losses_add(&keys->losses, &pose);
		pose_figure(posing, &pose, &keys->ways[frame]);
		for (size_t node = 0; node < keys->node_count; node++) {
			int error = keep_rotation(keys, posing, node, frame, diagnostic);

			if (error) {
				return error;
			}
		}
	}
	return JC_OK;
}

int jc_hanim_keys_init(struct jc_hanim_keys *keys, const struct jc_clip *clip,
	const struct jc_skeleton *figure, struct jc_diagnostic *diagnostic)
{
	struct posing posing = { .figure = figure, .value_count = 3 * clip->frame_count };
	int error;

	*keys = (struct jc_hanim_keys){
		.frame_count = clip->frame_count,
		.node_count = jc_skeleton_node_count(figure),
	};
	if (clip->frame_count > JC_LIMIT_MOTION_FRAMES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "%zu frames, more than %u",
			clip->frame_count, JC_LIMIT_MOTION_FRAMES);
	}
	error = jc_t_pose_figure_init(&posing.t_pose, figure, diagnostic);
	if (error) {
		return error;
	}
	/* A bone turns relative to the bone at or above its parent joint. */
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (jc_t_pose_figure_has(&posing.t_pose, (enum jc_bone)b)) {
			posing.t_pose.parents[b] =
				jc_skeleton_mapped_parent(figure, (enum jc_bone)b);
		}
	}
	keys->rotations = calloc(keys->node_count, sizeof(struct jc_quat *));
	keys->ways = calloc(keys->frame_count, sizeof(*keys->ways));
	posing.locals = calloc(keys->node_count, sizeof(*posing.locals));
	if (keys->rotations && keys->ways && posing.locals) {
		error = keep_frames(keys, &posing, clip, diagnostic);
	} else {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	free(posing.locals);
	if (error) {
		jc_hanim_keys_finish(keys);
	}
	return error;
}
