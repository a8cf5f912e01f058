/* Reads bodies from the JSON of a roster. */
#include "reader.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"

static int read_recorded(const json_t *object, const struct jc_json_place *place,
	struct jc_recorded_body *body, struct jc_diagnostic *diagnostic)
{
	const char *recorded = "";
	const char *kind = "poses";
	const char *profile = "webxr-spec";
	int found;
	int error = jc_json_read_string(object, "recorded", place, &recorded, diagnostic);

	error = error ? error : jc_json_read_string(object, "kind", place, &kind, diagnostic);
	error = error ? error : jc_json_read_string(object, "profile", place, &profile, diagnostic);
	if (error) {
		return error;
	}
	body->recorded = strcmp(recorded, "raw") == 0         ? JC_RECORDED_RAW
			 : strcmp(recorded, "anonymous") == 0 ? JC_RECORDED_ANONYMOUS
							      : JC_RECORDED_NOTHING;
	body->kind = strcmp(kind, "body-frames") == 0 ? JC_CAPTURE_BODY_FRAME : JC_CAPTURE_POSE;
	found = jc_profile_find(profile);
	if (found < 0) {
		return jc_json_refuse(
			diagnostic, JC_ERROR_INVALID, place, "no profile '%.40s'", profile);
	}
	body->profile = (enum jc_profile)found;
	return JC_OK;
}

/* Reads how captures were processed when the body was live. */
static int read_way(const json_t *object, const struct jc_json_place *place,
	struct jc_recorded_body *body, struct jc_diagnostic *diagnostic)
{
	const json_t *smooth = NULL;
	struct jc_json_place at = { place, "smooth", 0 };
	int error = jc_json_read_object(object, "smooth", place, &smooth, diagnostic);

	if (!error && smooth) {
		error = jc_json_read_float(
			smooth, "minCutoff", &at, &body->smooth.min_cutoff, diagnostic);
		error = error ? error
			      : jc_json_read_float(
					smooth, "beta", &at, &body->smooth.beta, diagnostic);
	}
	if (!error && !(body->smooth.min_cutoff >= 0.0f && body->smooth.beta >= 0.0f)) {
		error = jc_json_refuse(diagnostic, JC_ERROR_INVALID, &at, "below 0");
	}
	error = error ? error
		      : jc_json_read_bool(object, "direct", place, &body->is_direct, diagnostic);
	return error ? error
		     : jc_json_read_object(
			       object, "calibration", place, &body->calibration, diagnostic);
}

static int read_placement(const json_t *object, const struct jc_json_place *place,
	struct jc_recorded_body *body, struct jc_diagnostic *diagnostic)
{
	const json_t *placement = NULL;
	const json_t *seat = NULL;
	struct jc_json_place at = { place, "placement", 0 };
	float position[3] = { 0.0f, 0.0f, 0.0f };
	int error = jc_json_read_object(object, "placement", place, &placement, diagnostic);

	if (!error && placement) {
		error = jc_json_read_floats(placement, "position", &at, 3, position, diagnostic);
		error = error ? error
			      : jc_json_read_float(
					placement, "yaw", &at, &body->placement.yaw, diagnostic);
		body->placement.position =
			(struct jc_vec3){ position[0], position[1], position[2] };
	}
	error = error ? error : jc_json_read_object(object, "seat", place, &seat, diagnostic);
	if (!error && seat) {
		error = jc_json_read_float(seat, "height", &at, &body->seat_height, diagnostic);
	}
	return error;
}

static int read_channels(const json_t *object, const struct jc_json_place *place,
	struct jc_recorded_body *body, const char ***out_channels, struct jc_diagnostic *diagnostic)
{
	const json_t *names = NULL;
	int error = jc_json_read_array(
		object, "channels", place, JC_LIMIT_MOTION_CHANNELS, &names, diagnostic);
	size_t count = json_array_size(names);
	const char **channels;

	if (error || count == 0) {
		return error;
	}
	channels = calloc(count, sizeof(*channels));
	if (!channels) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < count; i++) {
		channels[i] = json_string_value(json_array_get(names, i));
		if (!channels[i]) {
			free(channels);
			return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place,
				"a channel name that is not text");
		}
	}
	body->channel_count = count;
	body->channels = channels;
	*out_channels = channels;
	return JC_OK;
}

int jc_recorded_body_parse(const json_t *object, const struct jc_json_place *place,
	struct jc_recorded_body *body, const char ***out_channels, struct jc_diagnostic *diagnostic)
{
	long long id = 0;
	int error = jc_json_read_integer(object, "id", place, 0, UINT32_MAX, &id, diagnostic);

	*out_channels = NULL;
	*body = (struct jc_recorded_body){
		.id = (uint32_t)id, .name = "", .display = "", .skeleton = ""
	};
	error = error ? error : jc_json_read_string(object, "name", place, &body->name, diagnostic);
	error = error ? error
		      : jc_json_read_string(object, "display", place, &body->display, diagnostic);
	error = error ? error : jc_json_read_object(object, "meta", place, &body->meta, diagnostic);
	error = error ? error
		      : jc_json_read_string(object, "skeleton", place, &body->skeleton, diagnostic);
	error = error ? error
		      : jc_json_read_float(object, "height", place, &body->height, diagnostic);
	error = error ? error : read_recorded(object, place, body, diagnostic);
	error = error ? error : read_way(object, place, body, diagnostic);
	error = error ? error : read_placement(object, place, body, diagnostic);
	return error ? error : read_channels(object, place, body, out_channels, diagnostic);
}
