/* What a moderator orders, as messages have it (PROTOCOL.md, 16). */
#ifndef JC_ORDER_H
#define JC_ORDER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "moderation/sanctions.h"
#include "space/space.h"

enum jc_order_action {
	JC_ORDER_HIDE,
	JC_ORDER_SHOW,
	JC_ORDER_MUTE,
	JC_ORDER_UNMUTE,
	JC_ORDER_BAN,
	JC_ORDER_UNBAN,
	JC_ORDER_KICK,
	JC_ORDER_LIST,
	JC_ORDER_ACTIONS
};

struct jc_order {
	enum jc_order_action action;
	char who[JC_MAX_WHO]; /* as sanctions have it; empty where a body is named */
	bool names_body;
	int64_t body_id;
	const struct jc_body *body; /* that one, borrowed; NULL: none was named */
	int64_t until_s;            /* INT64_MAX: until it is lifted */
	char reason[JC_MAX_REASON];
};

const char *jc_order_name(enum jc_order_action action); /* "unban" */

bool jc_order_lifts(enum jc_order_action action);
bool jc_order_is_about_bodies(enum jc_order_action action);           /* rather than people */
enum jc_sanction_kind jc_order_sanction(enum jc_order_action action); /* of all but kick, list */

/* NULL, or what is wrong with the message. */
const char *jc_order_read(const json_t *message, int64_t now_s, struct jc_order *out_order);

/* The message to a connection that the order is about. */
json_t *jc_order_pack_event(const struct jc_order *order, const struct jc_space *space);

/* The answer to the moderator, still without `concerned` and `stored`. */
json_t *jc_order_pack_answer(const struct jc_order *order, const struct jc_space *space);

/* The answer to "list". */
json_t *jc_order_pack_list(const char *space, const struct jc_sanction *list, size_t count);

#endif
