/* Parses body-frame files line by line, so that a long recording is never in memory as
 * JSON. The input is not trusted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "body_frames.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/array.h"
#include "jointcast_private/json.h"

#define JOINT_VALUES 8 /* x y z, qx qy qz qw, flags */
#define JOINTS_KEY   "joints"

struct parser {
	struct jc_body_frames *frames;
	struct jc_lint *lint;
	size_t name_count;
	int joints[JC_LIMIT_BODY_NAMES]; /* enum jc_joint of each column */
	double first_t, last_t;          /* times in the file of the frames read so far */
};

static int read_profile(
	const json_t *header, struct jc_motion *motion, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place place = { .key = "profile" };
	const char *name = NULL;
	char known[128] = "";
	size_t at = 0;
	int profile;
	int error = jc_json_read_string(header, "profile", NULL, &name, diagnostic);

	if (error) {
		return error;
	}
	if (!name) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, &place, "missing");
	}
	profile = jc_profile_find(name);
	if (profile < 0) {
		for (int i = 0; i < JC_PROFILE_COUNT && at < sizeof(known); i++) {
			at += (size_t)snprintf(known + at, sizeof(known) - at, "%s'%s'",
				i > 0 ? ", " : "", jc_profile_name((enum jc_profile)i));
		}
		return jc_json_refuse(diagnostic, JC_ERROR_UNSUPPORTED, &place,
			"'%s' is not a known profile; known: %s", name, known);
	}
	motion->profile = (enum jc_profile)profile;
	return JC_OK;
}

static int read_name(struct parser *parser, const json_t *value, const struct jc_json_place *place,
	struct jc_diagnostic *diagnostic)
{
	const char *name = json_string_value(value);
	int joint;

	if (!name) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place, "not a string");
	}
	joint = jc_joint_find(name);
	if (joint == JC_JOINT_NONE) {
		jc_lint_add(parser->lint, JC_WARNING, "unknown-joint",
			"joint '%s' is not a joint of the WebXR draft; left out", name);
	}
	for (size_t i = 0; i < parser->name_count && joint != JC_JOINT_NONE; i++) {
		if (parser->joints[i] == joint) {
			return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place,
				"joint '%s' appears twice", name);
		}
	}
	parser->joints[parser->name_count++] = joint;
	return JC_OK;
}

static int read_names(struct parser *parser, const json_t *header, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place place = { .key = JOINTS_KEY };
	const json_t *names = NULL;
	size_t known = 0;
	int error = jc_json_read_array(
		header, JOINTS_KEY, NULL, JC_LIMIT_BODY_NAMES, &names, diagnostic);

	if (error) {
		return error;
	}
	for (size_t i = 0; i < json_array_size(names); i++) {
		struct jc_json_place item = { .outer = &place, .index = i };

		error = read_name(parser, json_array_get(names, i), &item, diagnostic);
		if (error) {
			return error;
		}
		known += parser->joints[i] != JC_JOINT_NONE;
	}
	if (known == 0) {
		return jc_json_refuse(diagnostic, JC_ERROR_NO_HUMANOID, &place,
			"names no joint of the WebXR draft");
	}
	return JC_OK;
}

/* NaN fails every comparison and is rejected like a value that is too large. */
static int read_values(const json_t *value, const struct jc_json_place *place,
	float out_values[JOINT_VALUES], struct jc_diagnostic *diagnostic)
{
	if (json_array_size(value) != JOINT_VALUES) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place,
			"neither null nor an array of %d numbers", JOINT_VALUES);
	}
	for (size_t i = 0; i < JOINT_VALUES; i++) {
		const json_t *number = json_array_get(value, i);
		struct jc_json_place item = { .outer = place, .index = i };

		if (!json_is_number(number)) {
			return jc_json_refuse(diagnostic, JC_ERROR_INVALID, &item, "not a number");
		}
		if (!(fabs(json_number_value(number)) <= (double)JC_LIMIT_COORDINATE)) {
			return jc_json_refuse(diagnostic, JC_ERROR_LIMIT, &item, "larger than %g",
				(double)JC_LIMIT_COORDINATE);
		}
		out_values[i] = (float)json_number_value(number);
	}
	return JC_OK;
}

