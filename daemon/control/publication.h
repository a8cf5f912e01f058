/* The bodies that a client publishes: each belongs to its connection, is moved by
 * nobody else and leaves with it. */
#ifndef JC_PUBLICATION_H
#define JC_PUBLICATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/token_bucket.h"
#include "maxima.h"
#include "source/publisher_source.h"
#include "space/space.h"

struct jc_client;

struct jc_publication {
	struct jc_space *space;       /* borrowed; NULL: there is none */
	uint8_t number;               /* the client's name for it */
	char asked[JC_MAX_BODY_NAME]; /* the name that it asked for */
	uint32_t body;
	struct jc_source *source; /* borrowed: the space owns it */
};

struct jc_publications {
	size_t count;                /* of the list: 0 until the first is published, */
	struct jc_publication *list; /* owned; then JC_MAX_PUBLICATIONS */
	struct jc_token_bucket captures, bytes;
	struct jc_token_bucket begun,
		changes;  /* how often bodies enter, or are said to be others */
	uint64_t dropped; /* captures that were beyond these */
};

void jc_publications_init(struct jc_publications *publications, int64_t now_ns);
void jc_publications_finish(struct jc_publications *publications); /* after they have ended */

/* The one of that number; NULL where none has it. */
struct jc_publication *jc_publications_find(struct jc_publications *publications, int64_t number);

/* One that can be filled; NULL where there are as many as there may be, or no memory. */
struct jc_publication *jc_publications_free(struct jc_publications *publications);

/* What its body is called in the space. */
const char *jc_publication_name(const struct jc_publication *publication);

/* Its body leaves. */
void jc_publication_end(struct jc_publication *publication);
void jc_publications_end(struct jc_publications *publications);

/* One binary message from a client. */
void jc_publication_receive(
	struct jc_client *client, const uint8_t *bytes, size_t length, int64_t now_ns);

#endif
