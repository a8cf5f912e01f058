/* The persons of a space on their way to edges, and who ignores whom: JSON of parties
 * (space/people/people.h). proto/CLUSTER.md, "People". */
#ifndef JC_PEOPLE_MESSAGE_H
#define JC_PEOPLE_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/siphash.h"
#include "maxima.h"
#include "space/people/ignores.h"

struct jc_fanout;

/* The publishers of the bodies of a space. */
struct jc_people {
	struct jc_siphash_key key;
	size_t count;
	struct {
		uint32_t body;
		uint64_t party;
	} list[JC_MAX_BODIES];
};

/* {"key", "bodies"}: sources of the origin are not listed. A new reference; NULL: out of memory. */
json_t *jc_people_message_pack(const struct jc_fanout *fanout);

/* Returns NULL, or what is wrong. */
const char *jc_people_message_read(const json_t *message, struct jc_people *out_people);

/* The publisher of a body; JC_PARTY_ELSEWHERE: it is not listed. */
uint64_t jc_people_find(const struct jc_people *people, uint32_t body);

/* A list of texts. NULL: out of memory. */
json_t *jc_ignores_message_pack(const struct jc_party_pair pairs[], size_t count);

/* Reads at most JC_MAX_IGNORES pairs, which the caller frees. Returns NULL, or what is wrong. */
const char *jc_ignores_message_read(
	const json_t *list, struct jc_party_pair **out_pairs, size_t *out_count);

#endif
