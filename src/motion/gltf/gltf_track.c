/* Reads and samples tracks. Keys are checked once, so sampling needs no checks (glTF 2.0,
 * 3.11 and appendix C). */
#include "gltf_track.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"

const char *jc_gltf_path_name(enum jc_gltf_path path)
{
	static const char *const names[JC_GLTF_PATHS] = {
		[JC_GLTF_TRANSLATION] = "translation",
		[JC_GLTF_ROTATION] = "rotation",
		[JC_GLTF_SCALE] = "scale",
	};

	return names[path];
}

size_t jc_gltf_path_width(enum jc_gltf_path path)
{
	return path == JC_GLTF_ROTATION ? 4 : 3;
}

void jc_gltf_path_values(
	const struct jc_transform *transform, enum jc_gltf_path path, float *out_values)
{
	const void *parts[JC_GLTF_PATHS] = {
		[JC_GLTF_TRANSLATION] = &transform->translation,
		[JC_GLTF_ROTATION] = &transform->rotation,
		[JC_GLTF_SCALE] = &transform->scale,
	};

	memcpy(out_values, parts[path], jc_gltf_path_width(path) * sizeof(*out_values));
}

static size_t values_per_key(const struct jc_gltf_track *track)
{
	return jc_gltf_path_width(track->path) *
	       (track->interpolation == JC_GLTF_CUBICSPLINE ? 3 : 1);
}

static int read_interpolation(const json_t *sampler, const struct jc_json_place *place,
	enum jc_gltf_interpolation *out_interpolation, struct jc_diagnostic *diagnostic)
{
	static const char *const names[] = {
		[JC_GLTF_LINEAR] = "LINEAR",
		[JC_GLTF_STEP] = "STEP",
		[JC_GLTF_CUBICSPLINE] = "CUBICSPLINE",
	};
	const char *name = "LINEAR";
	int error = jc_json_read_string(sampler, "interpolation", place, &name, diagnostic);

	if (error) {
		return error;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(name, names[i]) == 0) {
			*out_interpolation = (enum jc_gltf_interpolation)i;
			return JC_OK;
		}
	}
	return jc_json_refuse(
		diagnostic, JC_ERROR_INVALID, place, "no valid interpolation: '%s'", name);
}

/* Number of elements that an accessor declares, before any is read. */
static double claimed_count(const struct jc_gltf *gltf, int accessor)
{
	const json_t *json =
		json_array_get(json_object_get(jc_gltf_json(gltf), "accessors"), (size_t)accessor);

	return json_number_value(json_object_get(json, "count"));
}

static int read_accessor(const struct jc_gltf *gltf, const json_t *sampler, const char *key,
	const struct jc_json_place *place, size_t *budget, size_t *out_count,
	size_t *out_components, float **out_values, struct jc_diagnostic *diagnostic)
{
	int accessor = -1;
	int error = jc_json_read_index(sampler, key, place, 0, INT_MAX, &accessor, diagnostic);

	if (error) {
		return error;
	}
	if (accessor < 0) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place, "'%s' is missing", key);
	}
	/* Many samplers of a small file can share one huge accessor. */
	if (claimed_count(gltf, accessor) > (double)*budget) {
		return jc_json_refuse(diagnostic, JC_ERROR_LIMIT, place,
			"more than %u numbers in one motion", JC_LIMIT_MOTION_VALUES);
	}
	error = jc_gltf_accessor_floats(
		gltf, accessor, out_count, out_components, out_values, diagnostic);
	if (!error) {
		size_t used = *out_count * *out_components;

		*budget -= used < *budget ? used : *budget;
	}
	return error;
}

static int check_times(const struct jc_gltf_track *track, const struct jc_json_place *place,
	struct jc_diagnostic *diagnostic)
{
	for (size_t i = 0; i < track->key_count; i++) {
		if (fabsf(track->times[i]) > JC_LIMIT_MOTION_SECONDS) {
			return jc_json_refuse(diagnostic, JC_ERROR_LIMIT, place,
				"key %zu is more than %g seconds away", i,
				(double)JC_LIMIT_MOTION_SECONDS);
		}
		if (i > 0 && track->times[i] <= track->times[i - 1]) {
			return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place,
				"key %zu is not later than the previous key", i);
		}
	}
	return JC_OK;
}

/* Tolerates rounding by exporters and by integers; rejects rotations without a length. */
static int check_values(const struct jc_gltf_track *track, float *values,
	const struct jc_json_place *place, struct jc_diagnostic *diagnostic)
{
	size_t stride = values_per_key(track);
	size_t first =
		track->interpolation == JC_GLTF_CUBICSPLINE ? jc_gltf_path_width(track->path) : 0;

	for (size_t i = 0; i < track->key_count * stride; i++) {
		if (fabsf(values[i]) > JC_LIMIT_COORDINATE) {
			return jc_json_refuse(diagnostic, JC_ERROR_LIMIT, place,
				"value %zu is too far from zero", i);
		}
	}
	for (size_t i = 0; track->path == JC_GLTF_ROTATION && i < track->key_count; i++) {
		float *q = values + i * stride + first;
		float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

		if (!(length > 1e-3f)) {
			return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place,
				"key %zu is not a rotation", i);
		}
		for (int c = 0; c < 4; c++) {
			q[c] /= length;
		}
	}
	return JC_OK;
}

