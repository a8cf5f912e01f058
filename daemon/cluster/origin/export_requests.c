/* Answers the requests of edges for a space. Every field is checked; a request beyond the limits
 * of a second has no answer. */
#include <stdlib.h>
#include <string.h>

#include "cluster/guest/guest_desk.h"
#include "cluster/origin/export_private.h"
#include "cluster/origin/exported_avatar.h"
#include "cluster/people/people_message.h"
#include "cluster/policy_message.h"
#include "cluster/view_spec.h"
#include "jointcast_private/json.h"
#include "maxima.h"
#include "moderation/sanction_history.h"

#define NS_PER_SECOND INT64_C(1000000000)
#define REQUEST_BYTES 1024u /* a request counts once more for each, as it takes time to read */
#define IGNORE_BYTES  35u   /* of a pair in a state */

struct request {
	struct jc_exported_space *exported;
	const json_t *message;
	const char *edge, *reply;
	struct jc_edge_rate *rate; /* of the edge */
	const uint8_t *bytes;      /* of the message */
	size_t length;
	int64_t now_ns;
};

static void answer(const struct request *request, json_t *message)
{
	jc_export_publish(request->exported, request->reply, message);
}

static void refuse(const struct request *request, const char *text)
{
	answer(request, json_pack("{ss}", "error", text));
}

struct jc_exported_view *jc_export_find_view(
	const struct jc_exported_space *exported, const char *token)
{
	for (size_t i = 0; i < exported->view_count; i++) {
		if (strcmp(exported->views[i]->wanted.token, token) == 0) {
			return exported->views[i];
		}
	}
	return NULL;
}

static json_t *pack_texts(struct jc_exported_space *exported)
{
	json_t *texts = json_object();

	for (int i = 0; i < JC_SPACE_TEXTS; i++) {
		struct jc_shared_text *text =
			jc_fanout_text(exported->fanout, (enum jc_space_text)i);

		if (text) {
			json_object_set_new(texts, jc_export_text_keys[i],
				json_string(jc_shared_text_chars(text)));
			jc_shared_text_drop(text);
		}
	}
	return texts;
}

/* Many edges that start at once get the state of a small space at once. */
static int64_t cost_of(const struct jc_shared_text *roster, const struct jc_ignores *ignores)
{
	size_t bytes = roster->length + ignores->count * IGNORE_BYTES;
	size_t cost = 1 + bytes / JC_MAX_EDGE_STATE_BYTES;

	return cost < JC_MAX_EDGE_STATE_COUNT ? (int64_t)cost : JC_MAX_EDGE_STATE_COUNT;
}

static void give_state(const struct request *request)
{
	struct jc_exported_space *exported = request->exported;
	struct jc_space *space = exported->fanout->space;
	const struct jc_space_options *options = jc_space_options(space);
	struct jc_shared_text *roster;
	struct jc_space_policy policy;
	json_t *message;

	jc_space_catch_up(space);
	roster = jc_space_roster(space);
	if (!roster) {
		refuse(request, "out of memory");
		return;
	}
	if (!jc_token_bucket_spend(&request->rate->states,
		    cost_of(roster, &exported->fanout->ignores), JC_MAX_EDGE_STATES_PER_SECOND,
		    request->now_ns)) {
		exported->refused++;
		jc_shared_text_drop(roster);
		return;
	}
	jc_export_policy(exported, &policy);
	message = jc_export_head(exported);
	json_object_update_new(message,
		json_pack("{ss sI si sI sI ss so so so so so so}", "origin",
			exported->source->origin, "id", (json_int_t)exported->number, "tickHz",
			(int)options->hz, "tickTime", (json_int_t)options->start_us, "revision",
			(json_int_t)jc_space_revision(space), "roster",
			jc_shared_text_chars(roster), "policy",
			jc_policy_message_pack(&policy, jc_export_is_closed(exported->fanout)),
			"sanctions",
			jc_policy_message_pack_sanctions(
				&exported->source->sanctions->in_force, exported->name),
			"guests", jc_export_guests(exported), "people",
			jc_people_message_pack(exported->fanout), "ignores",
			jc_exported_people_ignores(exported), "texts", pack_texts(exported)));
	jc_shared_text_drop(roster);
	answer(request, message);
}

