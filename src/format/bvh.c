/* Reads BVH text. The format has no specification: syntax common to all writers is required,
 * differences (case of keywords, line ends, blanks, order and number of channels, a missing blank
 * after "Frame Time:") are accepted. */
#include "jointcast_private/bvh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast_private/array.h"
#include "scanner.h"

/* A frame time that is left out by a writer of single poses. */
#define POSE_SECONDS (1.0 / 30.0)

#define FRAME_SECONDS_MIN 1.0e-6
#define FRAME_SECONDS_MAX 3600.0

struct reader {
	struct jc_scanner scanner;
	struct jc_bvh *bvh;
	size_t joint_capacity;
	struct jc_lint *lint;             /* may be NULL */
	struct jc_diagnostic *diagnostic; /* may be NULL */
};

/* Where a hierarchy stands between two words: the joint whose braces are open
 * (-1 outside of all) and what that joint has shown so far. */
struct level {
	int joint;
	size_t depth;
	bool in_end;
	bool has_offset;
};

static const char *const channel_names[] = { "Xposition", "Yposition", "Zposition", "Xrotation",
	"Yrotation", "Zrotation" };

#define CHANNEL_COUNT (sizeof(channel_names) / sizeof(channel_names[0]))

static const char *where(const struct reader *reader, char buffer[32])
{
	snprintf(buffer, 32, "line %zu", reader->scanner.line);
	return buffer;
}

#define FAIL(reader, error, ...)                                                                   \
	jc_diagnose((reader)->diagnostic, (error), where((reader), (char[32]){ 0 }), __VA_ARGS__)

/* Reports an unexpected word; JC_ERROR_TRUNCATED at the end of the text. */
static int fail_expected(struct reader *reader, const char *expected, struct jc_span found)
{
	if (found.length == 0) {
		return FAIL(reader, JC_ERROR_TRUNCATED, "the file ends where %s is due", expected);
	}
	return FAIL(reader, JC_ERROR_SYNTAX, "'%.*s' stands where %s is due",
		(int)(found.length < 40 ? found.length : 40), found.start, expected);
}

static int expect(struct reader *reader, const char *word)
{
	struct jc_span found = jc_scanner_word(&reader->scanner);

	return jc_span_is(found, word) ? JC_OK : fail_expected(reader, word, found);
}

/* A finite number on this line, not absurdly large. */
static int read_number(struct reader *reader, const char *expected, double *out_value)
{
	double value;

	if (!jc_scanner_number(&reader->scanner, &value)) {
		struct jc_scanner rest = reader->scanner;

		if (jc_scanner_at_line_end(&rest) && rest.at < rest.end) {
			return FAIL(
				reader, JC_ERROR_SYNTAX, "the line ends where %s is due", expected);
		}
		return fail_expected(reader, expected, jc_scanner_word(&rest));
	}
	if (!(fabs(value) <= JC_LIMIT_BVH_NUMBER)) {
		return FAIL(reader, JC_ERROR_LIMIT, "number too large");
	}
	*out_value = value;
	return JC_OK;
}

static int read_count(struct reader *reader, const char *expected, size_t limit, size_t *out_count)
{
	double value = 0.0;
	int status = read_number(reader, expected, &value);

	if (status != JC_OK) {
		return status;
	}
	if (value < 0.0 || value != floor(value)) {
		return FAIL(reader, JC_ERROR_SYNTAX, "%s is not a whole number", expected);
	}
	if (value > (double)limit) {
		return FAIL(reader, JC_ERROR_LIMIT, "%s is over the limit of %zu", expected, limit);
	}
	*out_count = (size_t)value;
	return JC_OK;
}

static int read_offset(struct reader *reader, struct jc_vec3 *out_offset)
{
	double value[3] = { 0.0 };
	int i;

	for (i = 0; i < 3; i++) {
		int status = read_number(reader, "a coordinate of OFFSET", &value[i]);

		if (status != JC_OK) {
			return status;
		}
	}
	*out_offset = (struct jc_vec3){ (float)value[0], (float)value[1], (float)value[2] };
	return JC_OK;
}

