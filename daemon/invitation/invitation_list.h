/* The list of invitations: rights of the guest, creator, end and uses of each. */
#ifndef JC_INVITATION_LIST_H
#define JC_INVITATION_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "auth/token.h"
#include "invitation/secret.h"
#include "maxima.h"

/* Plain data. */
struct jc_invitation {
	char id[JC_INVITATION_ID]; /* public: in tokens, lists and addresses */
	char space[JC_MAX_SPACE_NAME];
	enum jc_role role; /* JC_ROLE_WATCH or JC_ROLE_PUBLISH */
	char note[JC_MAX_INVITATION_NOTE];
	char by[JC_MAX_SUBJECT]; /* its creator, */
	char key_id[JC_KEY_ID];  /* and the key of the creator's token */
	int64_t expires_s;       /* Unix time */
	unsigned uses, used;
	bool is_revoked;
	bool has_secret;       /* false: a pairing code leads to it */
	struct jc_digest hash; /* of the secret */
};

/* Empty when all zeros. */
struct jc_invitation_list {
	size_t count, capacity;
	struct jc_invitation *list; /* owned, the oldest first */
};

void jc_invitation_list_finish(struct jc_invitation_list *invitations);

/* Copies into an empty list. Returns 0 or JC_ERROR_MEMORY. */
int jc_invitation_list_copy(
	const struct jc_invitation_list *invitations, struct jc_invitation_list *out_copy);

/* Appends an invitation. Returns 0, JC_ERROR_LIMIT if there are JC_MAX_INVITATIONS, or
 * JC_MAX_INVITATIONS_OF_ONE of this creator, JC_ERROR_INVALID if the id exists, or
 * JC_ERROR_MEMORY. */
int jc_invitation_list_add(
	struct jc_invitation_list *invitations, const struct jc_invitation *invitation);

/* Removes an invitation; false: there was none. */
bool jc_invitation_list_remove(struct jc_invitation_list *invitations, const char *id);

/* Removes invitations whose tokens have all expired. */
void jc_invitation_list_expire(struct jc_invitation_list *invitations, int64_t now_s);

/* NULL if there is none. */
struct jc_invitation *jc_invitation_list_find(
	const struct jc_invitation_list *invitations, const char *id);

/* The invitation with the secret of that hash, NULL if there is none. The time does not depend on
 * the hashes. */
struct jc_invitation *jc_invitation_list_find_hash(
	const struct jc_invitation_list *invitations, const struct jc_digest *hash);

#endif
