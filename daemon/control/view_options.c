/* What is wrong with a wish is found before any of it counts. */
#include "control/view_options.h"

#include <math.h>
#include <string.h>

#include "control/client.h"
#include "control/skeletons.h"
#include "jointcast/transform.h"

#define FULL_TURN    6.2832f
#define DEFAULT_VIEW 1.7453293f /* radians: a wide lens, corner to corner */

/* "sections": a list of names, each once at most. 0 when it is none. */
static unsigned find_sections(const json_t *sections)
{
	static const struct {
		const char *name;
		unsigned bit;
	} known[] = {
		{ "body", JC_STREAM_SECTION(JC_SECTION_BODY) },
		{ "face", JC_STREAM_SECTION(JC_SECTION_FACE) },
		{ "hands", JC_STREAM_SECTION(JC_SECTION_HANDS) },
		{ "hips", JC_STREAM_SECTION(JC_SECTION_HIPS) },
		{ "channels", JC_STREAM_SECTION(JC_SECTION_CHANNELS) },
		{ "virtual", JC_STREAM_SECTION(JC_SECTION_VIRTUALS) },
	};
	unsigned found = 0;

	for (size_t i = 0; i < json_array_size(sections); i++) {
		const char *name = json_string_value(json_array_get(sections, i));
		unsigned bit = 0;

		for (size_t k = 0; name && k < sizeof(known) / sizeof(known[0]); k++) {
			bit |= strcmp(name, known[k].name) == 0 ? known[k].bit : 0;
		}
		if (bit == 0 || found & bit) {
			return 0;
		}
		found |= bit;
	}
	return found;
}

static const char *read_spec(const json_t *message, struct jc_stream_spec *out_spec)
{
	const json_t *precision = json_object_get(message, "precision");
	const json_t *rate = json_object_get(message, "rate");
	const json_t *sections = json_object_get(message, "sections");
	const char *name = json_string_value(precision);
	int found = precision ? (name ? jc_precision_find(name) : -1) : JC_PRECISION_STANDARD;
	json_int_t every = rate ? json_integer_value(rate) : 1;

	if (found < 0) {
		return "precision is fine, standard or coarse";
	}
	if (every != 1 && every != 2 && every != 4) {
		return "rate is 1, 2 or 4";
	}
	*out_spec = (struct jc_stream_spec){ .chains = true,
		.precision = (enum jc_precision)found,
		.rate = (uint32_t)every,
		.sections = sections ? find_sections(sections) : JC_STREAM_ALL };
	return out_spec->sections
		       ? NULL
		       : "sections are some of body, face, hands, hips, channels and virtual";
}

/* False where it is not a short list of ids; none has none in it. */
static bool read_ids(const json_t *list, uint32_t out_ids[JC_MAX_NAMED_BODIES], size_t *out_count)
{
	size_t count = json_array_size(list);

	if ((list && !json_is_array(list)) || count > JC_MAX_NAMED_BODIES) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		const json_t *id = json_array_get(list, i);
		json_int_t value = json_is_integer(id) ? json_integer_value(id) : -1;

		if (value < 0 || value > UINT32_MAX) {
			return false;
		}
		out_ids[i] = (uint32_t)value;
	}
	*out_count = count;
	return true;
}

const char *jc_view_options_read_priority(
	const json_t *message, uint32_t out_bodies[JC_MAX_NAMED_BODIES], size_t *out_count)
{
	return read_ids(json_object_get(message, "priority"), out_bodies, out_count)
		       ? NULL
		       : "priority is a list of at most 64 ids";
}

static bool read_number(const json_t *value, float *out_number)
{
	double number = json_number_value(value);

	if (!json_is_number(value) || !(fabs(number) <= (double)JC_LIMIT_COORDINATE)) {
		return false;
	}
	*out_number = (float)number;
	return true;
}

static bool read_vector(const json_t *list, struct jc_vec3 *out_vector)
{
	return json_array_size(list) == 3 && read_number(json_array_get(list, 0), &out_vector->x) &&
	       read_number(json_array_get(list, 1), &out_vector->y) &&
	       read_number(json_array_get(list, 2), &out_vector->z);
}

