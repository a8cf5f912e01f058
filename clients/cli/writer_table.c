/* Posed figures as tables for people: rounded, one line a bone. */
#include "writer.h"

#include "jointcast/transform.h"

static const double degrees_per_radian = 57.29577951308232;

static void begin(FILE *stream, const struct jc_fitting *fitting, size_t skeleton_index)
{
	const struct jc_motion_info *info = jc_motion_info(fitting->motion);

	fprintf(stream, "skeleton  %s %zu, hips %.3f m high\n",
		jc_skeleton_format_name(jc_skeleton_format(fitting->skeleton)), skeleton_index,
		(double)jc_skeleton_hips_height(fitting->skeleton));
	fprintf(stream, "motion    %s, %.3f s, %.4g fps\n", info->format, info->duration,
		info->fps);
}

static void write_limits(FILE *stream, const struct jc_fitting *fitting)
{
	size_t count = jc_skeleton_limit_count(fitting->skeleton);

	if (count > 0 && fitting->limits != JC_LIMITS_OFF) {
		fprintf(stream, "%zu of %zu joints past their limits, %zu turned back\n",
			fitting->past_limits, count, fitting->clamped);
	}
}

static void frame(FILE *stream, const struct jc_fitting *fitting, size_t index)
{
	(void)index;
	fprintf(stream, "\nt = %.4f s\n", fitting->t);
	write_limits(stream, fitting);
	fprintf(stream, "%-24s %5s  %-39s %8s  %-29s %s\n", "bone", "node",
		"local rotation x y z w", "turned", "world position x y z (m)", "state");
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		int node = jc_skeleton_bone_node(fitting->skeleton, bone);
		struct jc_vec3 position;
		struct jc_quat q;
		double turned;

		if (node < 0) {
			continue;
		}
		q = fitting->locals[node].rotation;
		position = jc_mat4_translation(fitting->worlds[node]);
		turned = degrees_per_radian *
			 (double)jc_quat_angle(fitting->pose.rotations[bone], JC_QUAT_IDENTITY);
		/* The degree sign is two bytes: the heading's widths hold on screen. */
		fprintf(stream, "%-24s %5d  %9.6f %9.6f %9.6f %9.6f %7.2f°  %9.4f %9.4f %9.4f %s\n",
			jc_bone_name(bone), node, (double)q.x, (double)q.y, (double)q.z,
			(double)q.w, turned, (double)position.x, (double)position.y,
			(double)position.z, jc_state_name(fitting->pose.states[bone]));
	}
}

static void end(FILE *stream)
{
	(void)stream;
}

const struct jc_writer jc_writer_table = { .begin = begin, .frame = frame, .end = end };