static int read_channels(struct reader *reader, struct jc_bvh_joint *joint)
{
	unsigned int seen = 0;
	size_t count = 0;
	size_t i;
	int status = read_count(reader, "the number of channels", CHANNEL_COUNT, &count);

	if (status != JC_OK) {
		return status;
	}
	for (i = 0; i < count; i++) {
		struct jc_span word = jc_scanner_word(&reader->scanner);
		uint8_t channel = 0;

		while (channel < CHANNEL_COUNT && !jc_span_is(word, channel_names[channel])) {
			channel++;
		}
		if (channel == CHANNEL_COUNT) {
			return fail_expected(reader, "the name of a channel", word);
		}
		/* X Y X is an order of rotations, but a position has one X. */
		if (channel <= JC_BVH_Z_POSITION && (seen & 1u << channel)) {
			return FAIL(reader, JC_ERROR_INVALID, "channel '%s' is given twice",
				channel_names[channel]);
		}
		seen |= 1u << channel;
		joint->channels[i] = channel;
	}
	joint->channel_count = (int)count;
	joint->first_value = reader->bvh->value_count;
	reader->bvh->value_count += count;
	return JC_OK;
}

static int grow_joints(struct reader *reader)
{
	struct jc_bvh *bvh = reader->bvh;

	return jc_array_grow(&bvh->joints, &reader->joint_capacity, bvh->joint_count + 1, SIZE_MAX,
		       sizeof(bvh->joints[0]))
		       ? JC_OK
		       : FAIL(reader, JC_ERROR_MEMORY, "out of memory");
}

/* The name and opening brace after ROOT or JOINT. */
static int open_joint(struct reader *reader, struct level *level)
{
	struct jc_bvh *bvh = reader->bvh;
	struct jc_span name = jc_scanner_rest_of_line(&reader->scanner, '{');
	struct jc_bvh_joint *joint;
	int status;

	if (level->joint >= 0 && !level->has_offset) {
		return FAIL(reader, JC_ERROR_SYNTAX, "joint '%s' has no OFFSET before its children",
			bvh->joints[level->joint].name);
	}
	if (bvh->joint_count == JC_LIMIT_BVH_JOINTS) {
		return FAIL(reader, JC_ERROR_LIMIT, "more than %u joints", JC_LIMIT_BVH_JOINTS);
	}
	if (level->depth == JC_LIMIT_DEPTH) {
		return FAIL(reader, JC_ERROR_LIMIT, "joints nest deeper than %u", JC_LIMIT_DEPTH);
	}
	if (name.length >= JC_LIMIT_NAME_BYTES) {
		return FAIL(reader, JC_ERROR_LIMIT, "joint name longer than %u bytes",
			JC_LIMIT_NAME_BYTES - 1);
	}
	if (name.length > 0 && memchr(name.start, '\0', name.length)) {
		return FAIL(reader, JC_ERROR_SYNTAX, "joint name holds a NUL byte");
	}
	status = grow_joints(reader);
	if (status != JC_OK) {
		return status;
	}
	joint = &bvh->joints[bvh->joint_count];
	memset(joint, 0, sizeof(*joint));
	joint->name = strndup(name.start, name.length);
	if (!joint->name) {
		return FAIL(reader, JC_ERROR_MEMORY, "out of memory");
	}
	joint->parent = level->joint;
	joint->first_value = bvh->value_count;
	level->joint = (int)bvh->joint_count++;
	level->depth++;
	level->has_offset = false;
	return expect(reader, "{");
}

static int close_joint(struct reader *reader, struct level *level)
{
	const struct jc_bvh_joint *joint = &reader->bvh->joints[level->joint];

	if (!level->has_offset) {
		return FAIL(reader, JC_ERROR_SYNTAX, "%sjoint '%s' has no OFFSET",
			level->in_end ? "the End Site of " : "", joint->name);
	}
	/* An open joint has its OFFSET before the braces that close here. */
	if (level->in_end) {
		level->in_end = false;
		return JC_OK;
	}
	level->joint = joint->parent;
	level->depth--;
	return JC_OK;
}

