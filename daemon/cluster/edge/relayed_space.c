/* The roster of a relayed space: the origin's text goes on as it is. Where changes are missing, and
 * where the edge changes entries, subscribers get the complete roster again. */
#include "cluster/edge/relayed_space.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/shared_text.h"
#include "cluster/edge/relayed_policy.h"
#include "cluster/edge/relayed_roster.h"
#include "cluster/edge/relayed_skeletons.h"
#include "cluster/guest/guest_passes.h"
#include "cluster/policy_message.h"
#include "jointcast_private/json.h"
#include "moderation/sanctions.h"
#include "space/fanout.h"

static struct jc_space *space_of(const struct jc_relayed_space *space)
{
	return space->views.fanout->space;
}

static void refuse(struct jc_relayed_space *space, const char *wrong)
{
	space->refused++;
	jc_log_write(space->context->log, JC_LOG_WARNING,
		"space '%s': the origin sent a message that cannot be used: %s", space->name,
		wrong);
}

static struct jc_shared_text *compose(
	void *context, struct jc_fanout *fanout, enum jc_space_text which)
{
	const struct jc_relayed_space *space = context;

	(void)fanout;
	return which == JC_SPACE_TEXT_REPLAYING && space->replaying
		       ? jc_shared_text_hold(space->replaying)
		       : NULL;
}

int jc_relayed_space_create(const struct jc_relayed_context *context, const char *name,
	struct jc_relayed_space **out_space)
{
	struct jc_relayed_space *space = calloc(1, sizeof(*space));

	if (!space) {
		return JC_ERROR_MEMORY;
	}
	jc_relayed_views_init(&space->views);
	space->views.added = context->added;
	space->context = context;
	strcpy(space->name, name);
	space->needs_state = true;
	space->texts = (struct jc_space_texts){ .compose = compose, .context = space };
	jc_relayed_requests_begin(space);
	*out_space = space;
	return JC_OK;
}

static void drop_pending(struct jc_relayed_space *space)
{
	for (size_t i = 0; i < space->change_count; i++) {
		json_decref(space->changes[i]);
	}
	space->change_count = 0;
	json_decref(space->arrived);
	space->arrived = NULL;
}

void jc_relayed_space_destroy(struct jc_relayed_space *space)
{
	if (!space) {
		return;
	}
	drop_pending(space);
	if (space->context->guests) {
		jc_guest_passes_drop(space->context->guests, space->name);
	}
	jc_relayed_requests_end(space);
	jc_shared_text_drop(space->replaying);
	free(space);
}

/* Without memory the subscribers learn of the change with the next complete roster. */
void jc_relayed_space_announce(struct jc_relayed_space *space, struct jc_shared_text *change)
{
	if (jc_space_relay_announce(space_of(space), space->revision, change) != JC_OK) {
		space->needs_state = true;
	}
}

static bool lists_body(const void *context, uint32_t body)
{
	return jc_space_find(context, body) != NULL;
}

static void prune(struct jc_relayed_space *space)
{
	for (size_t i = 0; i < space->views.count; i++) {
		jc_relayed_view_prune(space->views.list[i]->view, lists_body, space_of(space));
	}
}

/* Whether all skeletons of a list of bodies are here; requests the others. */
static bool has_skeletons(struct jc_relayed_space *space, const json_t *list, int64_t now_ns)
{
	bool has_all = true;

	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *hash =
			json_string_value(json_object_get(json_array_get(list, i), "skeleton"));

		has_all = jc_relayed_skeletons_get(space, hash, now_ns) && has_all;
	}
	return has_all;
}

/* A body that is as it was keeps its text. Checked before. */
static void put_body(struct jc_relayed_space *space, const json_t *entry, int64_t now_ns)
{
	struct jc_roster_body body;
	int status = JC_ERROR_INVALID;

	if (!jc_relayed_roster_read(entry, &body)) {
		body.body.party = jc_people_find(&space->people.people, body.body.id);
		body.body.asset = jc_relayed_skeletons_get(space, body.hash, now_ns);
		body.body.entry = jc_relayed_roster_text(entry);
		status = body.body.asset && body.body.entry
				 ? jc_space_relay_put(space_of(space), &body.body)
				 : JC_ERROR_MEMORY;
		if (status != JC_OK) {
			free(body.body.entry);
		}
	}
	if (status != JC_OK) {
		space->needs_state = true;
	}
}

