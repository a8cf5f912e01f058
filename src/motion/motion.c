/* Reads a motion with the reader for its format, clamps times, and calls the functions of
 * the concrete motion. */
#include "motion_private.h"

#include <math.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast_private/bone_map_match.h"

/* The first byte after the byte order mark and white space, or `end`. */
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

bool jc_motion_file_starts_with(const struct jc_motion_file *file, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(file->end - file->text) >= length && memcmp(file->text, word, length) == 0;
}

/* The order matters: the body-frame reader accepts every JSON text that is not glTF. */
static const struct jc_motion_reader *const readers[] = {
	&jc_gltf_motion_reader,
	&jc_hanim_motion_reader,
	&jc_aframe_motion_reader,
	&jc_body_frames_reader,
	&jc_bvh_motion_reader,
	&jc_pose_table_reader,
};

static const struct jc_motion_reader *find_reader(const struct jc_motion_file *file)
{
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		if (readers[i]->accepts(file)) {
			return readers[i];
		}
	}
	return NULL;
}

int jc_motion_read_mapped(const void *bytes, size_t length, size_t index,
	const struct jc_bone_map *map, const struct jc_gltf_resolver *resolver,
	struct jc_motion **out_motion, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_motion_file file = {
		.bytes = bytes, .length = length, .index = index, .map = map, .resolver = resolver
	};
	const struct jc_motion_reader *reader;

	if (length > JC_LIMIT_FILE_BYTES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "larger than %u bytes",
			JC_LIMIT_FILE_BYTES);
	}
	/* bytes may be NULL where there are none. */
	file.end = length > 0 ? (const char *)bytes + length : NULL;
	file.text = length > 0 ? skip_blank(bytes, file.end) : NULL;
	if (file.text == file.end) {
		return jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, NULL, "the file is empty");
	}
	reader = find_reader(&file);
	if (index != 0 && (!reader || reader->holds_one_motion)) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL,
			"there is no motion %zu, the file has one", index);
	}
	if (!reader) {
		return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
			"not a BVH, glTF, VRM, H-Anim, body-frame or A-Frame file, nor a table of "
			"poses");
	}
	if (map && !reader->has_joints) {
		return jc_bone_map_refuse(map, diagnostic, JC_ERROR_UNSUPPORTED,
			"a bone map does not apply: the format names its bones");
	}
	return reader->read(&file, out_motion, lint, diagnostic);
}

int jc_motion_read(const void *bytes, size_t length, size_t index,
	const struct jc_gltf_resolver *resolver, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	return jc_motion_read_mapped(
		bytes, length, index, NULL, resolver, out_motion, lint, diagnostic);
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

/* Sparse keys do not define a frame rate. A multiple of the key rate near NOMINAL_FPS has
 * a frame at every key, so that no key is lost. */
#define NOMINAL_FPS  30.0
#define SPARSEST_FPS 10.0
#define DENSEST_FPS  1000.0

/* A NaN becomes 0. */
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

size_t jc_motion_match_nodes(const struct jc_motion *motion, const struct jc_skeleton *skeleton,
	struct jc_moving_node out_nodes[JC_LIMIT_MOVING_NODES])
{
	size_t count = 0;

	for (size_t i = 0; i < motion->moving_node_count; i++) {
		int node = motion->ops->match_node(motion, i, skeleton);

		if (node >= 0) {
			out_nodes[count++] = (struct jc_moving_node){ (uint16_t)i, node };
		}
	}
	return count;
}

void jc_motion_move_nodes(const struct jc_motion *motion, double t,
	const struct jc_moving_node *nodes, size_t count, struct jc_transform *locals)
{
	for (size_t i = 0; i < count; i++) {
		locals[nodes[i].node] =
			motion->ops->node(motion, nodes[i].index, clamp_time(motion, t));
	}
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