static int read_keys(const struct jc_gltf *gltf, const json_t *sampler,
	const struct jc_json_place *place, size_t *budget, struct jc_gltf_track *track,
	struct jc_diagnostic *diagnostic)
{
	size_t time_count = 0, time_size = 0, value_count = 0, value_size = 0;
	float *times = NULL, *values = NULL;
	size_t per_key = values_per_key(track) / jc_gltf_path_width(track->path);
	int error = read_accessor(
		gltf, sampler, "input", place, budget, &time_count, &time_size, &times, diagnostic);

	track->times = times;
	if (!error) {
		error = read_accessor(gltf, sampler, "output", place, budget, &value_count,
			&value_size, &values, diagnostic);
	}
	track->values = values;
	if (error) {
		return error;
	}
	if (time_size != 1) {
		return jc_json_refuse(
			diagnostic, JC_ERROR_INVALID, place, "its times are not scalars");
	}
	if (value_size != jc_gltf_path_width(track->path) || value_count != time_count * per_key) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place,
			"%zu outputs of %zu numbers for %zu inputs, not %zu of %zu", value_count,
			value_size, time_count, time_count * per_key,
			jc_gltf_path_width(track->path));
	}
	track->key_count = time_count;
	error = check_times(track, place, diagnostic);
	return error ? error : check_values(track, values, place, diagnostic);
}

int jc_gltf_track_read(const struct jc_gltf *gltf, const struct json_t *sampler,
	const struct jc_json_place *place, enum jc_gltf_path path, size_t *budget,
	struct jc_gltf_track *out_track, struct jc_diagnostic *diagnostic)
{
	struct jc_gltf_track track = { .path = path };
	int error;

	if (!json_is_object(sampler)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place, "there is no sampler");
	}
	error = read_interpolation(sampler, place, &track.interpolation, diagnostic);
	if (!error) {
		error = read_keys(gltf, sampler, place, budget, &track, diagnostic);
	}
	if (error) {
		jc_gltf_track_finish(&track);
		return error;
	}
	*out_track = track;
	return JC_OK;
}

void jc_gltf_track_finish(struct jc_gltf_track *track)
{
	free((void *)track->times);
	free((void *)track->values);
}

/* The last key at or before t, or the first key. */
static size_t find_key(const struct jc_gltf_track *track, double t)
{
	size_t low = 0, high = track->key_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if ((double)track->times[middle] <= t) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Hermite basis over the key interval; tangents are per second (appendix C.5). */
static void sample_cubic(
	const struct jc_gltf_track *track, size_t key, float s, float span, float *out)
{
	size_t count = jc_gltf_path_width(track->path);
	const float *at = track->values + key * 3 * count;
	const float *next = at + 3 * count;
	float s2 = s * s, s3 = s2 * s;

	for (size_t c = 0; c < count; c++) {
		out[c] = (2.0f * s3 - 3.0f * s2 + 1.0f) * at[count + c] +
			 span * (s3 - 2.0f * s2 + s) * at[2 * count + c] +
			 (3.0f * s2 - 2.0f * s3) * next[count + c] + span * (s3 - s2) * next[c];
	}
	if (track->path == JC_GLTF_ROTATION) {
		struct jc_quat q =
			jc_quat_normalize((struct jc_quat){ out[0], out[1], out[2], out[3] });

		memcpy(out, &q, sizeof(q));
	}
}

static void sample_linear(const struct jc_gltf_track *track, size_t key, float s, float *out)
{
	size_t count = jc_gltf_path_width(track->path);
	const float *at = track->values + key * count;
	const float *next = at + count;

	if (track->path == JC_GLTF_ROTATION) {
		struct jc_quat q = jc_quat_slerp((struct jc_quat){ at[0], at[1], at[2], at[3] },
			(struct jc_quat){ next[0], next[1], next[2], next[3] }, s);

		memcpy(out, &q, sizeof(q));
		return;
	}
	for (size_t c = 0; c < count; c++) {
		out[c] = at[c] + (next[c] - at[c]) * s;
	}
}

static void sample_between(
	const struct jc_gltf_track *track, size_t key, double t, float *out_value)
{
	double span = (double)track->times[key + 1] - (double)track->times[key];
	double since = t - (double)track->times[key];

	if (track->interpolation == JC_GLTF_CUBICSPLINE) {
		sample_cubic(track, key, (float)(since / span), (float)span, out_value);
	} else {
		sample_linear(track, key, (float)(since / span), out_value);
	}
}

void jc_gltf_track_sample(const struct jc_gltf_track *track, double t, float *out_value)
{
	size_t key = find_key(track, t);
	size_t value =
		track->interpolation == JC_GLTF_CUBICSPLINE ? jc_gltf_path_width(track->path) : 0;

	if (key + 1 == track->key_count || t <= (double)track->times[key] ||
		track->interpolation == JC_GLTF_STEP) {
		memcpy(out_value, track->values + key * values_per_key(track) + value,
			jc_gltf_path_width(track->path) * sizeof(*out_value));
	} else {
		sample_between(track, key, t, out_value);
	}
}

void jc_gltf_track_apply(struct jc_transform *local, enum jc_gltf_path path, const float *value)
{
	switch (path) {
	case JC_GLTF_ROTATION:
		local->rotation = (struct jc_quat){ value[0], value[1], value[2], value[3] };
		break;
	case JC_GLTF_TRANSLATION:
		local->translation = (struct jc_vec3){ value[0], value[1], value[2] };
		break;
	case JC_GLTF_SCALE:
		local->scale = (struct jc_vec3){ value[0], value[1], value[2] };
		break;
	}
}
