/* What a standby and the origin of a space exchange, so that either can serve it after the other:
 * sanctions, and the invitations of guests if both have the same secret. proto/CLUSTER.md,
 * "Succession". */
#ifndef JC_SUCCESSION_H
#define JC_SUCCESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/parts.h"
#include "maxima.h"

struct jc_invitations;
struct jc_keyring;
struct jc_moderation;
struct jc_nats_link;
struct jc_nats_subscription;

/* The first fields are set by the owner; borrowed. */
struct jc_succession {
	struct jc_nats_link *link;
	const char *host; /* name of this one */
	struct jc_moderation *moderation;
	struct jc_invitations *invitations; /* NULL: there are none */
	const struct jc_keyring *keyring;   /* with the own key of guests, or without */
	bool (*serves)(void *context, const char *space); /* whether this is its origin */
	void *context;
	bool is_asked;
	int64_t asked_ns;
	char space[JC_MAX_SPACE_NAME];        /* asked for last; "": none */
	struct jc_nats_subscription *returns; /* owned: what standbys return */
	struct jc_parts parts;                /* of that */
};

/* Takes what standbys return for the spaces that this host serves. Returns 0 or an error of
 * jc_nats_link_subscribe. */
int jc_succession_begin(struct jc_succession *succession);

/* Whether it is time to ask about the next of so many spaces: about each every two seconds, and not
 * more than ten times a second. */
bool jc_succession_is_due(const struct jc_succession *succession, size_t spaces, int64_t now_ns);

/* Asks the origin of a space, and returns to it what was changed here later than there. */
void jc_succession_ask(struct jc_succession *succession, const char *space, int64_t now_ns);

/* Asks and takes no more. */
void jc_succession_end(struct jc_succession *succession);

#endif
