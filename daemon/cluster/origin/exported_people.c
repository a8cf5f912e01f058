/* Compares with what was published last, so that no place that changes them has to know of edges.
 */
#include "cluster/origin/exported_people.h"

#include <stdlib.h>
#include <string.h>

#include "cluster/origin/export_private.h"
#include "cluster/people/people_message.h"
#include "jointcast_private/json.h"
#include "space/people/people.h"

#define NS_PER_SECOND INT64_C(1000000000)

void jc_exported_people_begin(struct jc_exported_space *exported)
{
	json_t *message = jc_people_message_pack(exported->fanout);

	exported->people.people = message ? json_dumps(message, JSON_COMPACT) : NULL;
	json_decref(message);
}

void jc_exported_people_follow(struct jc_exported_space *exported)
{
	struct jc_exported_people *people = &exported->people;
	json_t *message = jc_people_message_pack(exported->fanout);
	char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;

	if (text && (!people->people || strcmp(text, people->people) != 0)) {
		free(people->people);
		people->people = text;
		jc_export_publish_change(exported, "people", message);
	} else {
		free(text);
		json_decref(message);
	}
}

json_t *jc_exported_people_ignores(const struct jc_exported_space *exported)
{
	size_t count;
	struct jc_party_pair *pairs = jc_fanout_ignored_pairs(exported->fanout, NULL, &count);
	json_t *list = jc_ignores_message_pack(pairs, count);

	free(pairs);
	return list;
}

static void follow_ignores(struct jc_exported_space *exported)
{
	struct jc_exported_people *people = &exported->people;
	size_t count;
	struct jc_party_pair *pairs = jc_fanout_ignored_pairs(exported->fanout, NULL, &count);

	if (count == people->count &&
		(count == 0 || memcmp(pairs, people->pairs, count * sizeof(*pairs)) == 0)) {
		free(pairs);
		return;
	}
	free(people->pairs);
	people->pairs = pairs;
	people->count = count;
	jc_export_publish_change(exported, "ignores", jc_ignores_message_pack(pairs, count));
}

/* The fanout has the pairs of all edges, beside those of its own clients. */
static void apply(struct jc_exported_space *exported)
{
	size_t count;
	struct jc_party_pair *pairs = jc_edge_ignores_all(&exported->people.edges, &count);

	jc_fanout_replace_ignores(exported->fanout, exported, pairs, count);
	free(pairs);
	follow_ignores(exported);
}

void jc_exported_people_sweep(struct jc_exported_space *exported, int64_t now_ns)
{
	jc_exported_people_follow(exported);
	if (jc_edge_ignores_expire(&exported->people.edges, now_ns)) {
		apply(exported);
	} else {
		follow_ignores(exported);
	}
}

const char *jc_exported_people_take(
	struct jc_exported_space *exported, const char *edge, const json_t *message, int64_t now_ns)
{
	struct jc_party_pair *pairs;
	long long from;
	size_t count;
	const char *wrong;

	if (!jc_json_is_integer(json_object_get(message, "from"), &from) || from < 0 ||
		from > JC_MAX_IGNORES) {
		return "from must be an index";
	}
	wrong = jc_ignores_message_read(json_object_get(message, "pairs"), &pairs, &count);
	if (wrong) {
		return wrong;
	}
	int status = jc_edge_ignores_take(&exported->people.edges, edge, (size_t)from, pairs, count,
		now_ns + JC_MAX_INTEREST_SECONDS * NS_PER_SECOND);

	free(pairs);
	if (status != JC_OK) {
		return status == JC_ERROR_INVALID ? "a part of the list is missing"
						  : "too many ignores or edges";
	}
	apply(exported);
	return NULL;
}

void jc_exported_people_leave(struct jc_exported_space *exported)
{
	jc_fanout_replace_ignores(exported->fanout, exported, NULL, 0);
}

void jc_exported_people_finish(struct jc_exported_people *people)
{
	jc_edge_ignores_finish(&people->edges);
	free(people->people);
	free(people->pairs);
	*people = (struct jc_exported_people){ .count = 0 };
}