/* State that a standby needs before it takes the space over. */
static void give_succession(const struct request *request)
{
	const struct jc_exported_space *exported = request->exported;

	answer(request, json_pack("{so so so}", "sanctions",
				jc_policy_message_pack_sanctions(
					&exported->source->sanctions->in_force, exported->name),
				"ended",
				jc_policy_message_pack_sanctions(
					&exported->source->sanctions->ended, exported->name),
				"guests", jc_export_guests(exported)));
}

/* Of a body in the roster: skeletons of other spaces may be private. */
static void give_skeleton(const struct request *request)
{
	const char *hash = json_string_value(json_object_get(request->message, "hash"));
	const struct jc_space *space = request->exported->fanout->space;

	for (size_t i = 0; hash && i < jc_space_body_count(space); i++) {
		const struct jc_skeleton_asset *asset = jc_space_body(space, i)->asset;

		if (strcmp(asset->hash, hash) == 0) {
			answer(request, json_pack("{ss%}", "descriptor",
						jc_skeleton_asset_descriptor(asset),
						asset->descriptor_length));
			return;
		}
	}
	refuse(request,
		hash ? "no body of the space has a skeleton of that hash" : "hash must be text");
}

/* Returns NULL, or what is wrong. */
static const char *read_interest(const struct request *request, struct jc_interested_edge *out_edge)
{
	const json_t *views = json_object_get(request->message, "views");
	long long watched;

	if (!jc_json_is_integer(json_object_get(request->message, "watched"), &watched) ||
		watched < 0 || watched > JC_MAX_CONNECTIONS) {
		return "watched must be a number of clients";
	}
	if (!json_is_array(views) || json_array_size(views) > JC_MAX_EXPORTED_VIEWS) {
		return "views must be a list of at most 8 views";
	}
	snprintf(out_edge->name, sizeof(out_edge->name), "%s", request->edge);
	out_edge->watched = (unsigned)watched;
	out_edge->view_count = json_array_size(views);
	out_edge->expires_ns = request->now_ns + JC_MAX_INTEREST_SECONDS * NS_PER_SECOND;
	for (size_t i = 0; i < out_edge->view_count; i++) {
		const char *wrong = jc_view_spec_read(json_array_get(views, i),
			&out_edge->views[i].spec, out_edge->views[i].token);

		if (wrong) {
			return wrong;
		}
	}
	return NULL;
}

/* The tokens of the views of an edge that are not exported. NULL: all are. */
static json_t *pack_left_out(
	const struct jc_exported_space *exported, const struct jc_interested_edge *edge)
{
	json_t *list = NULL;

	for (size_t i = 0; i < edge->view_count; i++) {
		if (!jc_export_find_view(exported, edge->views[i].token)) {
			list = list ? list : json_array();
			json_array_append_new(list, json_string(edge->views[i].token));
		}
	}
	return list;
}

static void take_interest(const struct request *request)
{
	struct jc_interested_edge edge = { .view_count = 0 };
	const char *wrong = read_interest(request, &edge);
	int status;

	if (wrong) {
		refuse(request, wrong);
		return;
	}
	status = jc_interest_set(&request->exported->interest, &edge);
	if (status != JC_OK) {
		refuse(request, status == JC_ERROR_LIMIT ? "too many edges" : "out of memory");
		return;
	}
	jc_export_follow_interest(request->exported);
	answer(request, json_pack("{si so*}", "expires", JC_MAX_INTEREST_SECONDS, "leftOut",
				pack_left_out(request->exported, &edge)));
}

