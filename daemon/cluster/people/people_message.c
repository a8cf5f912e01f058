/* Reading is strict: a person that an edge does not know could not be ignored there. */
#include "cluster/people/people_message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/little_endian.h"
#include "cluster/people/party_text.h"
#include "space/people/people.h"
#include "space/space.h"

#define DIGITS (JC_PARTY_TEXT - 1)

static void write_two(uint64_t one, uint64_t other, char out_text[2 * DIGITS + 1])
{
	jc_party_write(one, out_text);
	jc_party_write(other, out_text + DIGITS);
}

static bool read_two(const json_t *value, uint64_t *out_one, uint64_t *out_other)
{
	const char *text = json_string_value(value);

	return text && json_string_length(value) == 2 * DIGITS && jc_party_read(text, out_one) &&
	       jc_party_read(text + DIGITS, out_other);
}

json_t *jc_people_message_pack(const struct jc_fanout *fanout)
{
	const uint8_t *key = fanout->people_key.bytes;
	json_t *bodies = json_object();
	char text[2 * DIGITS + 1];

	for (size_t i = 0; i < jc_space_body_count(fanout->space); i++) {
		const struct jc_body *body = jc_space_body(fanout->space, i);
		char id[16];

		if (body->source->party != 0) {
			snprintf(id, sizeof(id), "%u", (unsigned)body->id);
			jc_party_write(body->source->party, text);
			json_object_set_new(bodies, id, json_string(text));
		}
	}
	write_two(jc_get_u64(key), jc_get_u64(key + 8), text);
	return json_pack("{ss so}", "key", text, "bodies", bodies);
}

static bool read_id(const char *text, uint32_t *out_id)
{
	char *end;
	unsigned long long id = strtoull(text, &end, 10);

	*out_id = (uint32_t)id;
	return text[0] >= '0' && text[0] <= '9' && !*end && id <= UINT32_MAX;
}

const char *jc_people_message_read(const json_t *message, struct jc_people *out_people)
{
	json_t *bodies = json_object_get(message, "bodies");
	struct jc_people people = { .count = 0 };
	uint64_t halves[2];
	const char *name;
	json_t *value;

	if (!read_two(json_object_get(message, "key"), &halves[0], &halves[1])) {
		return "people have no key";
	}
	if (!json_is_object(bodies) || json_object_size(bodies) > JC_MAX_BODIES) {
		return "the bodies of people must be an object";
	}
	jc_put_u64(people.key.bytes, halves[0]);
	jc_put_u64(people.key.bytes + 8, halves[1]);
	json_object_foreach(bodies, name, value)
	{
		const char *text = json_string_value(value);

		if (!text || json_string_length(value) != DIGITS ||
			!read_id(name, &people.list[people.count].body) ||
			!jc_party_read(text, &people.list[people.count].party)) {
			return "the publisher of a body must be 16 hex digits";
		}
		people.count++;
	}
	*out_people = people;
	return NULL;
}

uint64_t jc_people_find(const struct jc_people *people, uint32_t body)
{
	for (size_t i = 0; i < people->count; i++) {
		if (people->list[i].body == body) {
			return people->list[i].party;
		}
	}
	return JC_PARTY_ELSEWHERE;
}

json_t *jc_ignores_message_pack(const struct jc_party_pair pairs[], size_t count)
{
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++) {
		char text[2 * DIGITS + 1];

		write_two(pairs[i].low, pairs[i].high, text);
		json_array_append_new(list, json_string(text));
	}
	return list;
}

const char *jc_ignores_message_read(
	const json_t *list, struct jc_party_pair **out_pairs, size_t *out_count)
{
	size_t count = json_array_size(list);
	struct jc_party_pair *pairs;

	if (!json_is_array(list) || count > JC_MAX_IGNORES) {
		return "ignores must be a list";
	}
	pairs = calloc(count + 1, sizeof(*pairs));
	if (!pairs) {
		return "out of memory";
	}
	for (size_t i = 0; i < count; i++) {
		if (!read_two(json_array_get(list, i), &pairs[i].low, &pairs[i].high) ||
			pairs[i].low >= pairs[i].high) {
			free(pairs);
			return "an ignore must be 32 hex digits, the lower party first";
		}
	}
	*out_pairs = pairs;
	*out_count = count;
	return NULL;
}
