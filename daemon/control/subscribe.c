/* Messages of subscribers. A message is read whole before any of it takes effect. */
#include "control/subscribe.h"
#include "control/messages.h"

#include <math.h>
#include <string.h>

#include "auth/token.h"
#include "control/admission.h"
#include "control/client.h"
#include "control/join.h"
#include "control/named_space.h"
#include "control/reply.h"
#include "control/skeletons.h"
#include "jointcast/transform.h"
#include "net/session.h"
#include "space/spaces.h"

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

static const char *read_priority(
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

static const char *read_viewpoints(const json_t *message,
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
		wrong = read_viewpoints(message, options->viewpoints, &options->viewpoint_count);
	}
	if (!wrong) {
		wrong = read_priority(message, options->favoured, &options->favoured_count);
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

static const char *read_options(
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

void jc_control_subscribe(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_named_space_joined_view(client, message, "subscribe");
	struct jc_view_options options;

	(void)now_ns;
	if (!view) {
		return;
	}
	const char *wrong = read_options(client, message, &options);

	if (wrong) {
		jc_reply_error(client, "bad-field", wrong, "subscribe");
		return;
	}
	const struct jc_space *space = view->fanout->space;

	/* What is put on instead, past the cap, the client puts on this by itself. */
	if (options.asset) {
		jc_join_send_skeleton(client, options.asset);
	}
	for (size_t i = 0; !options.asset && i < jc_space_body_count(space); i++) {
		jc_join_send_skeleton(client, jc_space_body(space, i)->asset);
	}
	if (!client->session->close_code &&
		jc_view_subscribe(view, &options, client->credit) != JC_OK) {
		jc_reply_error(client, "too-many", "out of memory", "subscribe");
	}
}

void jc_control_viewpoint(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_named_space_joined_view(client, message, "viewpoint");
	struct jc_viewpoint viewpoints[JC_MAX_VIEWPOINTS];
	uint32_t favoured[JC_MAX_NAMED_BODIES];
	size_t count, favoured_count;

	if (!view) {
		return;
	}
	const char *wrong = json_object_get(message, "viewpoints")
				    ? read_viewpoints(message, viewpoints, &count)
				    : "viewpoints are a list, which may be empty";

	if (!wrong) {
		wrong = read_priority(message, favoured, &favoured_count);
	}
	if (wrong) {
		jc_reply_error(client, "bad-field", wrong, "viewpoint");
		return;
	}
	(void)now_ns;
	if (!client->chains) {
		return;
	}
	int status = jc_view_look(view, viewpoints, count);

	if (status == JC_OK && json_object_get(message, "priority")) {
		status = jc_view_favour(view, favoured, favoured_count);
	}
	if (status != JC_OK) {
		jc_reply_error(client, "too-many", "out of memory", "viewpoint");
	}
}

void jc_control_ignore(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_named_space_joined_view(client, message, "ignore");
	const json_t *id = json_object_get(message, "body");
	const json_t *ignore = json_object_get(message, "ignore");

	(void)now_ns;
	if (!view || !jc_admission_allows(client, JC_ROLE_WATCH,
			     jc_space_options(view->fanout->space)->name, "ignore")) {
		return;
	}
	if (!json_is_integer(id) || (ignore && !json_is_boolean(ignore))) {
		jc_reply_error(client, "bad-field", "body is an id, ignore a boolean", "ignore");
		return;
	}
	const struct jc_body *body = jc_space_find(view->fanout->space, json_integer_value(id));

	if (!body) {
		jc_reply_error(client, "unknown-body", "no body of that id", "ignore");
		return;
	}
	switch (jc_fanout_ignore(view->fanout, &client->subscriber, body, !json_is_false(ignore))) {
	case JC_OK:
		return;
	case JC_ERROR_INVALID:
		jc_reply_error(client, "unsupported",
			"nobody else publishes it: leave it out of what you subscribe to",
			"ignore");
		return;
	default:
		jc_reply_error(client, "too-many", "too many are ignored", "ignore");
	}
}

void jc_subscribe_forget_ignored(struct jc_client *client)
{
	struct jc_spaces *spaces = client->services->spaces;

	for (size_t i = 0; client->subscriber.ignoring > 0 && i < spaces->count; i++) {
		jc_fanout_forget(spaces->fanouts[i], &client->subscriber);
	}
}

void jc_subscribe_show(struct jc_client *client, const struct jc_view *view,
	const struct jc_shown *shown, size_t count)
{
	const char *space = jc_space_options(view->fanout->space)->name;
	json_t *bodies = json_array();

	for (size_t i = 0; i < count; i++) {
		if (shown[i].asset) {
			jc_join_send_skeleton(client, shown[i].asset);
		}
		json_array_append_new(
			bodies, json_pack("{sI ss?}", "id", (json_int_t)shown[i].body, "skeleton",
					shown[i].asset ? shown[i].asset->hash : NULL));
	}
	jc_reply_send(
		client, json_pack("{ss ss so}", "type", "worn", "space", space, "bodies", bodies));
}

void jc_control_unsubscribe(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_named_space_joined_view(client, message, "unsubscribe");

	(void)now_ns;
	if (view) {
		jc_view_unsubscribe(view);
	}
}

void jc_control_keyframe(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_named_space_joined_view(client, message, "keyframe");

	(void)now_ns;
	if (view) {
		jc_view_ask_keyframe(view);
	}
}

void jc_control_ack(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	const json_t *tick = json_object_get(message, "tick");
	struct jc_view *view = jc_named_space_joined_view(client, message, "ack");

	if (!view) {
		return;
	}
	json_int_t value = json_is_integer(tick) ? json_integer_value(tick) : -1;

	if (value < 0 || value > UINT32_MAX ||
		!jc_view_acknowledge(view, (uint32_t)value, now_ns)) {
		jc_reply_error(client, "bad-field", "tick is one that was sent", "ack");
	}
}
