/* Shortens a motion to an interval: wraps another motion, so that writers need no code for cuts. */
#include <math.h>
#include <stdlib.h>

#include "motion_private.h"

struct excerpt {
	struct jc_motion base;
	struct jc_motion *source; /* owned */
	double from;              /* seconds in the source */
};

static double source_time(const struct excerpt *excerpt, double t)
{
	return excerpt->from + t;
}

static void show_pose(const struct jc_motion *motion, double t, struct jc_pose *out_pose)
{
	const struct excerpt *excerpt = (const struct excerpt *)motion;

	jc_motion_pose(excerpt->source, source_time(excerpt, t), out_pose);
}

static void show_frame(const struct jc_motion *motion, double t, struct jc_body_frame *out_frame)
{
	const struct excerpt *excerpt = (const struct excerpt *)motion;

	jc_motion_body_frame(excerpt->source, source_time(excerpt, t), out_frame);
	out_frame->time_ns = llround(t * 1e9);
}

static void show_channel(const struct jc_motion *motion, size_t index, double t, float *out_values)
{
	const struct excerpt *excerpt = (const struct excerpt *)motion;

	jc_motion_channel_values(excerpt->source, index, source_time(excerpt, t), out_values);
}

static int match_node(
	const struct jc_motion *motion, size_t index, const struct jc_skeleton *skeleton)
{
	const struct jc_motion *source = ((const struct excerpt *)motion)->source;

	return source->ops->match_node(source, index, skeleton);
}

static struct jc_transform show_node(const struct jc_motion *motion, size_t index, double t)
{
	const struct excerpt *excerpt = (const struct excerpt *)motion;

	return excerpt->source->ops->node(excerpt->source, index, source_time(excerpt, t));
}

static void destroy(struct jc_motion *motion)
{
	struct excerpt *excerpt = (struct excerpt *)motion;

	jc_motion_destroy(excerpt->source);
	free(excerpt);
}

static const struct jc_motion_ops ops = {
	.destroy = destroy,
	.pose = show_pose,
	.body_frame = show_frame,
	.channel = show_channel,
	.match_node = match_node,
	.node = show_node,
};

int jc_motion_create_excerpt(
	struct jc_motion *motion, double from, double until, struct jc_motion **out_motion)
{
	struct excerpt *excerpt;
	struct jc_motion_info *info;

	if (!(from >= 0.0 && from <= until && until <= motion->info.duration)) {
		jc_motion_destroy(motion);
		return JC_ERROR_INVALID;
	}
	excerpt = calloc(1, sizeof(*excerpt));
	if (!excerpt) {
		jc_motion_destroy(motion);
		return JC_ERROR_MEMORY;
	}
	excerpt->base = *motion;
	excerpt->base.ops = &ops;
	excerpt->source = motion;
	excerpt->from = from;
	info = &excerpt->base.info;
	if (info->frame_count > 1 && info->duration > 0.0) {
		info->fps = (double)(info->frame_count - 1) / info->duration;
	}
	info->duration = until - from;
	/* A last frame that rounding puts just after the end still counts. */
	info->frame_count = (size_t)floor(info->duration * info->fps + 1.0e-6) + 1;
	*out_motion = &excerpt->base;
	return JC_OK;
}
