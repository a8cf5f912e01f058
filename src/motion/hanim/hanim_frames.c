/* Reads HAnimMotion: lays out the channels once, then converts frames to the keys of
 * tracks. */
#include "hanim_frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"

#define SEPARATORS " \t\r\n,"

/* Longer than any channel name, shorter than any line. */
enum { WORD_BYTES = 64 };

/* The channels of one joint, which are adjacent in a frame. */
struct layout {
	int joint; /* of the figure, or -1 */
	size_t first, count;
	bool turns, moves; /* has enabled channels of this kind */
};

struct frames {
	const struct jc_hanim *hanim;
	const struct jc_scene_node *node;
	size_t layout_count;
	struct layout *layouts;
	size_t channel_count;
	char *channels; /* 'X' to 'Z' rotate, 'x' to 'z' translate, ' ' is left out */
	const double *values;
	long first, step;
	size_t frame_count; /* of the frames in use */
	struct jc_diagnostic *diagnostic;
};

static int refuse(struct frames *frames, int error, const char *what)
{
	char where[64];

	snprintf(where, sizeof(where), "line %u", frames->node->line);
	return jc_diagnose(
		frames->diagnostic, error, where, "HAnimMotion '%s' %s", frames->node->def, what);
}

/* Reads the next word of a list, truncated to WORD_BYTES; false at the end. */
static bool next_word(const char **text, char *out_word)
{
	const char *start = *text + strspn(*text, SEPARATORS);
	size_t length = strcspn(start, SEPARATORS);

	*text = start + length;
	snprintf(out_word, WORD_BYTES, "%.*s", (int)length, start);
	return length > 0;
}

/* The root is HumanoidRoot in 1.0 and humanoid_root in 2.0; files mix the two. */
static int find_joint(const struct jc_hanim *hanim, const char *name)
{
	bool is_root = strcmp(name, "HumanoidRoot") == 0 || strcmp(name, "humanoid_root") == 0;

	for (size_t i = 0; i < hanim->joint_count; i++) {
		const struct jc_hanim_joint *joint = &hanim->joints[i];

		if (strcmp(joint->name, name) == 0 || (is_root && joint->bone == JC_BONE_HIPS)) {
			return (int)i;
		}
	}
	return -1;
}

/* One letter for a channel; see struct frames. */
static char channel_letter(const char *word)
{
	if (word[0] < 'X' || word[0] > 'Z') {
		return ' ';
	}
	if (strcmp(word + 1, "rotation") == 0) {
		return word[0];
	}
	return strcmp(word + 1, "position") == 0 ? (char)(word[0] - 'X' + 'x') : ' ';
}

/* "6 Xposition Yposition ... 3 Zrotation ..." */
static int read_channels(struct frames *frames, const char *text)
{
	char word[WORD_BYTES];

	while (next_word(&text, word)) {
		struct layout *layout = &frames->layouts[frames->layout_count++];
		char *end;
		unsigned long count = strtoul(word, &end, 10);

		if (frames->layout_count > JC_LIMIT_MOTION_NODES) {
			return refuse(frames, JC_ERROR_LIMIT, "has channels of too many joints");
		}
		if (*end != '\0' || end == word) {
			return refuse(frames, JC_ERROR_INVALID,
				"has channels that do not begin with their number");
		}
		*layout = (struct layout){ -1, frames->channel_count, 0, false, false };
		for (; layout->count < count; layout->count++) {
			if (!next_word(&text, word)) {
				return refuse(frames, JC_ERROR_INVALID,
					"has fewer channels than its channel count");
			}
			frames->channels[frames->channel_count++] = channel_letter(word);
		}
	}
	if (frames->channel_count == 0) {
		return refuse(frames, JC_ERROR_INVALID, "has no channels");
	}
	return JC_OK;
}

static void silence_channels(struct frames *frames)
{
	const struct jc_scene_field *enabled = jc_scene_field(frames->node, "channelsEnabled");
	size_t count = enabled ? enabled->number_count : 0;

	for (size_t i = 0; count != frames->channel_count && i < frames->layout_count; i++) {
		const struct layout *layout = &frames->layouts[i];

		if (i < count && enabled->numbers[i] == 0.0) {
			memset(frames->channels + layout->first, ' ', layout->count);
		}
	}
	for (size_t i = 0; count == frames->channel_count && i < count; i++) {
		if (enabled->numbers[i] == 0.0) {
			frames->channels[i] = ' ';
		}
	}
}

static size_t name_joints(struct frames *frames)
{
	const char *names = jc_scene_string(frames->node, "joints", "");
	size_t known = 0;
	char word[WORD_BYTES];

	for (size_t i = 0; i < frames->layout_count && next_word(&names, word); i++) {
		struct layout *layout = &frames->layouts[i];

		layout->joint = find_joint(frames->hanim, word);
		known += layout->joint >= 0 || strcmp(word, "IGNORED") == 0;
		for (size_t c = layout->first; c < layout->first + layout->count; c++) {
			layout->turns |= frames->channels[c] >= 'X' && frames->channels[c] <= 'Z';
			layout->moves |= frames->channels[c] >= 'x';
		}
	}
	return known;
}

static double number(const struct jc_scene_node *node, const char *name, double fallback)
{
	jc_scene_numbers(node, name, 1, &fallback);
	return fallback;
}

