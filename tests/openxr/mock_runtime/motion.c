/* Plays body-frame files with any joint names, so that headsets, controllers and trackers move
 * by them too. Reads them with jansson, not with the project's readers. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mock.h"

#define JOINT_VALUES 8u
#define MAX_FRAMES   100000u

static bool read_joint(const json_t *json, struct mock_joint *out_joint)
{
	float values[JOINT_VALUES];

	memset(out_joint, 0, sizeof(*out_joint));
	if (json_is_null(json)) {
		return true;
	}
	if (json_array_size(json) != JOINT_VALUES) {
		return false;
	}
	for (size_t i = 0; i < JOINT_VALUES; i++) {
		values[i] = (float)json_number_value(json_array_get(json, i));
	}
	out_joint->pose.position = (XrVector3f){ values[0], values[1], values[2] };
	out_joint->pose.orientation = (XrQuaternionf){ values[3], values[4], values[5], values[6] };
	out_joint->state = (uint8_t)values[7];
	return true;
}

static bool read_joints(const json_t *json, size_t count, struct mock_joint *out_joints)
{
	if (json_array_size(json) != count) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		if (!read_joint(json_array_get(json, i), &out_joints[i])) {
			return false;
		}
	}
	return true;
}

static bool read_header(const char *line, struct mock_motion *motion)
{
	json_t *header = json_loads(line, 0, NULL);
	const json_t *names = json_object_get(header, "joints");
	const json_t *rest = json_object_get(json_object_get(header, "rest"), "joints");
	bool is_good = json_array_size(names) > 0;

	motion->joint_count = json_array_size(names);
	motion->names = calloc(motion->joint_count + 1, sizeof(*motion->names));
	for (size_t i = 0; i < motion->joint_count; i++) {
		const char *name = json_string_value(json_array_get(names, i));

		snprintf(motion->names[i], sizeof(*motion->names), "%s", name ? name : "");
	}
	if (rest) {
		motion->rest = calloc(motion->joint_count, sizeof(*motion->rest));
		is_good = is_good && read_joints(rest, motion->joint_count, motion->rest);
	}
	json_decref(header);
	return is_good;
}

static bool read_frame(const char *line, struct mock_motion *motion)
{
	json_t *frame = json_loads(line, 0, NULL);
	size_t count = motion->frame_count;
	bool is_good = frame && count < MAX_FRAMES;

	if (is_good) {
		motion->times = realloc(motion->times, (count + 1) * sizeof(*motion->times));
		motion->joints = realloc(motion->joints,
			(count + 1) * motion->joint_count * sizeof(*motion->joints));
		motion->times[count] = json_number_value(json_object_get(frame, "t"));
		is_good = read_joints(json_object_get(frame, "joints"), motion->joint_count,
			motion->joints + count * motion->joint_count);
		motion->frame_count++;
	}
	json_decref(frame);
	return is_good;
}

struct mock_motion *mock_motion_read(const char *path, char out_error[MOCK_FAULT_TEXT])
{
	struct mock_motion *motion = calloc(1, sizeof(*motion));
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t capacity = 0;
	bool is_good = file && getline(&line, &capacity, file) > 0 && read_header(line, motion);

	while (is_good && getline(&line, &capacity, file) > 0) {
		is_good = read_frame(line, motion);
	}
	free(line);
	if (file) {
		fclose(file);
	}
	if (!is_good || motion->frame_count == 0) {
		snprintf(out_error, MOCK_FAULT_TEXT, "frame %zu is unusable", motion->frame_count);
		mock_motion_destroy(motion);
		return NULL;
	}
	return motion;
}

void mock_motion_destroy(struct mock_motion *motion)
{
	if (motion) {
		free(motion->names);
		free(motion->rest);
		free(motion->times);
		free(motion->joints);
		free(motion);
	}
}

size_t mock_motion_frame(const struct mock_motion *motion, double t)
{
	double first = motion->times[0];
	double duration = motion->times[motion->frame_count - 1] - first;
	size_t best = 0;

	if (duration > 0.0 && t > duration) {
		t = fmod(t, duration);
	}
	for (size_t i = 1; i < motion->frame_count; i++) {
		if (fabs(motion->times[i] - first - t) < fabs(motion->times[best] - first - t)) {
			best = i;
		}
	}
	return best;
}