static void put_bodies(struct jc_relayed_space *space, const json_t *list, int64_t now_ns)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		put_body(space, json_array_get(list, i), now_ns);
	}
}

static void put_others(struct jc_relayed_space *space, const json_t *message)
{
	const json_t *waiting = json_object_get(message, "waiting");
	const json_t *recording = json_object_get(message, "recording");

	if (json_is_boolean(recording)) {
		jc_space_relay_set_recorded(space_of(space), json_is_true(recording));
	}
	if (json_is_array(waiting)) {
		jc_space_relay_set_waiting(space_of(space), jc_relayed_roster_text(waiting));
	}
}

/* The complete state. */

static bool is_current(const struct jc_relayed_space *space, const json_t *message)
{
	const char *incarnation = json_string_value(json_object_get(message, "incarnation"));
	uint64_t epoch;

	return space->has_state && incarnation && strcmp(incarnation, space->incarnation) == 0 &&
	       jc_origin_read_epoch(json_object_get(message, "epoch"), &epoch) &&
	       epoch == space->epoch;
}

/* In the time of this daemon. */
int64_t jc_relayed_space_start_ns(const struct jc_relayed_space *space)
{
	return space->context->spaces->clock.epoch_ns +
	       (space->origin_start_us + space->ahead_us) * 1000;
}

static int begin_epoch(struct jc_relayed_space *space, const json_t *state)
{
	struct jc_relay_epoch epoch = { .hz = (uint32_t)json_integer_value(
						json_object_get(state, "tickHz")),
		.start_ns = jc_relayed_space_start_ns(space),
		.start_us = space->origin_start_us + space->ahead_us };
	struct jc_fanout *fanout;

	jc_origin_read_epoch(json_object_get(state, "epoch"), &epoch.epoch);
	int status = jc_spaces_relay(
		space->context->spaces, space->name, &space->views.relay, &epoch, &fanout);

	if (status != JC_OK) {
		refuse(space, status == JC_ERROR_INVALID
				      ? "this daemon has bodies in a space of that name"
				      : "too many spaces");
		return status;
	}
	fanout->texts = &space->texts;
	jc_relayed_views_restart(&space->views, fanout);
	space->views.is_changed = true; /* this origin has not heard of any interest */
	jc_shared_text_drop(space->replaying);
	space->replaying = NULL;
	space->id = jc_space_options(fanout->space)->id;
	space->epoch = epoch.epoch;
	strcpy(space->incarnation, json_string_value(json_object_get(state, "incarnation")));
	space->origin_id = (uint32_t)json_integer_value(json_object_get(state, "id"));
	space->has_state = true;
	jc_log_write(space->context->log, JC_LOG_INFO, "serving space '%s' of origin '%.63s'",
		space->name, json_string_value(json_object_get(state, "origin")));
	return JC_OK;
}

/* Returns NULL, or what is wrong. */
static const char *check_state(
	struct jc_relayed_space *space, const json_t *state, json_t **out_roster)
{
	const json_t *text = json_object_get(state, "roster");
	const char *incarnation = json_string_value(json_object_get(state, "incarnation"));
	const char *origin = json_string_value(json_object_get(state, "origin"));
	json_t *roster = json_loadb(json_is_string(text) ? json_string_value(text) : "",
		json_string_length(text), JSON_REJECT_DUPLICATES, NULL);
	uint64_t epoch, revision = 0;
	long long hz = 0, id = 0, start_us = 0, own = 0;
	struct jc_space_policy policy;
	struct jc_people people;
	bool is_closed;
	const char *wrong = jc_relayed_roster_check(roster, space->name, true, &revision);

	if (!wrong && (!origin || !incarnation || strlen(incarnation) >= JC_MAX_INCARNATION ||
			      !jc_origin_read_epoch(json_object_get(state, "epoch"), &epoch))) {
		wrong = "a state has no origin, incarnation or epoch";
	}
	if (!wrong && (!jc_json_is_integer(json_object_get(state, "tickHz"), &hz) ||
			      hz < JC_LEAST_TICK_HZ || hz > JC_MAX_TICK_HZ ||
			      !jc_json_is_integer(json_object_get(state, "id"), &id) || id < 0 ||
			      id > UINT32_MAX ||
			      !jc_json_is_integer(json_object_get(state, "tickTime"), &start_us) ||
			      start_us < -(INT64_C(1) << 50) || start_us > INT64_C(1) << 50 ||
			      !jc_json_is_integer(json_object_get(state, "revision"), &own) ||
			      (uint64_t)own != revision)) {
		wrong = "a state has no tickHz, id, tickTime or revision";
	}
	if (!wrong) {
		/* Without it the space would have that of this daemon. */
		wrong = jc_policy_message_read(
			json_object_get(state, "policy"), &policy, &is_closed);
	}
	if (!wrong && json_object_get(state, "people")) {
		wrong = jc_people_message_read(json_object_get(state, "people"), &people);
	}
	if (wrong) {
		json_decref(roster);
		return wrong;
	}
	space->origin_start_us = start_us;
	*out_roster = roster;
	return NULL;
}