static int read_joint(const json_t *value, const struct jc_json_place *place,
	struct jc_body_joint *out_joint, struct jc_diagnostic *diagnostic)
{
	float v[JOINT_VALUES];
	struct jc_quat q;
	float norm;
	int error;

	*out_joint = (struct jc_body_joint){ .orientation = JC_QUAT_IDENTITY };
	if (json_is_null(value)) {
		return JC_OK;
	}
	error = read_values(value, place, v, diagnostic);
	if (error) {
		return error;
	}
	if (v[7] != (float)JC_ABSENT && v[7] != (float)JC_ESTIMATED && v[7] != (float)JC_TRACKED) {
		return jc_json_refuse(
			diagnostic, JC_ERROR_INVALID, place, "the flags are neither 0, 1 nor 2");
	}
	if (v[7] == (float)JC_ABSENT) {
		return JC_OK;
	}
	q = (struct jc_quat){ v[3], v[4], v[5], v[6] };
	norm = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
	if (!(fabsf(norm - 1.0f) <= JC_LIMIT_UNIT_ERROR)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place,
			"the orientation has length %g instead of 1", (double)norm);
	}
	out_joint->position = (struct jc_vec3){ v[0], v[1], v[2] };
	out_joint->orientation = jc_quat_normalize(q);
	out_joint->state = (uint8_t)v[7];
	return JC_OK;
}

/* The "joints" of a frame or of the rest, in the order of enum jc_joint. */
static int read_joints(const struct parser *parser, const json_t *object,
	const struct jc_json_place *outer, struct jc_body_joint out_joints[JC_JOINT_COUNT],
	struct jc_diagnostic *diagnostic)
{
	struct jc_json_place place = { .outer = outer, .key = JOINTS_KEY };
	const json_t *joints = json_object_get(object, JOINTS_KEY);

	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		out_joints[joint] = (struct jc_body_joint){ .orientation = JC_QUAT_IDENTITY };
	}
	if (!json_is_array(joints) || json_array_size(joints) != parser->name_count) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, &place,
			"not an array of %zu elements, one for each joint of the header",
			parser->name_count);
	}
	for (size_t i = 0; i < parser->name_count; i++) {
		struct jc_json_place item = { .outer = &place, .index = i };
		struct jc_body_joint joint;
		int error = read_joint(json_array_get(joints, i), &item, &joint, diagnostic);

		if (error) {
			return error;
		}
		if (parser->joints[i] != JC_JOINT_NONE) {
			out_joints[parser->joints[i]] = joint;
		}
	}
	return JC_OK;
}

static int read_header(
	struct parser *parser, const json_t *header, struct jc_diagnostic *diagnostic)
{
	struct jc_motion *motion = &parser->frames->motion;
	struct jc_json_place place = { .key = "rest" };
	const char *kind = json_string_value(json_object_get(header, "jointcast"));
	const json_t *rest = NULL;
	int error;

	if (!kind || strcmp(kind, "body-frames") != 0) {
		return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
			"JSON, but not the header of a body-frame file");
	}
	if ((error = read_profile(header, motion, diagnostic)) ||
		(error = read_names(parser, header, diagnostic)) ||
		(error = jc_json_read_object(header, "rest", NULL, &rest, diagnostic))) {
		return error;
	}
	if (!rest) {
		return JC_OK;
	}
	error = read_joints(parser, rest, &place, parser->frames->rest.joints, diagnostic);
	if (error) {
		return error;
	}
	parser->frames->rest.confidence = 1.0f;
	motion->rest = &parser->frames->rest;
	return JC_OK;
}

static int read_number(const json_t *frame, const char *key, double least, double most,
	double *out_number, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place place = { .key = key };
	const json_t *value = json_object_get(frame, key);
	double number = json_number_value(value);

	if (!json_is_number(value)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, &place, "not a number");
	}
	if (!(number >= least && number <= most)) {
		return jc_json_refuse(
			diagnostic, JC_ERROR_LIMIT, &place, "not within %g to %g", least, most);
	}
	*out_number = number;
	return JC_OK;
}

