/* Computes the measured joint positions of the source's own figure and of the target figure. */
#include <math.h>
#include <stdlib.h>

#include "jointcast/measure.h"
#include "jointcast/transform.h"

static const enum jc_bone bones[JC_MEASURE_POINT_COUNT] = {
	[JC_MEASURE_HIPS] = JC_BONE_HIPS,
	[JC_MEASURE_HEAD] = JC_BONE_HEAD,
	[JC_MEASURE_LEFT_HAND] = JC_BONE_LEFT_HAND,
	[JC_MEASURE_RIGHT_HAND] = JC_BONE_RIGHT_HAND,
	[JC_MEASURE_LEFT_FOOT] = JC_BONE_LEFT_FOOT,
	[JC_MEASURE_RIGHT_FOOT] = JC_BONE_RIGHT_FOOT,
	[JC_MEASURE_LEFT_TOES] = JC_BONE_LEFT_TOES,
	[JC_MEASURE_RIGHT_TOES] = JC_BONE_RIGHT_TOES,
};

static void look(const struct jc_skeleton *skeleton, const struct jc_mat4 *worlds,
	struct jc_measure_frame *out_frame)
{
	struct jc_quat to_canonical = jc_quat_conjugate(jc_skeleton_facing(skeleton));

	*out_frame = (struct jc_measure_frame){ .lowest_bone = JC_BONE_NONE };
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);
		enum jc_bone left = jc_bone_left_of((enum jc_bone)b);
		float height;

		if (node < 0 || left == JC_BONE_LEFT_FOOT || left == JC_BONE_LEFT_TOES) {
			continue;
		}
		height = jc_quat_rotate(to_canonical, jc_mat4_translation(worlds[node])).y -
			 jc_skeleton_floor(skeleton);
		if (out_frame->lowest_bone == JC_BONE_NONE || height < out_frame->lowest) {
			out_frame->lowest_bone = (enum jc_bone)b;
			out_frame->lowest = height;
		}
	}
	for (int p = 0; p < JC_MEASURE_POINT_COUNT; p++) {
		int node = jc_skeleton_bone_node(skeleton, bones[p]);

		if (node >= 0) {
			out_frame->points[p] =
				jc_quat_rotate(to_canonical, jc_mat4_translation(worlds[node]));
		}
	}
}

/* The proportions of the built-in figure give the height of a figure without a head. */
static float whole_height(const struct jc_skeleton *skeleton, const struct jc_measure_frame *t_pose)
{
	float hips = jc_skeleton_hips_height(skeleton);
	float head = t_pose->points[JC_MEASURE_HEAD].y - jc_skeleton_floor(skeleton);

	if (jc_skeleton_bone_node(skeleton, JC_BONE_HEAD) >= 0 && head > hips) {
		return head;
	}
	return hips *
	       (jc_bone_rest_position(JC_BONE_HEAD).y / jc_bone_rest_position(JC_BONE_HIPS).y);
}

/* Leaves the fitting in its T-pose. */
static void describe(struct jc_fitting *fitting, struct jc_measure_figure *out_figure)
{
	const struct jc_skeleton *skeleton = fitting->skeleton;
	struct jc_measure_frame t_pose;
	struct jc_skeleton_pose posed;
	struct jc_pose pose;

	jc_pose_init(&pose);
	jc_retargeter_apply(fitting->retargeter, &pose, &posed);
	jc_skeleton_locals(skeleton, &posed, fitting->locals);
	jc_skeleton_worlds(skeleton, fitting->locals, fitting->worlds);
	look(skeleton, fitting->worlds, &t_pose);
	*out_figure = (struct jc_measure_figure){
		.hips_height = jc_skeleton_hips_height(skeleton),
		.height = whole_height(skeleton, &t_pose),
	};
	for (int p = 0; p < JC_MEASURE_POINT_COUNT; p++) {
		out_figure->has[p] = jc_skeleton_bone_node(skeleton, bones[p]) >= 0;
		out_figure->levels[p] = t_pose.points[p].y;
	}
}

static void add_flips(const struct jc_fitting *fitting, struct jc_measures *measures)
{
	for (size_t i = 0; i < jc_skeleton_node_count(fitting->skeleton); i++) {
		struct jc_quat a = fitting->locals[i].rotation, b = fitting->before[i];

		measures->sign_flips += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0f;
	}
}

static size_t count_frames(const struct jc_motion_info *info, double fps)
{
	return fps > 0.0 ? (size_t)floor(info->duration * fps + 1e-6) + 1 : info->frame_count;
}

static void run(struct jc_fitting *source, struct jc_fitting *target, double fps,
	struct jc_measures *out_measures)
{
	const struct jc_motion_info *info = jc_motion_info(target->motion);
	size_t count = count_frames(info, fps);
	double seconds = fps > 0.0   ? 1.0 / fps
			 : count > 1 ? info->duration / (double)(count - 1)
				     : 0.0;
	struct jc_measures totals = {
		.limited_joints = target->limits == JC_LIMITS_OFF
					  ? 0
					  : jc_skeleton_range_count(target->skeleton),
	};
	struct jc_measure_figure source_figure, target_figure;
	struct jc_measure measure;

	describe(source, &source_figure);
	describe(target, &target_figure);
	jc_measure_init(&measure, &source_figure, &target_figure, seconds);
	for (size_t i = 0; i < count; i++) {
		double t = fmin((double)i * seconds, info->duration);
		struct jc_measure_frame source_frame, target_frame;

		jc_fitting_pose(source, t);
		jc_fitting_pose(target, t);
		look(source->skeleton, source->worlds, &source_frame);
		look(target->skeleton, target->worlds, &target_frame);
		jc_measure_add(&measure, &source_frame, &target_frame);
		totals.past_limits += target->past_limits;
		totals.clamped += target->clamped;
		if (i > 0) {
			add_flips(target, &totals);
		}
	}
	jc_measure_finish(&measure, out_measures);
	out_measures->limited_joints = totals.limited_joints;
	out_measures->past_limits = totals.past_limits;
	out_measures->clamped = totals.clamped;
	out_measures->sign_flips = totals.sign_flips;
}

int jc_measure_motion(const struct jc_motion *motion, const struct jc_skeleton *skeleton,
	const struct jc_fitting_options *options, double fps, struct jc_measures *out_measures)
{
	const struct jc_skeleton *own = jc_motion_skeleton(motion);
	struct jc_skeleton *builtin = NULL;
	struct jc_fitting source, target;
	int error = own ? JC_OK : jc_skeleton_create_builtin(&builtin);

	if (error) {
		return error;
	}
	error = jc_fitting_init(&source, motion, own ? own : builtin, &JC_FITTING_DEFAULTS);
	if (error) {
		goto out;
	}
	error = jc_fitting_init(&target, motion, skeleton, options);
	if (error) {
		goto finish_source;
	}
	run(&source, &target, fps, out_measures);
	jc_fitting_finish(&target);
finish_source:
	jc_fitting_finish(&source);
out:
	jc_skeleton_destroy(builtin);
	return error;
}
