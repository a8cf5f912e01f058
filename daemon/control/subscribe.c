/* Messages `subscribe`, `unsubscribe`, `viewpoint`, `ignore`, `keyframe` and `ack`. A
 * message is read whole before any of it takes effect. */
#include "control/subscribe.h"
#include "control/messages.h"

#include <math.h>
#include <string.h>

#include "auth/token.h"
#include "control/admission.h"
#include "control/client.h"
#include "control/fields.h"
#include "control/join.h"
#include "control/named_space.h"
#include "control/reply.h"
#include "control/skeletons.h"
#include "jointcast/transform.h"
#include "jointcast_private/json.h"
#include "net/session.h"
#include "space/spaces.h"

#define FULL_TURN    6.2832
#define DEFAULT_VIEW 1.7453293f /* radians: a wide lens, corner to corner */

/* "sections": a list of names, each once at most. */
static void read_sections(struct jc_fields *fields, struct jc_stream_spec *spec)
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
	const json_t *sections = NULL;
	unsigned found = 0;

	spec->sections = JC_STREAM_ALL;
	if (!jc_fields_array(fields, "sections", sizeof(known) / sizeof(known[0]), &sections)) {
		return;
	}
	for (size_t i = 0; i < json_array_size(sections); i++) {
		const char *name = json_string_value(json_array_get(sections, i));
		unsigned bit = 0;

		for (size_t k = 0; name && k < sizeof(known) / sizeof(known[0]); k++) {
			bit |= strcmp(name, known[k].name) == 0 ? known[k].bit : 0;
		}
		if (bit == 0 || found & bit) {
			found = 0;
			break;
		}
		found |= bit;
	}
	if (found == 0) {
		jc_fields_fail(fields, "sections must be some of body, face, hands, hips, channels "
				       "and virtual, each once");
	}
	spec->sections = found;
}

/* "virtual": indices and tags of virtual transforms. Also requests their section. */
static void read_virtuals(struct jc_fields *fields, struct jc_stream_spec *spec)
{
	const json_t *list = NULL;
	struct jc_virtual_choice *choice = &spec->virtuals;

	if (!jc_fields_array(fields, "virtual", JC_LIMIT_STREAM_VIRTUALS, &list)) {
		return;
	}
	bool is_right = json_array_size(list) > 0;

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *value = json_array_get(list, i);
		long long index;

		if (json_is_string(value)) {
			is_right = is_right &&
				   jc_virtual_choice_add_tag(choice, json_string_value(value));
		} else if (jc_json_is_integer(value, &index) && index >= 0 &&
			   index < JC_LIMIT_VIRTUAL_TRANSFORMS) {
			choice->indices[index / 8] |= (uint8_t)(1 << index % 8);
		} else {
			is_right = false;
		}
	}
	if (!is_right) {
		jc_fields_fail(fields, "virtual must be 1 to 15 indices from 0 to 255 and tags, "
				       "the tags of 255 bytes together");
	}
	choice->is_some = true;
	spec->sections |= JC_STREAM_SECTION(JC_SECTION_VIRTUALS);
}

static void read_spec(struct jc_fields *fields, struct jc_stream_spec *spec)
{
	const char *name = NULL;
	int precision = JC_PRECISION_STANDARD;
	bool is_local = false;
	int64_t rate = 1;

	if (jc_fields_text(fields, "precision", 0, JC_MAX_MESSAGE_BYTES, &name)) {
		is_local = strcmp(name, "local") == 0;
		precision = is_local ? (int)JC_PRECISION_FINE : jc_precision_find(name);
	}
	if (precision < 0) {
		jc_fields_fail(fields, "precision must be fine, standard, coarse or local");
	}
	jc_fields_integer(fields, "rate", 1, 4, &rate);
	if (rate == 3) {
		jc_fields_fail(fields, "rate must be 1, 2 or 4");
	}
	*spec = (struct jc_stream_spec){
		.chains = true, .model = !is_local, .rate = (uint32_t)rate
	};
	if (!fields->wrong[0]) {
		spec->precision = (enum jc_precision)precision;
	}
	read_sections(fields, spec);
	read_virtuals(fields, spec);
}

