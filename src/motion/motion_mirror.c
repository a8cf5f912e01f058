/* Mirrors a motion: wraps another motion, so that players, writers and measurements need
 * no code for mirroring. */
#include <stdlib.h>
#include <string.h>

#include "jointcast/transform.h"
#include "motion_private.h"

struct mirror {
	struct jc_motion base;
	struct jc_motion *source; /* owned */
	struct jc_body_frame rest;
	enum jc_joint partners[JC_JOINT_COUNT];
	struct jc_motion_channel *channels; /* owned, with the names */
};

/* Length of the word for a side at the beginning of text, or 0. In camel
 * case it may be anywhere, otherwise not inside a word like "bright". */
static size_t side_length(const char *text, bool is_start)
{
	if (strncmp(text, "Left", 4) == 0 || (is_start && strncmp(text, "left", 4) == 0)) {
		return 4;
	}
	if (strncmp(text, "Right", 5) == 0 || (is_start && strncmp(text, "right", 5) == 0)) {
		return 5;
	}
	/* mouthSmile_L, brow.R */
	if (strchr("LR", text[0]) && text[0] && !text[1]) {
		return is_start;
	}
	return 0;
}

static const char *other_side(const char *text, size_t length)
{
	if (length == 1) {
		return text[0] == 'L' ? "R" : "L";
	}
	switch (text[0]) {
	case 'L':
		return "Right";
	case 'l':
		return "right";
	case 'R':
		return "Left";
	default:
		return "left";
	}
}

static bool is_boundary(char c)
{
	return c && strchr("/_.- ", c);
}

/* The name with its sides exchanged, owned by the caller; NULL if memory is short. */
static char *exchange_sides(const char *name)
{
	/* Each of "left", "_L", … grows by at most one byte. */
	char *copy = calloc(2 * strlen(name) + 1, 1);
	char *at = copy;

	for (const char *c = name; copy && *c;) {
		size_t length = side_length(c, c == name || is_boundary(c[-1]));

		if (length == 0) {
			*at++ = *c++;
			continue;
		}
		at = stpcpy(at, other_side(c, length));
		c += length;
	}
	return copy;
}

/* Reflects at the plane x = 0. */
static struct jc_vec3 reflect_point(struct jc_vec3 p)
{
	return (struct jc_vec3){ -p.x, p.y, p.z };
}

static struct jc_quat reflect_rotation(struct jc_quat q)
{
	return (struct jc_quat){ q.x, -q.y, -q.z, q.w };
}

/* D = G W^-1 is the reflection of the partner's; W does not change. */
static void reflect_frame(const struct mirror *mirror, struct jc_body_frame *frame)
{
	enum jc_profile profile = mirror->base.profile;
	struct jc_body_frame source = *frame;

	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		enum jc_joint partner = mirror->partners[j];
		const struct jc_body_joint *joint = &source.joints[j];
		struct jc_quat turned = jc_quat_multiply(joint->orientation,
			jc_quat_conjugate(jc_joint_t_pose(profile, (enum jc_joint)j)));

		frame->joints[partner] = *joint;
		if (joint->state != JC_ABSENT) {
			frame->joints[partner].position = reflect_point(joint->position);
			frame->joints[partner].orientation = jc_quat_normalize(jc_quat_multiply(
				reflect_rotation(turned), jc_joint_t_pose(profile, partner)));
		}
	}
}

static void show_pose(const struct jc_motion *motion, double t, struct jc_pose *out_pose)
{
	const struct mirror *mirror = (const struct mirror *)motion;

	jc_motion_pose(mirror->source, t, out_pose);
	jc_pose_mirror(out_pose);
}

static void show_frame(const struct jc_motion *motion, double t, struct jc_body_frame *out_frame)
{
	const struct mirror *mirror = (const struct mirror *)motion;

	jc_motion_body_frame(mirror->source, t, out_frame);
	reflect_frame(mirror, out_frame);
}

static void show_channel(const struct jc_motion *motion, size_t index, double t, float *out_values)
{
	const struct mirror *mirror = (const struct mirror *)motion;

	jc_motion_channel_values(mirror->source, index, t, out_values);
	if (motion->channels[index].value_count == 4) {
		out_values[1] = -out_values[1];
		out_values[2] = -out_values[2];
	}
}

static void destroy(struct jc_motion *motion)
{
	struct mirror *mirror = (struct mirror *)motion;

	for (size_t i = 0; mirror->channels && i < motion->channel_count; i++) {
		free((char *)mirror->channels[i].name);
	}
	free(mirror->channels);
	jc_motion_destroy(mirror->source);
	free(mirror);
}

static const struct jc_motion_ops ops = {
	.destroy = destroy,
	.pose = show_pose,
	.body_frame = show_frame,
	.channel = show_channel,
};

static uint64_t exchange_bones(uint64_t mask)
{
	uint64_t exchanged = 0;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		exchanged |= (mask >> b & 1) << jc_bone_mirror((enum jc_bone)b);
	}
	return exchanged;
}

static int name_channels(struct mirror *mirror)
{
	for (size_t i = 0; i < mirror->base.channel_count; i++) {
		struct jc_motion_channel *channel = &mirror->channels[i];

		*channel = jc_motion_channels(mirror->source)[i];
		channel->name = exchange_sides(channel->name);
		if (!channel->name) {
			mirror->base.channel_count = i;
			return JC_ERROR_MEMORY;
		}
	}
	return JC_OK;
}

int jc_motion_create_mirror(struct jc_motion *motion, struct jc_motion **out_motion)
{
	struct mirror *mirror = calloc(1, sizeof(*mirror));

	if (!mirror) {
		jc_motion_destroy(motion);
		return JC_ERROR_MEMORY;
	}
	mirror->base = *motion;
	mirror->base.ops = &ops;
	mirror->base.moving_node_count = 0; /* a node has no opposite node */
	mirror->base.info.bone_mask = exchange_bones(motion->info.bone_mask);
	mirror->source = motion;
	mirror->channels = calloc(motion->channel_count + 1, sizeof(*mirror->channels));
	mirror->base.channels = mirror->channels;
	if (!mirror->channels || name_channels(mirror)) {
		destroy(&mirror->base);
		return JC_ERROR_MEMORY;
	}
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		mirror->partners[j] = jc_joint_mirror((enum jc_joint)j);
	}
	if (motion->rest) {
		mirror->rest = *motion->rest;
		reflect_frame(mirror, &mirror->rest);
		mirror->base.rest = &mirror->rest;
	}
	*out_motion = &mirror->base;
	return JC_OK;
}
