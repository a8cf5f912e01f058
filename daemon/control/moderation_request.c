/* Reads `moderate` and composes its answers; moderate.c carries the request out. */
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
	[JC_MODERATION_BLOCK] = { "block", JC_SANCTION_BLOCK, false },
	[JC_MODERATION_UNBLOCK] = { "unblock", JC_SANCTION_BLOCK, true },
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

/* Whether the action is about bodies rather than people. */
static bool is_about_bodies(enum jc_moderation_action action)
{
	return actions[action].kind == JC_SANCTION_HIDE || actions[action].kind == JC_SANCTION_MUTE;
}

bool jc_moderation_request_is_about_avatar(enum jc_moderation_action action)
{
	return actions[action].kind == JC_SANCTION_BLOCK;
}

enum jc_sanction_kind jc_moderation_request_sanction(enum jc_moderation_action action)
{
	assert(actions[action].kind < JC_SANCTION_KINDS);
	return actions[action].kind;
}

/* The forms of an identity in messages and in sanctions. */
static const struct {
	const char *key, *word;
	size_t bytes; /* with a NUL */
} names[] = {
	{ "subject", "subject ", JC_MAX_SUBJECT },
	{ "address", "address ", JC_MAX_WHO - sizeof("address ") + 1 },
	{ "name", "body ", JC_MAX_BODY_NAME },
	{ "avatar", "avatar ", JC_HASH_TEXT },
};

enum { NAMES = sizeof(names) / sizeof(names[0]) };

/* Bodies, people and avatars are named in different ways. */
static void check_target(struct jc_fields *fields, const struct jc_moderation_request *request)
{
	const char *text;
	bool has_avatar = jc_fields_hash(fields, "avatar", &text);

	if (jc_moderation_request_is_about_avatar(request->action)) {
		if (!has_avatar && !request->names_body) {
			jc_fields_fail(fields, "an avatar must be named by body or avatar");
		}
	} else if (has_avatar) {
		jc_fields_fail(fields, "avatar is for block and unblock");
	} else if (jc_fields_text(fields, "name", 1, JC_MAX_BODY_NAME - 1, &text) &&
		   !is_about_bodies(request->action)) {
		jc_fields_fail(fields, "people must be named by body, subject or address");
	}
}

/* Exactly one of body, subject, address, name and avatar. */
static void read_target(struct jc_fields *fields, struct jc_moderation_request *request)
{
	char network[JC_ADDRESS_TEXT];
	const char *text = NULL;
	int count = 0;

	request->names_body = jc_fields_integer(fields, "body", 0, UINT32_MAX, &request->body_id);
	count += request->names_body;
	for (size_t i = 0; i < NAMES; i++) {
		if (jc_fields_text(fields, names[i].key, 1, names[i].bytes - 1, &text)) {
			snprintf(request->who, sizeof(request->who), "%s%s", names[i].word, text);
			count++;
		}
	}
	if (count != 1) {
		jc_fields_fail(fields,
			"exactly one of body, subject, address, name and avatar must be given");
	}
	check_target(fields, request);
	if (jc_fields_text(fields, "address", 1, JC_MAX_WHO, &text)) {
		if (jc_address_parse_network(text, network)) {
			snprintf(request->who, sizeof(request->who), "address %.63s", network);
		} else {
			jc_fields_fail(fields,
				"address must be an IPv4 or IPv6 address, or a network such as "
				"2001:db8::/64");
		}
	}
}

static void read_action(struct jc_fields *fields, struct jc_moderation_request *request)
{
	const char *list[JC_MODERATION_ACTIONS];
	int action = -1;

	for (int i = 0; i < JC_MODERATION_ACTIONS; i++) {
		list[i] = actions[i].name;
	}
	if (jc_fields_choice(fields, "action", list, JC_MODERATION_ACTIONS, &action)) {
		request->action = (enum jc_moderation_action)action;
	}
}

void jc_moderation_request_read(
	struct jc_fields *fields, int64_t now_s, struct jc_moderation_request *out_request)
{
	struct jc_moderation_request request = { .until_s = INT64_MAX };
	const char *reason = "";
	int64_t seconds = 0;

	read_action(fields, &request);
	if (request.action != JC_MODERATION_LIST) {
		read_target(fields, &request);
	}
	if (jc_fields_integer(fields, "seconds", 1, JC_MAX_SANCTION_SECONDS, &seconds)) {
		if (request.action == JC_MODERATION_KICK ||
			jc_moderation_request_lifts(request.action)) {
			jc_fields_fail(fields, "seconds is for actions that last");
		}
		request.until_s = now_s + seconds;
	}
	jc_fields_text(fields, "reason", 0, JC_MAX_REASON - 1, &reason);
	strcpy(request.reason, reason);
	*out_request = request;
}

static json_t *until_of(int64_t until_s)
{
	return until_s < INT64_MAX ? json_integer((json_int_t)until_s) : NULL;
}

static json_t *reason_of(const char *reason)
{
	return reason[0] ? json_string(reason) : NULL;
}

/* Adds the identity of a sanction under its message key. */
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
