/* Reads a message completely before it changes anything. */
#include "cluster/origin/sanction_exchange.h"

#include "cluster/policy_message.h"

static bool read_lists(const json_t *message, const char *space, struct jc_sanction_history *theirs)
{
	const json_t *ended = json_object_get(message, "ended");

	return !jc_policy_message_read_sanctions(
		       json_object_get(message, "sanctions"), space, &theirs->in_force) &&
	       (!ended || !jc_policy_message_read_sanctions(ended, space, &theirs->ended));
}

static bool merge(
	struct jc_sanction_history *history, const struct jc_sanctions *theirs, int64_t now_s)
{
	bool has_changed = false;

	for (size_t i = 0; i < theirs->count; i++) {
		has_changed |= jc_sanction_history_merge(history, &theirs->list[i], now_s);
	}
	return has_changed;
}

/* Those of a list of this host that are later than what the other one has. NULL: none. */
static json_t *pack_later(
	const struct jc_sanctions *own, const char *space, const struct jc_sanction_history *theirs)
{
	const struct jc_sanction *first;
	size_t count = jc_sanctions_of(own, space, &first);
	struct jc_sanctions later = { 0 };
	json_t *list = NULL;

	for (size_t i = 0; i < count; i++) {
		if (jc_sanction_history_is_older(theirs, &first[i])) {
			jc_sanctions_put(&later, &first[i]);
		}
	}
	if (later.count > 0) {
		list = jc_policy_message_pack_sanctions(&later, space);
	}
	jc_sanctions_finish(&later);
	return list;
}

bool jc_sanction_exchange_take(struct jc_sanction_history *history, const char *space,
	const json_t *message, int64_t now_s, json_t **out_later)
{
	struct jc_sanction_history theirs = { 0 };
	bool has_changed = false;

	*out_later = NULL;
	if (read_lists(message, space, &theirs)) {
		has_changed = merge(history, &theirs.in_force, now_s);
		has_changed |= merge(history, &theirs.ended, now_s);

		json_t *sanctions = pack_later(&history->in_force, space, &theirs);
		json_t *ended = pack_later(&history->ended, space, &theirs);

		if (sanctions || ended) {
			*out_later = json_pack("{ss so so*}", "space", space, "sanctions",
				sanctions ? sanctions : json_array(), "ended", ended);
		}
	}
	jc_sanction_history_finish(&theirs);
	return has_changed;
}