/* OFFSET, CHANNELS, JOINT, End Site or a closing brace within a joint. */
static int read_member(struct reader *reader, struct level *level, struct jc_span word)
{
	struct jc_bvh_joint *joint = &reader->bvh->joints[level->joint];

	if (jc_span_is(word, "}")) {
		return close_joint(reader, level);
	}
	if (jc_span_is(word, "OFFSET") && !level->has_offset) {
		level->has_offset = true;
		return read_offset(reader, level->in_end ? &joint->end : &joint->offset);
	}
	if (level->in_end) {
		return fail_expected(reader, "OFFSET or the closing brace of End Site", word);
	}
	if (jc_span_is(word, "CHANNELS") && joint->channel_count == 0) {
		return read_channels(reader, joint);
	}
	if (jc_span_is(word, "JOINT")) {
		return open_joint(reader, level);
	}
	if (jc_span_is(word, "End") && level->has_offset) {
		jc_scanner_rest_of_line(&reader->scanner, '{');
		if (joint->has_end) {
			jc_lint_add(reader->lint, JC_WARNING, "end-sites",
				"joint '%s' has more than one End Site; the last one counts",
				joint->name);
		}
		joint->has_end = true;
		level->in_end = true;
		level->has_offset = false;
		return expect(reader, "{");
	}
	return fail_expected(reader, "OFFSET, CHANNELS, JOINT, End Site or a brace", word);
}

/* From HIERARCHY up to and with MOTION. */
static int read_hierarchy(struct reader *reader)
{
	struct level level = { .joint = -1 };
	int status = expect(reader, "HIERARCHY");

	while (status == JC_OK) {
		struct jc_span word = jc_scanner_word(&reader->scanner);

		if (level.joint >= 0) {
			status = read_member(reader, &level, word);
		} else if (jc_span_is(word, "ROOT")) {
			status = open_joint(reader, &level);
		} else if (jc_span_is(word, "MOTION") && reader->bvh->joint_count > 0) {
			break;
		} else {
			status = fail_expected(reader,
				reader->bvh->joint_count > 0 ? "ROOT or MOTION" : "ROOT", word);
		}
	}
	return status;
}

static int read_frame_seconds(struct reader *reader)
{
	struct jc_bvh *bvh = reader->bvh;
	double seconds = 0.0;
	int status;

	if ((status = expect(reader, "Frame")) != JC_OK ||
		(status = expect(reader, "Time")) != JC_OK ||
		(status = expect(reader, ":")) != JC_OK ||
		(status = read_number(reader, "the frame time", &seconds)) != JC_OK) {
		return status;
	}
	if (seconds == 0.0 && bvh->frame_count == 1) {
		seconds = POSE_SECONDS;
	}
	if (!(seconds >= FRAME_SECONDS_MIN && seconds <= FRAME_SECONDS_MAX)) {
		return FAIL(reader, JC_ERROR_INVALID, "frame time of %g seconds", seconds);
	}
	bvh->frame_seconds = seconds;
	return JC_OK;
}

static int read_motion_header(struct reader *reader)
{
	struct jc_bvh *bvh = reader->bvh;
	int status;

	if ((status = expect(reader, "Frames")) != JC_OK ||
		(status = expect(reader, ":")) != JC_OK ||
		(status = read_count(reader, "the number of frames", JC_LIMIT_BVH_FRAMES,
			 &bvh->frame_count)) != JC_OK) {
		return status;
	}
	if (bvh->frame_count == 0) {
		return FAIL(reader, JC_ERROR_INVALID, "there are no frames");
	}
	if (bvh->value_count == 0) {
		return FAIL(reader, JC_ERROR_INVALID, "no joint has a channel");
	}
	if (bvh->frame_count > JC_LIMIT_BVH_VALUES / bvh->value_count) {
		return FAIL(reader, JC_ERROR_LIMIT, "%zu frames of %zu values are over the limit",
			bvh->frame_count, bvh->value_count);
	}
	return read_frame_seconds(reader);
}