/* Without a direction the whole surroundings are visible. */
static void read_viewpoint(struct jc_fields *fields, struct jc_viewpoint *viewpoint)
{
	double yaw, fov = (double)DEFAULT_VIEW;

	*viewpoint = (struct jc_viewpoint){ 0 };
	jc_fields_require(fields, "position");
	jc_fields_vector(fields, "position", (double)JC_LIMIT_COORDINATE, &viewpoint->position);
	if (jc_fields_number(fields, "yaw", -(double)JC_LIMIT_COORDINATE,
		    (double)JC_LIMIT_COORDINATE, &yaw)) {
		viewpoint->direction = (struct jc_vec3){ sinf((float)yaw), 0.0f, cosf((float)yaw) };
	} else if (jc_fields_vector(fields, "direction", (double)JC_LIMIT_COORDINATE,
			   &viewpoint->direction)) {
		if (jc_vec3_length(viewpoint->direction) < 1e-6f) {
			jc_fields_fail(fields, "direction must not be zero");
		} else {
			viewpoint->direction = jc_vec3_normalize(viewpoint->direction);
		}
	}
	if (jc_fields_number(fields, "fov", 0.0, FULL_TURN, &fov) && !((float)fov > 0.0f)) {
		jc_fields_fail(fields, "fov must be more than zero");
	}
	viewpoint->half_angle = (float)fov / 2.0f;
}

static void read_viewpoints(
	struct jc_fields *fields, struct jc_viewpoint viewpoints[JC_MAX_VIEWPOINTS], size_t *count)
{
	const json_t *list = NULL;

	jc_fields_array(fields, "viewpoints", JC_MAX_VIEWPOINTS, &list);
	*count = json_array_size(list);
	for (size_t i = 0; i < *count; i++) {
		struct jc_fields inner = jc_fields_of(json_array_get(list, i));

		read_viewpoint(&inner, &viewpoints[i]);
		jc_fields_fail(fields, inner.wrong[0] ? inner.wrong : NULL);
	}
}

/* "own", "humanoid" or the hash of a registered skeleton: that is the name then. */
static const char *read_skeleton(struct jc_fields *fields)
{
	const char *name = json_string_value(json_object_get(fields->object, "skeleton"));

	if (name && (strcmp(name, "own") == 0 || strcmp(name, "humanoid") == 0)) {
		return name;
	}
	name = "own";
	jc_fields_hash(fields, "skeleton", &name);
	return name;
}

/* Whether the client may use the skeleton of that name; else it got an error. */
static bool find_skeleton(
	struct jc_client *client, const char *name, struct jc_skeleton_asset **out_asset)
{
	if (strcmp(name, "own") == 0) {
		return true;
	}
	*out_asset = jc_skeletons_find(client, strcmp(name, "humanoid") == 0 ? NULL : name);
	if (!*out_asset) {
		jc_reply_error(client, "unknown-skeleton", "no skeleton of that hash", "subscribe");
	}
	return *out_asset;
}

/* Kept unless the client or the space switches it off: not with precision "local", for clients that
 * put bodies on other skeletons. */
static bool read_contacts(struct jc_fields *fields, const struct jc_view *view)
{
	const char *precision = json_string_value(json_object_get(fields->object, "precision"));
	bool contacts =
		view->fanout->policy.contacts && (!precision || strcmp(precision, "local") != 0);

	jc_fields_flag(fields, "contacts", &contacts);
	return contacts;
}

/* All but the skeleton. */
static void read_options(const struct jc_client *client, const struct jc_view *view,
	struct jc_fields *fields, struct jc_view_options *options)
{
	bool contacts = read_contacts(fields, view);
	int64_t budget = 0, ticks = 1;

