/* State of a body that a client publishes in a relayed space. An edge keeps it so that it can
 * publish the body again after the origin was lost. Pure. */
#ifndef JC_KEPT_PUBLICATION_H
#define JC_KEPT_PUBLICATION_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "maxima.h"

enum jc_kept_state {
	JC_KEPT_NONE,  /* the entry is free */
	JC_KEPT_ASKED, /* the client waits for the answer to `publish` */
	JC_KEPT_OPEN,  /* the origin has the body */
	JC_KEPT_LOST,  /* the origin was lost: the edge publishes it again */
};

struct jc_kept_publication {
	enum jc_kept_state state;
	uint8_t number; /* chosen by the client */
	char space[JC_MAX_SPACE_NAME];
	uint32_t body;   /* id at the origin; of JC_KEPT_LOST: the last one */
	bool is_again;   /* of JC_KEPT_LOST: `publish` is sent, and not yet answered */
	bool is_stale;   /* the client has changed it since then */
	json_t *publish; /* owned: the fields of `publish` in force */
};

/* Begins with a message `publish`. Returns 0 or JC_ERROR_MEMORY. */
int jc_kept_publication_init(
	struct jc_kept_publication *kept, const char *space, uint8_t number, const json_t *publish);

/* Frees the entry. */
void jc_kept_publication_finish(struct jc_kept_publication *kept);

/* A message `consent`, also one that is not answered yet: what is not clearly given is withdrawn.
 * `consented` may answer an older message. */
void jc_kept_publication_consent(struct jc_kept_publication *kept, const json_t *consent);

/* A message `amend` that was accepted. */
void jc_kept_publication_amend(struct jc_kept_publication *kept, const json_t *amend);

/* A message `place`; an invalid one changes nothing. */
void jc_kept_publication_place(struct jc_kept_publication *kept, const json_t *place);

/* The message `publish` with the field `request`; the caller frees the text. NULL: out of memory.
 */
char *jc_kept_publication_write(const struct jc_kept_publication *kept, const char *request);

#endif
