/* What every motion has in common: finding the reader by content, clamping
 * the time, and handing on to the concrete motion. */
#include "motion_private.h"

#include <math.h>
#include <string.h>

#include "pose_table.h"
#include "jointcast/limits.h"
#include "jointcast/scene.h"

/* The first byte that is neither byte order mark nor white space; NUL when
 * there is none. */
static const char *skip_blank(const char *text, const char *end)
{
	if (end - text >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
	}
	while (text < end && (*text == ' ' || (*text >= '\t' && *text <= '\r'))) {
		text++;
	}
	return text;
}

static bool holds(const char *text, const char *end, const char *word)
{
	return memmem(text, (size_t)(end - text), word, strlen(word)) != NULL;
}

/* JSON with the one member that glTF requires; body frames say what they are in
 * their first line. */
static bool is_gltf_text(const char *text, const char *end)
{
	const char *newline = memchr(text, '\n', (size_t)(end - text));
	const char *line_end = newline ? newline : end;
	bool body_frames =
		holds(text, line_end, "\"jointcast\"") && holds(text, line_end, "\"body-frames\"");

	return *text == '{' && !body_frames && holds(text, end, "\"asset\"");
}

static bool starts_with(const char *text, const char *end, const char *word)
{
	return (size_t)(end - text) >= strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

int jc_motion_read(const void *bytes, size_t length, size_t index,
	const struct jc_gltf_resolver *resolver, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	const char *start = bytes;
	const char *end = start + length;

	if (length > JC_LIMIT_FILE_BYTES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "larger than %u bytes",
			JC_LIMIT_FILE_BYTES);
	}
	start = length > 0 ? skip_blank(start, end) : end;
	if (start == end) {
		return jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, NULL, "the file is empty");
	}
	if (starts_with(start, end, "glTF") || is_gltf_text(start, end)) {
		return jc_motion_read_gltf(
			bytes, length, index, resolver, out_motion, lint, diagnostic);
	}
	if (jc_scene_is(bytes, length)) {
		return jc_motion_read_hanim(bytes, length, index, out_motion, lint, diagnostic);
	}
	if (index != 0) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL,
			"there is no motion %zu, the file holds one", index);
	}
	if (*start == '{') {
		return jc_motion_read_body_frames(bytes, length, out_motion, lint, diagnostic);
	}
	if (starts_with(start, end, "HIERARCHY")) {
		return jc_motion_read_bvh(bytes, length, out_motion, lint, diagnostic);
	}
	if (starts_with(start, end, JC_CSV_FIRST_WORDS) || starts_with(start, end, "time,")) {
		return jc_motion_read_csv(bytes, length, out_motion, diagnostic);
	}
	return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
		"neither BVH, glTF, VRM, H-Anim, a body-frame file nor a table of poses");
}

void jc_motion_destroy(struct jc_motion *motion)
{
	if (motion) {
		motion->ops->destroy(motion);
	}
}

const struct jc_motion_info *jc_motion_info(const struct jc_motion *motion)
{
	return &motion->info;
}

const struct jc_skeleton *jc_motion_skeleton(const struct jc_motion *motion)
{
	return motion->skeleton;
}

/* Sparse keys say nothing about how often a pose is worth asking for, but a frame
 * at every key keeps what they hold. */
#define NOMINAL_FPS  30.0
#define SPARSEST_FPS 10.0
#define DENSEST_FPS  1000.0

/* Written so that a time that is not a number counts as 0. */
static double clamp_time(const struct jc_motion *motion, double t)
{
	return t > 0.0 ? fmin(t, motion->info.duration) : 0.0;
}

void jc_motion_pose(const struct jc_motion *motion, double t, struct jc_pose *out_pose)
{
	motion->ops->pose(motion, clamp_time(motion, t), out_pose);
}

void jc_motion_body_frame(const struct jc_motion *motion, double t, struct jc_body_frame *out_frame)
{
	motion->ops->body_frame(motion, clamp_time(motion, t), out_frame);
}

size_t jc_motion_channel_count(const struct jc_motion *motion)
{
	return motion->channel_count;
}

const struct jc_motion_channel *jc_motion_channels(const struct jc_motion *motion)
{
	return motion->channels;
}

void jc_motion_channel_values(const struct jc_motion *motion, size_t index, double t,
	float out_values[JC_MOTION_CHANNEL_VALUES])
{
	motion->ops->channel(motion, index, clamp_time(motion, t), out_values);
}

enum jc_profile jc_motion_profile(const struct jc_motion *motion)
{
	return motion->profile;
}

const struct jc_body_frame *jc_motion_rest(const struct jc_motion *motion)
{
	return motion->rest;
}

void jc_motion_count_frames(struct jc_motion_info *info, double densest)
{
	double fps = fmin(densest, DENSEST_FPS);

	info->fps = 0.0;
	info->frame_count = 1;
	if (!(info->duration > 0.0)) {
		return;
	}
	if (!(densest > 0.0)) {
		fps = NOMINAL_FPS;
	} else if (densest < SPARSEST_FPS) {
		fps = densest * ceil(NOMINAL_FPS / densest);
	}
	info->fps = fmin(fps, (double)(JC_LIMIT_MOTION_FRAMES - 1) / info->duration);
	info->frame_count = (size_t)(info->duration * info->fps + 0.5) + 1;
}
