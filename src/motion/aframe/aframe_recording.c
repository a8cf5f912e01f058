/* Parses A-Frame recordings. The input is not trusted. */
#include "aframe_recording.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "jointcast/limits.h"
#include "jointcast_private/array.h"
#include "jointcast_private/json.h"

/* Reads a number; null sets *is_lost. */
static int read_number(const json_t *object, const char *key, const struct jc_json_place *outer,
	double most, double *out_number, bool *is_lost, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place place = { .outer = outer, .key = key };
	const json_t *value = json_object_get(object, key);

	if (json_is_null(value)) {
		*is_lost = true;
		return JC_OK;
	}
	if (!json_is_number(value)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, &place, "not a number");
	}
	if (!(fabs(json_number_value(value)) <= most)) {
		return jc_json_refuse(
			diagnostic, JC_ERROR_LIMIT, &place, "larger than %g in magnitude", most);
	}
	*out_number = json_number_value(value);
	return JC_OK;
}

static int read_vector(const json_t *pose, const char *key, const struct jc_json_place *outer,
	struct jc_vec3 *out_vector, bool *is_lost, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place place = { .outer = outer, .key = key };
	const json_t *vector = json_object_get(pose, key);
	double v[3] = { 0.0, 0.0, 0.0 };

	if (json_is_null(vector)) {
		*is_lost = true;
		return JC_OK;
	}
	if (!json_is_object(vector)) {
		return jc_json_refuse(
			diagnostic, JC_ERROR_INVALID, &place, "not an object with x, y and z");
	}
	for (int c = 0; c < 3; c++) {
		const char name[] = { "xyz"[c], '\0' };
		int error = read_number(vector, name, &place, (double)JC_LIMIT_COORDINATE, &v[c],
			is_lost, diagnostic);

		if (error) {
			return error;
		}
	}
	*out_vector = (struct jc_vec3){ (float)v[0], (float)v[1], (float)v[2] };
	return JC_OK;
}

/* Appends the pose unless its tracking is lost or it is not later than the pose before; the latter
 * are counted. */
static int read_pose(struct jc_aframe_device *device, const json_t *json,
	const struct jc_json_place *place, size_t *late_count, struct jc_diagnostic *diagnostic)
{
	struct jc_aframe_pose pose = { .t = 0.0 };
	double milliseconds = 0.0;
	bool is_lost = false;
	int error;

	if (!json_is_object(json)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place, "not an object");
	}
	error = read_vector(json, "position", place, &pose.position, &is_lost, diagnostic);
	if (!error) {
		error = read_vector(json, "rotation", place, &pose.degrees, &is_lost, diagnostic);
	}
	if (!error) {
		error = read_number(json, "timestamp", place, JC_LIMIT_BODY_TIME * 1000.0,
			&milliseconds, &is_lost, diagnostic);
	}
	pose.t = milliseconds / 1000.0;
	if (error || is_lost) {
		return error;
	}
	if (device->count > 0 && pose.t <= device->poses[device->count - 1].t) {
		(*late_count)++;
		return JC_OK;
	}
	if (!jc_array_grow(&device->poses, &device->capacity, device->count + 1, SIZE_MAX,
		    sizeof(device->poses[0]))) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	device->poses[device->count++] = pose;
	return JC_OK;
}

static int read_poses(struct jc_aframe_device *device, const json_t *json,
	const struct jc_json_place *outer, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place place = { .outer = outer, .key = "poses" };
	const json_t *poses = NULL;
	size_t late_count = 0;
	int error =
		jc_json_read_array(json, "poses", outer, JC_LIMIT_BODY_FRAMES, &poses, diagnostic);

	for (size_t i = 0; !error && i < json_array_size(poses); i++) {
		struct jc_json_place item = { .outer = &place, .index = i };

		error = read_pose(device, json_array_get(poses, i), &item, &late_count, diagnostic);
	}
	if (late_count > 0) {
		jc_lint_add(lint, JC_WARNING, "times-fall",
			"%zu of %zu poses of '%.60s' are not later than the pose before: left out",
			late_count, json_array_size(poses), device->id);
	}
	return error;
}

static void copy(const char *text, char *out_text, size_t size)
{
	snprintf(out_text, size, "%s", text ? text : "");
}

static enum jc_aframe_kind kind_of(const char *id, const json_t *gamepad)
{
	const char *model = json_string_value(json_object_get(gamepad, "id"));

	if (strcmp(id, "camera") == 0) {
		return JC_AFRAME_CAMERA;
	}
	if (gamepad && !model) {
		return JC_AFRAME_GRIP;
	}
	return model && strncmp(model, "Oculus Touch", strlen("Oculus Touch")) == 0
		       ? JC_AFRAME_TOUCH
		       : JC_AFRAME_OPENVR;
}

static int read_device(struct jc_aframe_recording *recording, const char *id, const json_t *json,
	const struct jc_json_place *place, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	const json_t *gamepad = json_object_get(json, "gamepad");
	struct jc_aframe_device *device = &recording->devices[recording->count];
	int error;

	if (!json_is_array(json_object_get(json, "poses"))) {
		jc_lint_add(lint, JC_WARNING, "no-poses", "'%.60s' has no poses: left out", id);
		return JC_OK;
	}
	if (recording->count == JC_AFRAME_DEVICES) {
		jc_lint_add(lint, JC_WARNING, "devices-many",
			"'%.60s' is past the first %d devices: left out", id, JC_AFRAME_DEVICES);
		return JC_OK;
	}
	copy(id, device->id, sizeof(device->id));
	copy(json_string_value(json_object_get(gamepad, "hand")), device->hand,
		sizeof(device->hand));
	device->kind = kind_of(id, gamepad);
	recording->count++;
	error = read_poses(device, json, place, lint, diagnostic);
	if (!error && device->count == 0) {
		jc_lint_add(lint, JC_WARNING, "no-poses", "'%.60s' has no poses: left out", id);
		recording->count--;
	}
	return error;
}

static int read_devices(struct jc_aframe_recording *recording, const json_t *root,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	const char *id;
	json_t *value;

	if (json_object_get(root, "poses")) {
		return read_device(recording, "", root, NULL, lint, diagnostic);
	}
	json_object_foreach((json_t *)root, id, value)
	{
		struct jc_json_place place = { .key = id };
		int error = read_device(recording, id, value, &place, lint, diagnostic);

		if (error) {
			return error;
		}
	}
	return JC_OK;
}

int jc_aframe_recording_read(const void *bytes, size_t length,
	struct jc_aframe_recording *out_recording, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	json_t *root;
	int error;

	*out_recording = (struct jc_aframe_recording){ .count = 0 };
	error = jc_json_parse(bytes, length, &root, diagnostic);
	if (error) {
		return error;
	}
	error = read_devices(out_recording, root, lint, diagnostic);
	json_decref(root);
	if (!error && out_recording->count == 0) {
		return jc_diagnose(
			diagnostic, JC_ERROR_TRUNCATED, NULL, "an A-Frame recording without poses");
	}
	return error;
}

void jc_aframe_recording_finish(struct jc_aframe_recording *recording)
{
	for (size_t i = 0; i < JC_AFRAME_DEVICES; i++) {
		free(recording->devices[i].poses);
	}
}
