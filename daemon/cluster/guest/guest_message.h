/* Data by which edges admit the guests of an origin: the public key of their tokens, and the
 * invitations that hold. proto/CLUSTER.md, "Guests". */
#ifndef JC_GUEST_MESSAGE_H
#define JC_GUEST_MESSAGE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "auth/keyring.h"
#include "auth/token.h"

struct jc_invitations;

/* Those of a space. keyring: of the origin, with the keys of the creators. null where the origin
 * has no invitations. A new reference; NULL: out of memory. */
json_t *jc_guest_message_pack(struct jc_invitations *invitations, const struct jc_keyring *keyring,
	const char *space, int64_t now_s);

/* As an edge has it. All zeros: no guests. */
struct jc_guest_pass {
	struct jc_keyring keyring; /* one key, or none */
	size_t count;
	char (*ids)[JC_INVITATION_ID]; /* owned: of invitations that hold */
};

/* Reads the message into an empty pass, which stays empty on an error. Returns NULL, or what is
 * wrong. */
const char *jc_guest_message_read(const json_t *message, struct jc_guest_pass *out_pass);

void jc_guest_pass_finish(struct jc_guest_pass *pass);

#endif
