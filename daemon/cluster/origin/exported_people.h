/* The persons of an exported space: edges get the parties of publishers, and the pairs that ignore
 * each other on all hosts. */
#ifndef JC_EXPORTED_PEOPLE_H
#define JC_EXPORTED_PEOPLE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/people/edge_ignores.h"

struct jc_exported_space;

/* All zeros: nothing was published. */
struct jc_exported_people {
	struct jc_edge_ignores edges;
	char *people;                /* owned: JSON text, as published last */
	struct jc_party_pair *pairs; /* owned: as published last */
	size_t count;
};

/* Those of a state are not published again. */
void jc_exported_people_begin(struct jc_exported_space *exported);

/* Publishes the parties of publishers if they changed: before the change of a roster that names
 * their bodies. */
void jc_exported_people_follow(struct jc_exported_space *exported);

/* The same for ignores, and ends the lists of silent edges. Not from within a tick. */
void jc_exported_people_sweep(struct jc_exported_space *exported, int64_t now_ns);

/* Takes the list of an edge. Returns NULL, or what is wrong. */
const char *jc_exported_people_take(struct jc_exported_space *exported, const char *edge,
	const json_t *message, int64_t now_ns);

/* The ignores for the state. NULL: out of memory. */
json_t *jc_exported_people_ignores(const struct jc_exported_space *exported);

/* Ends the ignores of edges, while the space is still there. */
void jc_exported_people_leave(struct jc_exported_space *exported);
void jc_exported_people_finish(struct jc_exported_people *people);

#endif