/* Without a direction it looks all around. */
static const char *read_viewpoint(const json_t *value, struct jc_viewpoint *out_viewpoint)
{
	const json_t *yaw = json_object_get(value, "yaw");
	const json_t *direction = json_object_get(value, "direction");
	const json_t *fov = json_object_get(value, "fov");
	struct jc_viewpoint viewpoint = { .half_angle = DEFAULT_VIEW / 2.0f };
	float angle;

	if (!read_vector(json_object_get(value, "position"), &viewpoint.position)) {
		return "viewpoints have a position of three numbers";
	}
	if (yaw) {
		if (!read_number(yaw, &angle)) {
			return "yaw is a number";
		}
		viewpoint.direction = (struct jc_vec3){ sinf(angle), 0.0f, cosf(angle) };
	} else if (direction) {
		if (!read_vector(direction, &viewpoint.direction) ||
			jc_vec3_length(viewpoint.direction) < 1e-6f) {
			return "direction is three numbers, not all zero";
		}
		viewpoint.direction = jc_vec3_normalize(viewpoint.direction);
	}
	if (fov) {
		if (!read_number(fov, &angle) || angle <= 0.0f || angle > FULL_TURN) {
			return "fov is more than zero and at most a full turn";
		}
		viewpoint.half_angle = angle / 2.0f;
	}
	*out_viewpoint = viewpoint;
	return NULL;
}

const char *jc_view_options_read_viewpoints(const json_t *message,
	struct jc_viewpoint out_viewpoints[JC_MAX_VIEWPOINTS], size_t *out_count)
{
	const json_t *list = json_object_get(message, "viewpoints");
	size_t count = json_array_size(list);

	if ((list && !json_is_array(list)) || count > JC_MAX_VIEWPOINTS) {
		return "viewpoints are at most four";
	}
	for (size_t i = 0; i < count; i++) {
		const char *wrong = read_viewpoint(json_array_get(list, i), &out_viewpoints[i]);

		if (wrong) {
			return wrong;
		}
	}
	*out_count = count;
	return NULL;
}

/* "own", "humanoid" or the hash of one that there is. */
static const char *read_skeleton(
	struct jc_client *client, const json_t *skeleton, struct jc_skeleton_asset **out_asset)
{
	const char *name = json_string_value(skeleton);

	if (skeleton && !name) {
		return "skeleton is own, humanoid or a hash";
	}
	if (!name || strcmp(name, "own") == 0) {
		return NULL;
	}
	*out_asset = jc_skeletons_find(client, strcmp(name, "humanoid") == 0 ? NULL : name);
	return *out_asset ? NULL : "no skeleton of that hash";
}

/* Coding 1 has one level of detail. */
static const char *read_detail(const json_t *message, struct jc_view_options *options)
{
	const json_t *budget = json_object_get(message, "budget");
	json_int_t bytes = json_is_integer(budget) ? json_integer_value(budget) : 0;
	const char *wrong = read_spec(message, &options->spec);

	if (!wrong) {
		wrong = jc_view_options_read_viewpoints(
			message, options->viewpoints, &options->viewpoint_count);
	}
	if (!wrong) {
		wrong = jc_view_options_read_priority(
			message, options->favoured, &options->favoured_count);
	}
	if (wrong) {
		return wrong;
	}
	if (budget && (bytes <= 0 || bytes > UINT32_MAX)) {
		return "budget is a number of bytes a second";
	}
	options->budget = (uint32_t)bytes;
	return NULL;
}

const char *jc_view_options_read(
	struct jc_client *client, const json_t *message, struct jc_view_options *out_options)
{
	const json_t *bodies = json_object_get(message, "bodies");
	const json_t *ignored = json_object_get(message, "ignore");
	struct jc_view_options *options = out_options;
	const char *wrong;

	*options = (struct jc_view_options){ .is_some = bodies != NULL };
	if (!read_ids(bodies, options->bodies, &options->body_count) ||
		!read_ids(ignored, options->ignored, &options->ignored_count)) {
		return "bodies and ignore are lists of at most 64 ids";
	}
	wrong = read_detail(message, options);
	if (!wrong) {
		wrong = read_skeleton(
			client, json_object_get(message, "skeleton"), &options->asset);
	}
	if (!wrong && !client->chains) {
		options->spec = (struct jc_stream_spec){ .rate = 1 };
		options->viewpoint_count = 0;
		options->favoured_count = 0;
		options->budget = 0;
	}
	return wrong;
}
