/* The bodies that a client publishes. Each belongs to one connection: only this connection
 * moves the body, and the body leaves when the connection ends. */
#ifndef JC_PUBLICATION_H
#define JC_PUBLICATION_H

#include <stddef.h>
#include <stdint.h>

#include "base/token_bucket.h"
#include "maxima.h"
#include "source/publisher_source.h"
#include "space/space.h"

struct jc_client;

struct jc_publication {
	struct jc_space *space;                /* borrowed; NULL: the entry is free */
	uint8_t number;                        /* chosen by the client */
	char requested_name[JC_MAX_BODY_NAME]; /* the requested name */
	uint32_t body;
	struct jc_source *source; /* borrowed: the space owns it */
};

struct jc_publications {
	size_t count;                /* entries of the list: 0 until the first is published, */
	struct jc_publication *list; /* owned; then JC_MAX_PUBLICATIONS */
	struct jc_token_bucket captures, bytes;
	struct jc_token_bucket lost;           /* errors for captures without a publication */
	struct jc_token_bucket begun, changes; /* rates of `publish` and `amend` */
	uint64_t dropped;                      /* captures above these limits */
};

void jc_publications_init(struct jc_publications *publications, int64_t now_ns);
void jc_publications_finish(struct jc_publications *publications); /* after they have ended */

/* The publication of that number; NULL: none. */
struct jc_publication *jc_publications_find(struct jc_publications *publications, int64_t number);

/* A free entry; NULL: the list is full, or there is no memory. */
struct jc_publication *jc_publications_free(struct jc_publications *publications);

/* The name of its body in the space. */
const char *jc_publication_name(const struct jc_publication *publication);

/* Removes the body from the space and frees the entry. */
void jc_publication_end(struct jc_publication *publication);
void jc_publications_end(struct jc_publications *publications);

/* One binary message from a client. */
void jc_publication_receive(
	struct jc_client *client, const uint8_t *bytes, size_t length, int64_t now_ns);

#endif