	*options = (struct jc_view_options){ 0 };
	options->is_some = jc_fields_ids(fields, "bodies", options->bodies, &options->body_count);
	jc_fields_ids(fields, "ignore", options->ignored, &options->ignored_count);
	read_spec(fields, &options->spec);
	options->spec.model &= client->model_chains;
	read_viewpoints(fields, options->viewpoints, &options->viewpoint_count);
	jc_fields_ids(fields, "priority", options->favoured, &options->favoured_count);
	jc_fields_integer(fields, "budget", 1, UINT32_MAX, &budget);
	options->budget = (uint32_t)budget;
	jc_fields_integer(fields, "ticks", 1, 2, &ticks);
	options->is_paired = ticks == 2;
	/* Coding 1 has one level of detail. */
	if (!client->chains) {
		options->spec = (struct jc_stream_spec){ .rate = 1 };
		options->viewpoint_count = 0;
		options->favoured_count = 0;
		options->budget = 0;
	}
	options->spec.contacts = contacts;
}

static json_t *pack_choice(const struct jc_virtual_choice *choice)
{
	const char *end = choice->tags + sizeof(choice->tags);
	json_t *list;

	if (!choice->is_some) {
		return NULL;
	}
	list = json_array();
	for (unsigned i = 0; i < JC_LIMIT_VIRTUAL_TRANSFORMS; i++) {
		if (choice->indices[i / 8] >> i % 8 & 1) {
			json_array_append_new(list, json_integer(i));
		}
	}
	for (const char *tag = choice->tags; tag < end && *tag; tag += strlen(tag) + 1) {
		json_array_append_new(list, json_string(tag));
	}
	return list;
}

/* How long the first tick of a message with two waits for the second one, in microseconds. */
static json_t *pack_delay(const struct jc_view *view, const struct jc_stream_spec *spec)
{
	uint32_t hz = jc_space_options(view->fanout->space)->hz;

	return json_integer((json_int_t)((spec->rate * UINT64_C(1000000) + hz / 2) / hz));
}

static json_t *pack_subscribed(const struct jc_view *view, const struct jc_stream_spec *spec)
{
	bool is_paired = jc_view_is_paired(view);

	return json_pack("{ss ss ss so* so* so* so*}", "type", "subscribed", "space",
		jc_space_options(view->fanout->space)->name, "precision",
		jc_precision_name(spec->precision), "contacts", spec->contacts ? json_true() : NULL,
		"virtual", pack_choice(&spec->virtuals), "ticks",
		is_paired ? json_integer(2) : NULL, "delay",
		is_paired ? pack_delay(view, spec) : NULL);
}

/* Sends `subscribed` if the subscription deviates from the request, or no longer does: a
 * chosen list of virtual transforms counts, because the client must know when it begins.
 * is_answer: the message that is being handled waits for it. */
static void report(struct jc_client *client, struct jc_view *view, bool is_answer)
{
	struct jc_stream_spec spec;

	if (!jc_view_spec(view, &spec)) {
		return;
	}
	bool deviates = spec.precision != view->requested || spec.virtuals.is_some ||
			jc_view_is_paired(view);

	if (is_answer) {
		jc_reply_answer(client, pack_subscribed(view, &spec));
	} else if (deviates || view->is_reported_limited) {
		jc_reply_send(client, pack_subscribed(view, &spec));
	}
	view->is_reported_limited = deviates;
}

void jc_subscribe_limit(struct jc_client *client, struct jc_view *view)
{
	const char *space = jc_space_options(view->fanout->space)->name;
	enum jc_precision finest = jc_admission_precision(client, space);

	if (finest == view->finest) {
		return;
	}
	if (jc_view_limit(view, finest) != JC_OK) {
		jc_reply_error(client, "too-many", "out of memory", "subscribe");
	}
	report(client, view, false);
}