static void remove_unlisted(struct jc_relayed_space *space, const json_t *list)
{
	struct jc_space *relayed = space_of(space);

	for (size_t i = jc_space_body_count(relayed); i-- > 0;) {
		uint32_t id = jc_space_body(relayed, i)->id;
		bool is_listed = false;

		for (size_t k = 0; k < json_array_size(list) && !is_listed; k++) {
			is_listed = json_integer_value(json_object_get(
					    json_array_get(list, k), "id")) == (json_int_t)id;
		}
		if (!is_listed) {
			jc_space_relay_remove(relayed, id);
		}
	}
}

/* Makes the space equal to the state. Its roster is complete for all subscribers. */
static void apply_state(
	struct jc_relayed_space *space, const json_t *state, const json_t *roster, int64_t now_ns)
{
	const json_t *bodies = json_object_get(roster, "bodies");
	const json_t *texts = json_object_get(state, "texts");
	const char *key;
	json_t *value;

	jc_relayed_views_flush(&space->views, now_ns);
	if (!is_current(space, state) && begin_epoch(space, state) != JC_OK) {
		return;
	}
	space->revision = (uint64_t)json_integer_value(json_object_get(state, "revision"));
	jc_relayed_policy_take(space, json_object_get(state, "policy")); /* checked before */
	jc_relayed_people_take(space, json_object_get(state, "people")); /* checked before */
	remove_unlisted(space, bodies);
	put_bodies(space, bodies, now_ns);
	put_others(space, roster);
	prune(space);
	jc_relayed_people_take_ignores(space, json_object_get(state, "ignores"));
	jc_relayed_space_announce(space, NULL);
	json_object_foreach((json_t *)texts, key, value)
	{
		jc_relayed_policy_take_text(space, key, value);
	}
	space->silence = JC_RELAYED_HEARD;
	space->needs_state = false;
	jc_relayed_skeletons_release(space);
}

static void advance_state(struct jc_relayed_space *space, int64_t now_ns)
{
	json_t *state = space->arrived, *roster = NULL;
	const char *wrong = check_state(space, state, &roster);

	if (wrong) {
		refuse(space, wrong);
	} else if (!has_skeletons(space, json_object_get(roster, "bodies"), now_ns)) {
		json_decref(roster);
		return;
	} else if ((wrong = jc_relayed_policy_take_sanctions(
			    space, json_object_get(state, "sanctions"))) ||
		   (wrong = jc_relayed_policy_take_guests(
			    space, json_object_get(state, "guests")))) {
		refuse(space, wrong);
	} else {
		apply_state(space, state, roster, now_ns);
	}
	json_decref(roster);
	json_decref(state);
	space->arrived = NULL;
}

/* Whether the state is that of the origin that serves the space. */
static bool is_of_claimant(const struct jc_relayed_space *space, const json_t *state)
{
	const char *incarnation = json_string_value(json_object_get(state, "incarnation"));

	return incarnation && strcmp(incarnation, space->claimed_incarnation) == 0;
}

void jc_relayed_space_take_state(struct jc_relayed_space *space, const char *bytes, size_t length)
{
	json_t *state = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL);
	int64_t now_ns = jc_clock_now_ns();

	if (!json_is_object(state) || json_object_get(state, "error")) {
		refuse(space, "the answer to a request for the state");
		json_decref(state);
		return;
	}
	if (space->is_claimed && !is_of_claimant(space, state)) {
		json_decref(state); /* of an origin that is about to stop */
		return;
	}
	json_decref(space->arrived);
	space->arrived = state;
	jc_origin_clock_ahead(&space->clock,
		jc_clock_server_us(&space->context->spaces->clock, now_ns), &space->ahead_us);
	jc_relayed_space_heard(space, false, now_ns);
	jc_relayed_space_advance(space, now_ns);
}

/* Changes. */

