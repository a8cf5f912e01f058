/* The persons of a relayed space: parties of publishers as the origin announces them, and who
 * ignores whom, of clients here and on all hosts. */
#ifndef JC_RELAYED_PEOPLE_H
#define JC_RELAYED_PEOPLE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/people/people_message.h"

struct jc_relayed_space;

/* All zeros: nothing is known. */
struct jc_relayed_people {
	struct jc_people people;
	struct jc_party_pair *pairs; /* owned: of clients here, as sent last */
	size_t count;
	int64_t sent_ns;
};

/* Take messages of the origin. NULL: the origin has sent none. Return NULL, or what is wrong. */
const char *jc_relayed_people_take(struct jc_relayed_space *space, const json_t *message);
const char *jc_relayed_people_take_ignores(struct jc_relayed_space *space, const json_t *list);

/* Reports the ignores of clients here to the origin, at changes and again before they expire. */
void jc_relayed_people_sweep(struct jc_relayed_space *space, int64_t now_ns);

/* Another process answers: it has heard of no ignores. */
void jc_relayed_people_restart(struct jc_relayed_space *space);

/* Ends the ignores of other hosts. The space of the daemon may have ended. */
void jc_relayed_people_end(struct jc_relayed_space *space);

#endif