static void give_rejoin(const struct request *request)
{
	const char *token = json_string_value(json_object_get(request->message, "view"));
	struct jc_exported_view *view =
		token ? jc_export_find_view(request->exported, token) : NULL;

	if (!view) {
		refuse(request, token ? "no edge is interested in that view" : "view must be text");
		return;
	}
	view->wants_rejoin = true;
	answer(request, json_object());
}

static void give_time(const struct request *request)
{
	const json_t *t = json_object_get(request->message, "t");
	long long sent;

	if (!jc_json_is_integer(t, &sent)) {
		refuse(request, "t must be an integer");
		return;
	}
	answer(request, json_pack("{sI sI}", "t", (json_int_t)sent, "time",
				(json_int_t)jc_clock_server_us(
					request->exported->source->clock, jc_clock_now_ns())));
}

static void give_avatar(const struct request *request)
{
	const char *wrong =
		jc_exported_avatar_give(request->exported, request->message, request->reply);

	if (wrong) {
		refuse(request, wrong);
	}
}

static void take_ignores(const struct request *request)
{
	const char *wrong = jc_exported_people_take(
		request->exported, request->edge, request->message, request->now_ns);

	if (wrong) {
		refuse(request, wrong);
	} else {
		answer(request, json_pack("{si}", "expires", JC_MAX_INTEREST_SECONDS));
	}
}

static void redeem(const struct request *request)
{
	struct jc_guest_desk *desk = request->exported->source->desk;

	if (desk) {
		jc_guest_desk_redeem(desk, request->edge, request->reply, request->bytes,
			request->length, request->now_ns);
	} else {
		refuse(request, "there are no invitations");
	}
}

static const struct {
	const char *type;
	void (*give)(const struct request *request);
} requests[] = {
	{ "state", give_state },
	{ "skeleton", give_skeleton },
	{ "succession", give_succession },
	{ "interest", take_interest },
	{ "rejoin", give_rejoin },
	{ "clock", give_time },
	{ "redeem", redeem },
	{ "ignores", take_ignores },
	{ "avatar", give_avatar },
};

static void dispatch(const struct request *request)
{
	const char *type = json_string_value(json_object_get(request->message, "type"));

	for (size_t i = 0; type && i < sizeof(requests) / sizeof(requests[0]); i++) {
		if (strcmp(requests[i].type, type) == 0) {
			requests[i].give(request);
			return;
		}
	}
	refuse(request, type ? "unknown type of request" : "not a JSON object with a type");
}

void jc_exported_space_answer(struct jc_exported_space *exported, const char *edge,
	const char *reply, const uint8_t *bytes, size_t length, int64_t now_ns)
{
	struct request request = { .exported = exported,
		.edge = edge,
		.reply = reply,
		.bytes = bytes,
		.length = length,
		.now_ns = now_ns };
	/* A message over the maximum is not read, and is charged as an empty one. */
	size_t read = length > JC_MAX_MESSAGE_BYTES ? 0 : length;
	json_t *message;

	/* The origin may publish on subjects that the edge may not: they are not for answers. */
	if (!exported->fanout || !jc_subject_is_inbox(reply, edge) ||
		strlen(reply) >= JC_MAX_REPLY_SUBJECT) {
		return;
	}
	request.rate = jc_edge_rates_find(&exported->rates, edge, now_ns);
	if (!request.rate ||
		!jc_token_bucket_spend(&request.rate->requests, 1 + (int64_t)(read / REQUEST_BYTES),
			JC_MAX_EDGE_REQUESTS_PER_SECOND, now_ns)) {
		exported->refused++;
		return;
	}
	if (length > JC_MAX_MESSAGE_BYTES) {
		refuse(&request, "too long");
		return;
	}
	message = json_loadb((const char *)bytes, length, JSON_REJECT_DUPLICATES, NULL);
	request.message = message;
	dispatch(&request);
	json_decref(message);
}