static void apply_change(
	struct jc_relayed_space *space, const json_t *change, const json_t *text, int64_t now_ns)
{
	const json_t *left = json_object_get(change, "left");
	struct jc_shared_text *shared =
		jc_shared_text_create(json_string_value(text), json_string_length(text));

	jc_relayed_views_flush(&space->views, now_ns);
	space->revision++;
	for (size_t i = 0; i < json_array_size(left); i++) {
		jc_space_relay_remove(
			space_of(space), (uint32_t)json_integer_value(json_array_get(left, i)));
	}
	put_bodies(space, json_object_get(change, "joined"), now_ns);
	put_bodies(space, json_object_get(change, "changed"), now_ns);
	put_others(space, change);
	prune(space);
	jc_relayed_space_announce(space, shared);
	jc_shared_text_drop(shared);
	jc_relayed_skeletons_release(space);
}

/* Returns whether the change is done with. */
static bool advance_change(struct jc_relayed_space *space, const json_t *message, int64_t now_ns)
{
	const json_t *text = json_object_get(message, "change");
	json_t *change = json_loadb(
		json_string_value(text), json_string_length(text), JSON_REJECT_DUPLICATES, NULL);
	uint64_t revision = 0;
	const char *wrong = jc_relayed_roster_check(change, space->name, false, &revision);
	bool is_done = true;

	if (wrong) {
		refuse(space, wrong);
		space->needs_state = true;
	} else if (revision > space->revision + 1) {
		space->needs_state = true;
	} else if (revision == space->revision + 1) {
		bool has_joined = has_skeletons(space, json_object_get(change, "joined"), now_ns);

		is_done = has_skeletons(space, json_object_get(change, "changed"), now_ns) &&
			  has_joined;
		if (is_done) {
			apply_change(space, change, text, now_ns);
		}
	}
	json_decref(change);
	return is_done;
}

void jc_relayed_space_advance(struct jc_relayed_space *space, int64_t now_ns)
{
	if (space->arrived) {
		advance_state(space, now_ns);
	}
	while (!space->arrived && space->change_count > 0) {
		json_t *first = space->changes[0];

		if (is_current(space, first) && !advance_change(space, first, now_ns)) {
			return;
		}
		json_decref(first);
		memmove(space->changes, space->changes + 1,
			--space->change_count * sizeof(space->changes[0]));
	}
}

static void queue_change(struct jc_relayed_space *space, json_t *message)
{
	if (space->change_count == JC_MAX_RELAYED_CHANGES) {
		/* The state contains them all. */
		drop_pending(space);
		space->needs_state = true;
	}
	space->changes[space->change_count++] = json_incref(message);
}

void jc_relayed_space_take_change(
	struct jc_relayed_space *space, const char *bytes, size_t length, int64_t now_ns)
{
	json_t *message = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL);
	const json_t *policy = json_object_get(message, "policy");
	const json_t *sanctions = json_object_get(message, "sanctions");
	const json_t *guests = json_object_get(message, "guests");
	const json_t *removal = json_object_get(message, "moderated");
	const json_t *key = json_object_get(message, "key");
	const char *wrong = json_is_object(message) ? NULL : "not a JSON object";

	/* A change of the state that is being fetched may be newer than that state. */
	if (!wrong && json_is_string(json_object_get(message, "change"))) {
		queue_change(space, message);
		jc_relayed_space_advance(space, now_ns);
	} else if (!wrong && is_current(space, message)) {
		wrong = policy ? jc_relayed_policy_take(space, policy)
			       : jc_relayed_people_take(space, json_object_get(message, "people"));
		if (!wrong) {
			wrong = jc_relayed_people_take_ignores(
				space, json_object_get(message, "ignores"));
		}
		if (!wrong && sanctions) {
			wrong = jc_relayed_policy_take_sanctions(space, sanctions);
		}
		if (!wrong && removal) {
			wrong = jc_relayed_policy_take_removal(space, removal);
		}
		if (!wrong && guests) {
			wrong = jc_relayed_policy_take_guests(space, guests);
		}
		if (json_is_string(key)) {
			jc_relayed_policy_take_text(
				space, json_string_value(key), json_object_get(message, "text"));
		}
		space->needs_state |= json_is_true(json_object_get(message, "lost"));
	}
	if (wrong) {
		refuse(space, wrong);
	} else if (is_current(space, message)) {
		jc_relayed_space_heard(space, false, now_ns);
	}
	json_decref(message);
}
