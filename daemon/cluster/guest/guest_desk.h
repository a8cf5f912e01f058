/* At an origin: redeems invitations for edges. */
#ifndef JC_GUEST_DESK_H
#define JC_GUEST_DESK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jc_auth_policy;
struct jc_guest_desk;
struct jc_invitations;
struct jc_outlet;

/* Borrowed. */
struct jc_guest_desk_options {
	struct jc_outlet *outlet;           /* of answers */
	struct jc_invitations *invitations; /* NULL: there are none. Outlives the desk */
	const struct jc_auth_policy *auth_policy;
	/* Whether this origin serves a space of that name: its edges accept no other tokens. */
	bool (*serves)(void *context, const char *space);
	void *context;
};

/* NULL: out of memory. */
struct jc_guest_desk *jc_guest_desk_create(const struct jc_guest_desk_options *options);

/* Gives no answer any longer. NULL is fine. */
void jc_guest_desk_close(struct jc_guest_desk *desk);

/* Redeems what the request (JSON) of an edge has, and answers to the subject `reply`, in parts:
 * with the token when the use is on the disk. */
void jc_guest_desk_redeem(struct jc_guest_desk *desk, const char *edge, const char *reply,
	const uint8_t *request, size_t length, int64_t now_ns);

#endif
