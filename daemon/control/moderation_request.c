/* Messages in and out; what is done about them is moderate_control.c's. */
#include "control/moderation_request.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/address.h"

static const struct {
	const char *name;
	enum jc_sanction_kind kind;
	bool lifts;
} actions[] = {
	[JC_MODERATION_REQUEST_HIDE] = { "hide", JC_SANCTION_HIDE, false },
	[JC_MODERATION_SHOW] = { "show", JC_SANCTION_HIDE, true },
	[JC_MODERATION_MUTE] = { "mute", JC_SANCTION_MUTE, false },
	[JC_MODERATION_UNMUTE] = { "unmute", JC_SANCTION_MUTE, true },
	[JC_MODERATION_BAN] = { "ban", JC_SANCTION_BAN, false },
	[JC_MODERATION_UNBAN] = { "unban", JC_SANCTION_BAN, true },
	[JC_MODERATION_KICK] = { "kick", JC_SANCTION_KINDS, false },
	[JC_MODERATION_LIST] = { "list", JC_SANCTION_KINDS, false },
};

const char *jc_moderation_request_name(enum jc_moderation_action action)
{
	return actions[action].name;
}

bool jc_moderation_request_lifts(enum jc_moderation_action action)
{
	return actions[action].lifts;
}

bool jc_moderation_request_is_about_bodies(enum jc_moderation_action action)
{
	return actions[action].kind == JC_SANCTION_HIDE || actions[action].kind == JC_SANCTION_MUTE;
}

enum jc_sanction_kind jc_moderation_request_sanction(enum jc_moderation_action action)
{
	assert(actions[action].kind < JC_SANCTION_KINDS);
	return actions[action].kind;
}

/* The ways in which people are named, as messages and as sanctions have them. */
static const struct {
	const char *key, *word;
	size_t bytes; /* with a NUL */
} names[] = {
	{ "subject", "subject ", JC_MAX_SUBJECT },
	{ "address", "address ", JC_MAX_WHO - sizeof("address ") + 1 },
	{ "name", "body ", JC_MAX_BODY_NAME },
};

enum { NAMES = sizeof(names) / sizeof(names[0]) };

static bool is_text(const char *text, size_t bytes)
{
	size_t length = strlen(text);

	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f) {
			return false;
		}
	}
	return length < bytes;
}

/* Exactly one of body, subject, address and name. */
static const char *read_whom(const json_t *message, struct jc_moderation_request *request)
{
	const json_t *body = json_object_get(message, "body");
	int count = body != NULL;

	for (size_t i = 0; i < NAMES; i++) {
		const json_t *value = json_object_get(message, names[i].key);
		const char *text = json_string_value(value);

		if (value && (!text || !text[0] || !is_text(text, names[i].bytes))) {
			return "subject, address and name are texts";
		}
		if (value) {
			snprintf(request->who, sizeof(request->who), "%s%s", names[i].word, text);
			count++;
		}
	}
	if (count != 1 || (body && !json_is_integer(body))) {
		return "one of body, an id, subject, address and name says whom";
	}
	if (json_object_get(message, "name") &&
		!jc_moderation_request_is_about_bodies(request->action)) {
		return "people are named by body, subject or address";
	}
	const char *address = json_string_value(json_object_get(message, "address"));
	char network[JC_ADDRESS_TEXT];

	if (address && !jc_address_parse_network(address, network)) {
		return "address is one of IPv4 or IPv6, or 2001:db8::/64";
	}
	if (address) {
		snprintf(request->who, sizeof(request->who), "address %.63s", network);
	}
	request->names_body = body != NULL;
	request->body_id = json_integer_value(body);
	return NULL;
}

static const char *read_action(const json_t *message, struct jc_moderation_request *request)
{
	const char *name = json_string_value(json_object_get(message, "action"));

	for (int i = 0; name && i < JC_MODERATION_ACTIONS; i++) {
		if (strcmp(actions[i].name, name) == 0) {
			request->action = (enum jc_moderation_action)i;
			return NULL;
		}
	}
	return "action is hide, show, mute, unmute, ban, unban, kick or list";
}

const char *jc_moderation_request_read(
	const json_t *message, int64_t now_s, struct jc_moderation_request *out_request)
{
	const json_t *seconds = json_object_get(message, "seconds");
	const json_t *reason = json_object_get(message, "reason");
	const char *text = reason ? json_string_value(reason) : "";
	struct jc_moderation_request request = { .until_s = INT64_MAX };
	const char *wrong = read_action(message, &request);

	if (!wrong && request.action != JC_MODERATION_LIST) {
		wrong = read_whom(message, &request);
	}
	if (wrong) {
		return wrong;
	}
	if (seconds && (!json_is_integer(seconds) || json_integer_value(seconds) < 1 ||
			       json_integer_value(seconds) > JC_MAX_SANCTION_SECONDS ||
			       request.action == JC_MODERATION_KICK ||
			       jc_moderation_request_lifts(request.action))) {
		return "seconds, of what lasts, are an integer from 1 to 315360000";
	}
	if (!text || !is_text(text, JC_MAX_REASON)) {
		return "reason has at most 255 bytes and no control characters";
	}
	if (seconds) {
		request.until_s = now_s + json_integer_value(seconds);
	}
	strcpy(request.reason, text);
	*out_request = request;
	return NULL;
}

static json_t *until_of(int64_t until_s)
{
	return until_s < INT64_MAX ? json_integer((json_int_t)until_s) : NULL;
}

static json_t *reason_of(const char *reason)
{
	return reason[0] ? json_string(reason) : NULL;
}

/* Whom it is about, under the key of messages. */
static void put_whom(json_t *object, const char *who)
{
	for (size_t i = 0; i < NAMES; i++) {
		size_t length = strlen(names[i].word);

		if (strncmp(who, names[i].word, length) == 0) {
			json_object_set_new(object, names[i].key, json_string(who + length));
		}
	}
}

json_t *jc_moderation_request_pack_event(
	const struct jc_moderation_request *request, const struct jc_space *space)
{
	json_t *body = request->body ? json_integer((json_int_t)request->body->id) : NULL;

	return json_pack("{ss ss ss so* so* so*}", "type", "moderated", "space",
		jc_space_options(space)->name, "action",
		jc_moderation_request_name(request->action), "body", body, "until",
		until_of(request->until_s), "reason", reason_of(request->reason));
}

json_t *jc_moderation_request_pack_answer(
	const struct jc_moderation_request *request, const struct jc_space *space)
{
	json_t *answer = jc_moderation_request_pack_event(request, space);

	put_whom(answer, request->who);
	return answer;
}

json_t *jc_moderation_request_pack_list(
	const char *space, const struct jc_sanction *list, size_t count)
{
	json_t *sanctions = json_array();

	for (size_t i = 0; i < count; i++) {
		json_t *entry =
			json_pack("{ss ss sI so* so*}", "kind", jc_sanction_kind_name(list[i].kind),
				"by", list[i].by, "since", (json_int_t)list[i].since_s, "until",
				until_of(list[i].until_s), "reason", reason_of(list[i].reason));

		put_whom(entry, list[i].who);
		json_array_append_new(sanctions, entry);
	}
	return json_pack("{ss ss so}", "type", "sanctions", "space", space, "sanctions", sanctions);
}
