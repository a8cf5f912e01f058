/* Reads and samples interpolators. Keys are checked once, so sampling needs no checks. */
#include "hanim_track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/array.h"

static int refuse(const struct jc_scene_node *node, int error, const char *what,
	struct jc_diagnostic *diagnostic)
{
	char where[64];

	snprintf(where, sizeof(where), "line %u", node->line);
	return jc_diagnose(diagnostic, error, where, "%s '%s' %s", node->type, node->def, what);
}

void jc_hanim_track_finish(struct jc_hanim_track *track)
{
	free(track->keys);
	free(track->rotations);
	free(track->translations);
}

void jc_hanim_tracks_finish(struct jc_hanim_tracks *tracks)
{
	for (size_t i = 0; i < tracks->count; i++) {
		jc_hanim_track_finish(&tracks->items[i]);
	}
	free(tracks->items);
}

int jc_hanim_tracks_add(struct jc_hanim_tracks *tracks, int joint, enum jc_hanim_path path,
	size_t key_count, struct jc_hanim_track **out_track, struct jc_diagnostic *diagnostic)
{
	struct jc_hanim_track track = { .joint = joint, .path = path, .key_count = key_count };
	size_t values = key_count * 5;

	if (values > JC_LIMIT_MOTION_VALUES - tracks->value_count) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
			"the keys of the motion have more than %u numbers", JC_LIMIT_MOTION_VALUES);
	}
	track.keys = calloc(key_count, sizeof(*track.keys));
	if (path == JC_HANIM_ROTATION) {
		track.rotations = calloc(key_count, sizeof(*track.rotations));
	} else {
		track.translations = calloc(key_count, sizeof(*track.translations));
	}
	if (!track.keys || (!track.rotations && !track.translations) ||
		!jc_array_grow(&tracks->items, &tracks->capacity, tracks->count + 1, SIZE_MAX,
			sizeof(track))) {
		jc_hanim_track_finish(&track);
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	tracks->value_count += values;
	tracks->items[tracks->count] = track;
	*out_track = &tracks->items[tracks->count++];
	return JC_OK;
}

struct jc_quat jc_hanim_track_axis_angle(const double v[4])
{
	double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
	double x, y, z, sine;

	if (!(largest > 0.0)) {
		return JC_QUAT_IDENTITY;
	}
	x = v[0] / largest;
	y = v[1] / largest;
	z = v[2] / largest;
	sine = sin(v[3] / 2.0) / sqrt(x * x + y * y + z * z);
	return (struct jc_quat){ (float)(x * sine), (float)(y * sine), (float)(z * sine),
		(float)cos(v[3] / 2.0) };
}

static int fill(struct jc_hanim_track *track, const struct jc_scene_node *interpolator,
	const double *keys, const double *values, struct jc_diagnostic *diagnostic)
{
	const double largest_key = 1e6;

	for (size_t i = 0; i < track->key_count; i++) {
		if (fabs(keys[i]) > largest_key) {
			return refuse(interpolator, JC_ERROR_INVALID, "has a key beyond 1000000",
				diagnostic);
		}
		track->keys[i] = (float)keys[i];
		if (i > 0 && keys[i] < keys[i - 1]) {
			return refuse(interpolator, JC_ERROR_INVALID,
				"has keys that are not in ascending order", diagnostic);
		}
	}
	for (size_t i = 0; track->rotations && i < track->key_count; i++) {
		track->rotations[i] = jc_hanim_track_axis_angle(values + i * 4);
	}
	for (size_t i = 0; track->translations && i < track->key_count * 3; i++) {
		if (fabs(values[i]) > (double)JC_LIMIT_COORDINATE) {
			return refuse(interpolator, JC_ERROR_INVALID,
				"has a value that is too large", diagnostic);
		}
	}
	for (size_t i = 0; track->translations && i < track->key_count; i++) {
		const double *v = values + i * 3;

		track->translations[i] = (struct jc_vec3){ (float)v[0], (float)v[1], (float)v[2] };
	}
	return JC_OK;
}

int jc_hanim_tracks_add_interpolator(struct jc_hanim_tracks *tracks, int joint,
	enum jc_hanim_path path, const struct jc_scene_node *interpolator,
	struct jc_diagnostic *diagnostic)
{
	size_t size = path == JC_HANIM_ROTATION ? 4 : 3;
	const struct jc_scene_field *keys = jc_scene_field(interpolator, "key");
	const struct jc_scene_field *values = jc_scene_field(interpolator, "keyValue");
	size_t key_count = keys ? keys->number_count : 0;
	size_t value_count = values ? values->number_count : 0;
	struct jc_hanim_track *track;
	char what[96];
	int error;

	if (key_count == 0 && value_count == 0) {
		return JC_OK;
	}
	if (key_count == 0 || value_count != key_count * size) {
		snprintf(what, sizeof(what), "has %zu key values for %zu keys; %zu are needed",
			value_count, key_count, key_count * size);
		return refuse(interpolator, JC_ERROR_INVALID, what, diagnostic);
	}
	error = jc_hanim_tracks_add(tracks, joint, path, key_count, &track, diagnostic);
	if (error) {
		return error;
	}
	error = fill(track, interpolator, keys->numbers, values->numbers, diagnostic);
	if (error) {
		jc_hanim_track_finish(track);
		tracks->count--;
		tracks->value_count -= key_count * 5;
	}
	return error;
}

/* The last key at or before the fraction, or the first key. */
static size_t find_key(const struct jc_hanim_track *track, double fraction)
{
	size_t low = 0, high = track->key_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if ((double)track->keys[middle] <= fraction) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

void jc_hanim_track_sample(
	const struct jc_hanim_track *track, double fraction, struct jc_transform *out_fields)
{
	size_t key = find_key(track, fraction);
	size_t next = key;
	float t = 0.0f;

	if (key + 1 < track->key_count && fraction > (double)track->keys[key]) {
		double from = (double)track->keys[key];

		next = key + 1;
		t = (float)((fraction - from) / ((double)track->keys[next] - from));
	}
	if (track->path == JC_HANIM_ROTATION) {
		out_fields->rotation =
			jc_quat_slerp(track->rotations[key], track->rotations[next], t);
	} else {
		out_fields->translation =
			jc_vec3_lerp(track->translations[key], track->translations[next], t);
	}
}
