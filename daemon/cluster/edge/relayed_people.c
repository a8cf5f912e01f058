/* An ignore of a client is kept here, where its connection is; all other hosts get a copy. */
#include "cluster/edge/relayed_people.h"

#include <stdlib.h>
#include <string.h>

#include "cluster/edge/relayed_space.h"
#include "space/people/people.h"

#define PART       1000u /* pairs of a request */
#define EVERY_NS   INT64_C(2000000000)
#define TIMEOUT_MS 1000

const char *jc_relayed_people_take(struct jc_relayed_space *space, const json_t *message)
{
	struct jc_fanout *fanout = space->views.fanout;
	struct jc_people people;
	const char *wrong = message ? jc_people_message_read(message, &people) : NULL;

	if (!message || wrong) {
		return wrong;
	}
	space->people.people = people;
	if (space->context->on_people_key) {
		space->context->on_people_key(space->context->owner, fanout, &people.key, space);
	}
	for (size_t i = 0; i < jc_space_body_count(fanout->space); i++) {
		uint32_t body = jc_space_body(fanout->space, i)->id;

		jc_fanout_set_publisher(fanout, body, jc_people_find(&people, body));
	}
	return NULL;
}

const char *jc_relayed_people_take_ignores(struct jc_relayed_space *space, const json_t *list)
{
	struct jc_party_pair *pairs;
	size_t count;
	const char *wrong = list ? jc_ignores_message_read(list, &pairs, &count) : NULL;

	if (!list || wrong) {
		return wrong;
	}
	int status = jc_fanout_replace_ignores(space->views.fanout, space, pairs, count);

	free(pairs);
	return status == JC_OK ? NULL : "out of memory";
}

static void on_taken(void *context, const struct jc_nats_message *message)
{
	(void)context;
	(void)message; /* the list is sent again in any case */
}

/* Sends a part of the list. Steals it. */
static void send_part(struct jc_relayed_space *space, size_t from, json_t *pairs)
{
	json_t *message = json_pack(
		"{ss sI so}", "type", "ignores", "from", (json_int_t)from, "pairs", pairs);
	char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;

	if (text) {
		jc_nats_link_request(space->context->link, space->request_subject, text,
			strlen(text), TIMEOUT_MS, on_taken, space);
	}
	free(text);
	json_decref(message);
}

void jc_relayed_people_sweep(struct jc_relayed_space *space, int64_t now_ns)
{
	struct jc_relayed_people *people = &space->people;
	size_t count = 0;
	struct jc_party_pair *pairs =
		space->has_state ? jc_fanout_ignored_pairs(space->views.fanout, space, &count)
				 : NULL;
	bool is_same = count == people->count &&
		       (count == 0 || memcmp(pairs, people->pairs, count * sizeof(*pairs)) == 0);

	if (!space->has_state || (is_same && (count == 0 || now_ns - people->sent_ns < EVERY_NS))) {
		free(pairs);
		return;
	}
	for (size_t from = 0; from == 0 || from < count; from += PART) {
		size_t rest = count - from;

		send_part(space, from,
			jc_ignores_message_pack(
				pairs ? pairs + from : NULL, rest < PART ? rest : PART));
	}
	free(people->pairs);
	people->pairs = pairs;
	people->count = count;
	people->sent_ns = now_ns;
}

void jc_relayed_people_restart(struct jc_relayed_space *space)
{
	space->people.sent_ns = 0;
}

void jc_relayed_people_end(struct jc_relayed_space *space)
{
	struct jc_fanout *fanout =
		space->has_state ? jc_spaces_with_id(space->context->spaces, space->id) : NULL;

	if (fanout) {
		jc_fanout_replace_ignores(fanout, space, NULL, 0);
	}
	free(space->people.pairs);
	space->people = (struct jc_relayed_people){ .count = 0 };
}
