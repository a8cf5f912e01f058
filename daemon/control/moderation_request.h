/* A moderation request and its messages (proto/MODULES.md, "Moderation"). */
#ifndef JC_MODERATION_REQUEST_H
#define JC_MODERATION_REQUEST_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "control/fields.h"
#include "moderation/sanctions.h"
#include "space/space.h"

enum jc_moderation_action {
	JC_MODERATION_REQUEST_HIDE,
	JC_MODERATION_SHOW,
	JC_MODERATION_MUTE,
	JC_MODERATION_UNMUTE,
	JC_MODERATION_BAN,
	JC_MODERATION_UNBAN,
	JC_MODERATION_BLOCK,
	JC_MODERATION_UNBLOCK,
	JC_MODERATION_KICK,
	JC_MODERATION_LIST,
	JC_MODERATION_ACTIONS
};

struct jc_moderation_request {
	enum jc_moderation_action action;
	char who[JC_MAX_WHO]; /* identity in the form of sanctions; empty where a body is named */
	bool names_body;
	int64_t body_id;
	const struct jc_body *body; /* the named body, borrowed; NULL: none */
	int64_t until_s;            /* Unix time; INT64_MAX: until lifted */
	char reason[JC_MAX_REASON];
};

const char *jc_moderation_request_name(enum jc_moderation_action action); /* "unban" */

bool jc_moderation_request_lifts(enum jc_moderation_action action);
/* Whether the target is an avatar: that of the named body, or the one of a hash. */
bool jc_moderation_request_is_about_avatar(enum jc_moderation_action action);
enum jc_sanction_kind jc_moderation_request_sanction(
	enum jc_moderation_action action); /* of all but kick, list */

/* Reads the message; where a field is wrong, out_request is undefined. */
void jc_moderation_request_read(
	struct jc_fields *fields, int64_t now_s, struct jc_moderation_request *out_request);

/* The message to a targeted client. */
json_t *jc_moderation_request_pack_event(
	const struct jc_moderation_request *request, const struct jc_space *space);

/* The answer to the moderator, still without `concerned` and `stored`. */
json_t *jc_moderation_request_pack_answer(
	const struct jc_moderation_request *request, const struct jc_space *space);

/* The answer to "list". */
json_t *jc_moderation_request_pack_list(
	const char *space, const struct jc_sanction *list, size_t count);

#endif