static int append_frame(struct jc_body_frames *frames, double t, float confidence,
	const struct jc_body_joint joints[JC_JOINT_COUNT])
{
	struct jc_body_frames_frame *frame;

	if (!jc_array_grow(&frames->frames, &frames->frame_capacity, frames->frame_count + 1,
		    SIZE_MAX, sizeof(frames->frames[0]))) {
		return JC_ERROR_MEMORY;
	}
	frame = &frames->frames[frames->frame_count++];
	*frame = (struct jc_body_frames_frame){
		.t = t,
		.confidence = confidence,
		.first = frames->sample_count,
	};
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		if (joints[joint].state == JC_ABSENT) {
			continue;
		}
		if (!jc_array_grow(&frames->samples, &frames->sample_capacity,
			    frames->sample_count + 1, SIZE_MAX, sizeof(frames->samples[0]))) {
			return JC_ERROR_MEMORY;
		}
		frames->samples[frames->sample_count++] = (struct jc_body_frames_sample){
			.position = joints[joint].position,
			.orientation = joints[joint].orientation,
			.joint = (uint8_t)joint,
			.state = joints[joint].state,
		};
		frame->count++;
	}
	return JC_OK;
}

static int read_frame(struct parser *parser, const json_t *line, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place place = { .key = "t" };
	struct jc_body_frames *frames = parser->frames;
	struct jc_body_joint joints[JC_JOINT_COUNT];
	double confidence = 1.0;
	double t = 0.0;
	int error;

	if (frames->frame_count >= JC_LIMIT_BODY_FRAMES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "more than %u frames",
			JC_LIMIT_BODY_FRAMES);
	}
	if ((error = read_number(
		     line, "t", -JC_LIMIT_BODY_TIME, JC_LIMIT_BODY_TIME, &t, diagnostic))) {
		return error;
	}
	if (frames->frame_count == 0) {
		parser->first_t = t;
	} else if (t <= parser->last_t) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, &place,
			"%g s is not after the frame before", t);
	}
	parser->last_t = t;
	if (json_object_get(line, "confidence") &&
		(error = read_number(line, "confidence", 0.0, 1.0, &confidence, diagnostic))) {
		return error;
	}
	error = read_joints(parser, line, NULL, joints, diagnostic);
	if (error) {
		return error;
	}
	if (append_frame(frames, t - parser->first_t, (float)confidence, joints)) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	return JC_OK;
}

/* first: whether this line is the header. */
static int read_line(struct parser *parser, const char *text, size_t length, bool first,
	struct jc_diagnostic *diagnostic)
{
	json_t *line = NULL;
	int error = jc_json_parse(text, length, &line, diagnostic);

	if (error) {
		/* The parser counts lines of this piece only. */
		diagnostic->where[0] = '\0';
		return error;
	}
	error = first ? read_header(parser, line, diagnostic)
		      : read_frame(parser, line, diagnostic);
	json_decref(line);
	return error;
}

static bool is_blank(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] != ' ' && !(text[i] >= '\t' && text[i] <= '\r')) {
			return false;
		}
	}
	return true;
}

int jc_body_frames_parse(const void *bytes, size_t length, struct jc_body_frames *frames,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct parser parser = { .frames = frames, .lint = lint };
	const char *text = bytes;
	const char *end = text + length;
	bool first = true;

	for (size_t number = 1; text < end; number++) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t size = (size_t)((newline ? newline : end) - text);
		struct jc_diagnostic inner = { 0 };
		int error = JC_OK;

		if (!is_blank(text, size)) {
			error = read_line(&parser, text, size, first, &inner);
			first = false;
		}
		if (error) {
			char where[sizeof(inner.where) + 32];

			snprintf(where, sizeof(where), "line %zu%s%s", number,
				inner.where[0] ? ", " : "", inner.where);
			return jc_diagnose(diagnostic, error, where, "%s", inner.what);
		}
		text += size + (newline != NULL);
	}
	if (frames->frame_count == 0) {
		return jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, NULL, "contains no frame");
	}
	return JC_OK;
}