static int read_frame(struct reader *reader, float *out_values)
{
	size_t count = reader->bvh->value_count;
	size_t i;

	for (i = 0; i < count; i++) {
		double value = 0.0;
		int status;

		jc_scanner_skip_blanks(&reader->scanner);
		if (jc_scanner_at_line_end(&reader->scanner)) {
			return FAIL(reader, JC_ERROR_TRUNCATED, "%zu values where %zu are due", i,
				count);
		}
		status = read_number(reader, "a number", &value);
		if (status != JC_OK) {
			return status;
		}
		out_values[i] = (float)value;
	}
	jc_scanner_skip_blanks(&reader->scanner);
	if (!jc_scanner_at_line_end(&reader->scanner)) {
		return FAIL(reader, JC_ERROR_INVALID, "more than %zu values", count);
	}
	return JC_OK;
}

static void count_extra_lines(struct reader *reader)
{
	size_t extra = 0;

	for (jc_scanner_skip_space(&reader->scanner); reader->scanner.at < reader->scanner.end;
		jc_scanner_skip_space(&reader->scanner)) {
		while (!jc_scanner_at_line_end(&reader->scanner)) {
			reader->scanner.at++;
		}
		extra++;
	}
	if (extra > 0) {
		jc_lint_add(reader->lint, JC_WARNING, "extra-frames",
			"%zu data line%s after the stated %zu frames ignored", extra,
			extra == 1 ? "" : "s", reader->bvh->frame_count);
	}
}

static int read_frames(struct reader *reader)
{
	struct jc_bvh *bvh = reader->bvh;
	size_t left = (size_t)(reader->scanner.end - reader->scanner.at);
	/* A value takes two bytes with its separator, so the text ends before
	 * this many frames do, whatever the header promises. */
	size_t possible = left / 2 / bvh->value_count + 1;
	size_t capacity = bvh->frame_count < possible ? bvh->frame_count : possible;
	size_t i;

	bvh->values = malloc(capacity * bvh->value_count * sizeof(*bvh->values));
	if (!bvh->values) {
		return FAIL(reader, JC_ERROR_MEMORY, "out of memory");
	}
	for (i = 0; i < bvh->frame_count; i++) {
		int status;

		jc_scanner_skip_space(&reader->scanner);
		if (reader->scanner.at == reader->scanner.end) {
			return FAIL(reader, JC_ERROR_TRUNCATED,
				"the file ends after %zu of %zu frames", i, bvh->frame_count);
		}
		status = read_frame(reader, bvh->values + i * bvh->value_count);
		if (status != JC_OK) {
			return status;
		}
	}
	count_extra_lines(reader);
	return JC_OK;
}

int jc_bvh_read(const char *text, size_t length, struct jc_bvh **out_bvh, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct reader reader = { .lint = lint, .diagnostic = diagnostic };
	int status;

	if (length > JC_LIMIT_FILE_BYTES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "file larger than %u bytes",
			JC_LIMIT_FILE_BYTES);
	}
	reader.bvh = calloc(1, sizeof(*reader.bvh));
	if (!reader.bvh) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	jc_scanner_init(&reader.scanner, text, length);
	if ((status = read_hierarchy(&reader)) != JC_OK ||
		(status = read_motion_header(&reader)) != JC_OK ||
		(status = read_frames(&reader)) != JC_OK) {
		jc_bvh_destroy(reader.bvh);
		return status;
	}
	*out_bvh = reader.bvh;
	return JC_OK;
}

void jc_bvh_destroy(struct jc_bvh *bvh)
{
	size_t i;

	if (!bvh) {
		return;
	}
	for (i = 0; i < bvh->joint_count; i++) {
		free(bvh->joints[i].name);
	}
	free(bvh->joints);
	free(bvh->values);
	free(bvh);
}
