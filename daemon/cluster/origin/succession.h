/* What a standby learns from the origin of a space before it takes the space over: sanctions, and
 * the invitations of guests if both have the same secret. proto/CLUSTER.md, "Succession". */
#ifndef JC_SUCCESSION_H
#define JC_SUCCESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "maxima.h"

struct jc_invitations;
struct jc_keyring;
struct jc_moderation;
struct jc_nats_link;

/* The first fields are set by the owner; borrowed. */
struct jc_succession {
	struct jc_nats_link *link;
	const char *host; /* name of this one */
	struct jc_moderation *moderation;
	struct jc_invitations *invitations; /* NULL: there are none */
	const struct jc_keyring *keyring;   /* with the own key of guests, or without */
	bool is_asked;
	int64_t asked_ns;
	char space[JC_MAX_SPACE_NAME]; /* asked for last; "": none */
};

/* Whether it is time to ask about the next of so many spaces: about each every two seconds, and not
 * more than ten times a second. */
bool jc_succession_is_due(const struct jc_succession *succession, size_t spaces, int64_t now_ns);

/* Asks the origin of a space. */
void jc_succession_ask(struct jc_succession *succession, const char *space, int64_t now_ns);

/* Asks no more. */
void jc_succession_end(struct jc_succession *succession);

#endif