/* Finds the range of frames in use. */
static int read_range(struct frames *frames, struct jc_lint *lint)
{
	const struct jc_scene_field *values = jc_scene_field(frames->node, "values");
	size_t count = values ? values->number_count / frames->channel_count : 0;
	double start = number(frames->node, "startFrame", 0.0);
	double end = number(frames->node, "endFrame", 0.0);
	double step = number(frames->node, "frameIncrement", 1.0);

	if (count == 0) {
		return refuse(frames, JC_ERROR_INVALID, "has no frame of values");
	}
	if (values->number_count % frames->channel_count) {
		jc_lint_add(lint, JC_WARNING, "hanim-motion",
			"line %u: the values of HAnimMotion '%s' end within a frame",
			frames->node->line, frames->node->def);
	}
	if (!(start >= 0.0 && start < end && end < (double)count)) {
		start = 0.0;
		end = (double)(count - 1);
	}
	step = trunc(step);
	if (step == 0.0 || fabs(step) > (double)count) {
		step = step < 0.0 ? -1.0 : 1.0;
	}
	frames->values = values->numbers;
	frames->step = (long)step;
	frames->first = (long)(frames->step > 0 ? start : end);
	frames->frame_count = (size_t)((long)(end - start) / labs(frames->step)) + 1;
	return JC_OK;
}

static struct jc_quat turn(const char *channels, const double *values, size_t count)
{
	const double degree = 3.14159265358979323846 / 180.0;
	struct jc_quat q = JC_QUAT_IDENTITY;

	for (size_t c = 0; c < count; c++) {
		double half = values[c] * degree / 2.0;
		float sine = (float)sin(half);
		struct jc_quat by = { 0.0f, 0.0f, 0.0f, (float)cos(half) };

		switch (channels[c]) {
		case 'X':
			by.x = sine;
			break;
		case 'Y':
			by.y = sine;
			break;
		case 'Z':
			by.z = sine;
			break;
		default:
			continue;
		}
		q = jc_quat_multiply(q, by);
	}
	return jc_quat_normalize(q);
}

static struct jc_vec3 move(const char *channels, const double *values, size_t count)
{
	float v[3] = { 0.0f, 0.0f, 0.0f };

	for (size_t c = 0; c < count; c++) {
		if (channels[c] >= 'x') {
			v[channels[c] - 'x'] = (float)fmax(-(double)JC_LIMIT_COORDINATE,
				fmin(values[c], (double)JC_LIMIT_COORDINATE));
		}
	}
	return (struct jc_vec3){ v[0], v[1], v[2] };
}

static int add_track(struct frames *frames, const struct layout *layout, enum jc_hanim_path path,
	struct jc_hanim_tracks *tracks)
{
	const char *channels = frames->channels + layout->first;
	struct jc_hanim_track *track;
	int error = jc_hanim_tracks_add(
		tracks, layout->joint, path, frames->frame_count, &track, frames->diagnostic);

	for (size_t i = 0; !error && i < frames->frame_count; i++) {
		size_t frame = (size_t)(frames->first + (long)i * frames->step);
		const double *values =
			frames->values + frame * frames->channel_count + layout->first;

		track->keys[i] = i > 0 ? (float)i / (float)(frames->frame_count - 1) : 0.0f;
		if (path == JC_HANIM_ROTATION) {
			track->rotations[i] = turn(channels, values, layout->count);
		} else {
			track->translations[i] = move(channels, values, layout->count);
		}
	}
	return error;
}

static int add_tracks(struct frames *frames, struct jc_hanim_tracks *tracks)
{
	for (size_t i = 0; i < frames->layout_count; i++) {
		const struct layout *layout = &frames->layouts[i];
		int error = JC_OK;

		if (layout->joint < 0) {
			continue;
		}
		if (layout->turns) {
			error = add_track(frames, layout, JC_HANIM_ROTATION, tracks);
		}
		if (!error && layout->moves) {
			error = add_track(frames, layout, JC_HANIM_TRANSLATION, tracks);
		}
		if (error) {
			return error;
		}
	}
	return JC_OK;
}

static int read_frames(struct frames *frames, const char *channels, struct jc_hanim_tracks *tracks,
	struct jc_lint *lint)
{
	double seconds = number(frames->node, "frameDuration", 0.1);
	size_t known;
	int error = read_channels(frames, channels);

	if (error) {
		return error;
	}
	if (!(seconds > 0.0)) {
		return refuse(frames, JC_ERROR_INVALID, "has a frameDuration that is not positive");
	}
	silence_channels(frames);
	known = name_joints(frames);
	if (known < frames->layout_count) {
		jc_lint_add(lint, JC_WARNING, "hanim-motion",
			"line %u: HAnimMotion '%s' moves %zu joints that the figure does not have",
			frames->node->line, frames->node->def, frames->layout_count - known);
	}
	error = read_range(frames, lint);
	if (error) {
		return error;
	}
	tracks->duration = (double)(frames->frame_count - 1) * seconds;
	return add_tracks(frames, tracks);
}

int jc_hanim_frames_read(const struct jc_hanim *hanim, const struct jc_scene_node *motion,
	struct jc_hanim_tracks *tracks, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	const char *channels = jc_scene_string(motion, "channels", "");
	size_t words = strlen(channels) / 2 + 1;
	struct frames frames = {
		.hanim = hanim,
		.node = motion,
		.layouts = calloc(words, sizeof(*frames.layouts)),
		.channels = calloc(words, 1),
		.diagnostic = diagnostic,
	};
	int error;

	if (!frames.layouts || !frames.channels) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	} else {
		error = read_frames(&frames, channels, tracks, lint);
	}
	free(frames.layouts);
	free(frames.channels);
	return error;
}
