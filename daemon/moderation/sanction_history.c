/* Keeps ended sanctions for a while: the time of the last change decides between two hosts. */
#include "moderation/sanction_history.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast/error.h"

void jc_sanction_history_finish(struct jc_sanction_history *history)
{
	jc_sanctions_finish(&history->in_force);
	jc_sanctions_finish(&history->ended);
}

int jc_sanction_history_copy(
	const struct jc_sanction_history *history, struct jc_sanctions *out_copy)
{
	size_t count = history->in_force.count + history->ended.count;
	struct jc_sanctions copy = { .count = count, .capacity = count };

	if (count > 0) {
		copy.list = malloc(count * sizeof(copy.list[0]));
		if (!copy.list) {
			return JC_ERROR_MEMORY;
		}
	}
	for (size_t i = 0; i < count; i++) {
		copy.list[i] = i < history->in_force.count
				       ? history->in_force.list[i]
				       : history->ended.list[i - history->in_force.count];
	}
	*out_copy = copy;
	return JC_OK;
}

/* The newest change of the same space, kind and person. NULL: there is none. */
static const struct jc_sanction *find(
	const struct jc_sanction_history *history, const struct jc_sanction *like)
{
	const struct jc_sanction *found =
		jc_sanctions_find(&history->in_force, like->space, like->kind, like->who);

	return found ? found
		     : jc_sanctions_find(&history->ended, like->space, like->kind, like->who);
}

static int64_t last_of(const struct jc_sanction *ended)
{
	return ended->since_s > ended->until_s ? ended->since_s : ended->until_s;
}

/* Whether both lists have as many of the space, or of all spaces, as one may have. */
static bool is_full(const struct jc_sanction_history *history, const char *space)
{
	const struct jc_sanction *first;

	return history->in_force.count + history->ended.count >= JC_MAX_SANCTIONS ||
	       jc_sanctions_of(&history->in_force, space, &first) +
			       jc_sanctions_of(&history->ended, space, &first) >=
		       JC_MAX_SANCTIONS_OF_SPACE;
}

static bool is_ended_there(const struct jc_sanction_history *history, const char *space)
{
	const struct jc_sanction *first;

	return jc_sanctions_of(&history->ended, space, &first) > 0;
}

/* Forgets those that ended first: of the space, where it has any, else of all spaces. */
static void make_room(struct jc_sanction_history *history, const char *space)
{
	while (history->ended.count > 0 && is_full(history, space)) {
		bool is_of_space = is_ended_there(history, space);
		const struct jc_sanction *oldest = NULL;

		for (size_t i = 0; i < history->ended.count; i++) {
			const struct jc_sanction *at = &history->ended.list[i];

			if ((!is_of_space || strcmp(at->space, space) == 0) &&
				(!oldest || last_of(at) < last_of(oldest))) {
				oldest = at;
			}
		}
		const struct jc_sanction forgotten = *oldest;

		jc_sanctions_lift(&history->ended, forgotten.space, forgotten.kind, forgotten.who);
	}
}

/* Keeps what decides between two hosts, and no more of a person. Without room or memory a sanction
 * of another host may come back. */
static void keep_ended(struct jc_sanction_history *history, const struct jc_sanction *sanction)
{
	struct jc_sanction ended = *sanction;

	if (history->keeps_ended) {
		ended.by[0] = '\0';
		ended.reason[0] = '\0';
		make_room(history, ended.space);
		jc_sanctions_put(&history->ended, &ended);
	}
}

/* A clock of another host may be ahead. */
static int64_t later_than(const struct jc_sanction *before, int64_t since_s)
{
	return before && before->since_s >= since_s && before->since_s < INT64_MAX
		       ? before->since_s + 1
		       : since_s;
}

/* The list of those in force has no more than its maxima; those that have ended make way. */
static int enforce(struct jc_sanction_history *history, const struct jc_sanction *sanction)
{
	jc_sanctions_lift(&history->ended, sanction->space, sanction->kind, sanction->who);
	if (!jc_sanctions_find(
		    &history->in_force, sanction->space, sanction->kind, sanction->who)) {
		make_room(history, sanction->space);
	}
	return jc_sanctions_put(&history->in_force, sanction);
}

int jc_sanction_history_put(struct jc_sanction_history *history, const struct jc_sanction *sanction)
{
	struct jc_sanction own = *sanction;

	own.since_s = later_than(find(history, sanction), sanction->since_s);
	return enforce(history, &own);
}

void jc_sanction_history_lift(struct jc_sanction_history *history, const char *space,
	enum jc_sanction_kind kind, const char *who, int64_t now_s)
{
	struct jc_sanction lifted = { .kind = kind };

	strcpy(lifted.space, space);
	strcpy(lifted.who, who);
	lifted.since_s = later_than(find(history, &lifted), now_s);
	jc_sanctions_lift(&history->in_force, space, kind, who);
	keep_ended(history, &lifted);
}

/* Takes those whose time is over out of the list in force. */
static bool end_due(struct jc_sanction_history *history, int64_t now_s)
{
	struct jc_sanctions due = { 0 };
	bool any = false;

	if (history->keeps_ended) {
		for (size_t i = 0; i < history->in_force.count; i++) {
			if (history->in_force.list[i].until_s <= now_s) {
				jc_sanctions_put(&due, &history->in_force.list[i]);
			}
		}
	}
	any = jc_sanctions_expire(&history->in_force, now_s);
	for (size_t i = 0; i < due.count; i++) {
		keep_ended(history, &due.list[i]);
	}
	jc_sanctions_finish(&due);
	return any;
}

static bool is_forgotten(const struct jc_sanction *ended, int64_t now_s)
{
	return last_of(ended) < now_s - JC_MAX_ENDED_SANCTION_SECONDS;
}

bool jc_sanction_history_expire(struct jc_sanction_history *history, int64_t now_s)
{
	for (size_t i = history->ended.count; i-- > 0;) {
		if (is_forgotten(&history->ended.list[i], now_s)) {
			const struct jc_sanction at = history->ended.list[i];

			jc_sanctions_lift(&history->ended, at.space, at.kind, at.who);
		}
	}
	return end_due(history, now_s);
}

bool jc_sanction_history_is_older(
	const struct jc_sanction_history *history, const struct jc_sanction *change)
{
	const struct jc_sanction *own = find(history, change);

	return !own || own->since_s < change->since_s ||
	       (own->since_s == change->since_s && own->until_s < change->until_s);
}

bool jc_sanction_history_merge(
	struct jc_sanction_history *history, const struct jc_sanction *change, int64_t now_s)
{
	bool has_own = find(history, change) != NULL;

	if (!jc_sanction_history_is_older(history, change)) {
		return false;
	}
	if (change->until_s > now_s) {
		return enforce(history, change) == JC_OK;
	}
	/* An unknown one makes no other one forgotten: two hosts would exchange them for ever. */
	if (is_forgotten(change, now_s) || (!has_own && is_full(history, change->space))) {
		return false;
	}
	jc_sanctions_lift(&history->in_force, change->space, change->kind, change->who);
	keep_ended(history, change);
	return true;
}