void jc_control_subscribe(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_named_space_joined_view(client, message, "subscribe");
	struct jc_fields fields = jc_fields_of(message);
	struct jc_view_options options;

	(void)now_ns;
	if (!view) {
		return;
	}
	read_options(client, view, &fields, &options);
	const char *skeleton = read_skeleton(&fields);

	if (jc_fields_refuse(&fields, client, "subscribe") ||
		!find_skeleton(client, skeleton, &options.asset)) {
		return;
	}
	const struct jc_space *space = view->fanout->space;

	/* Above the limit of streams the client gets `humanoid` and applies this skeleton
	 * itself. */
	if (options.asset) {
		jc_join_send_skeleton(client, options.asset);
	}
	for (size_t i = 0; !options.asset && i < jc_space_body_count(space); i++) {
		jc_join_send_skeleton(client, jc_space_body(space, i)->asset);
	}
	if (client->session->close_code) {
		return;
	}
	jc_subscribe_limit(client, view);
	if (jc_view_subscribe(view, &options, client->credit) != JC_OK) {
		jc_reply_error(client, "too-many", "out of memory", "subscribe");
		return;
	}
	report(client, view, client->request.kind != JC_REQUEST_TAG_NONE);
}

void jc_control_viewpoint(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_named_space_joined_view(client, message, "viewpoint");
	struct jc_fields fields = jc_fields_of(message);
	struct jc_viewpoint viewpoints[JC_MAX_VIEWPOINTS];
	uint32_t favoured[JC_MAX_NAMED_BODIES];
	size_t count, favoured_count = 0;

	if (!view) {
		return;
	}
	jc_fields_require(&fields, "viewpoints");
	read_viewpoints(&fields, viewpoints, &count);
	bool has_priority = jc_fields_ids(&fields, "priority", favoured, &favoured_count);

	if (jc_fields_refuse(&fields, client, "viewpoint")) {
		return;
	}
	(void)now_ns;
	if (!client->chains) {
		return;
	}
	int status = jc_view_look(view, viewpoints, count);

	if (status == JC_OK && has_priority) {
		status = jc_view_favour(view, favoured, favoured_count);
	}
	if (status != JC_OK) {
		jc_reply_error(client, "too-many", "out of memory", "viewpoint");
	}
}

void jc_control_ignore(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_named_space_joined_view(client, message, "ignore");
	struct jc_fields fields = jc_fields_of(message);
	bool ignores = true;
	int64_t id = 0;

	(void)now_ns;
	if (!view || !jc_admission_allows(client, JC_ROLE_WATCH,
			     jc_space_options(view->fanout->space)->name, "ignore")) {
		return;
	}
	jc_fields_body(&fields, &id);
	jc_fields_flag(&fields, "ignore", &ignores);
	if (jc_fields_refuse(&fields, client, "ignore")) {
		return;
	}
	const struct jc_body *body = jc_space_find(view->fanout->space, id);

	if (!body) {
		jc_reply_error(client, "unknown-body", "no body of that id", "ignore");
		return;
	}
	switch (jc_fanout_ignore(view->fanout, &client->subscriber, body, ignores)) {
	case JC_OK:
		return;
	case JC_ERROR_INVALID:
		jc_reply_error(client, "unsupported",
			"no other client publishes this body: leave it out of your subscription",
			"ignore");
		return;
	default:
		jc_reply_error(client, "too-many", "too many ignored bodies", "ignore");
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
	struct jc_view *view = jc_named_space_joined_view(client, message, "ack");
	long long tick;

	if (!view) {
		return;
	}
	if (!jc_json_is_integer(json_object_get(message, "tick"), &tick) || tick < 0 ||
		tick > UINT32_MAX || !jc_view_acknowledge(view, (uint32_t)tick, now_ns)) {
		jc_reply_error(client, "bad-field", "tick must be one that was sent", "ack");
	}
}
