/* All invitations of the daemon: makes, redeems and revokes them, keeps them between runs, and has
 * the key that signs the tokens of guests. */
#ifndef JC_INVITATIONS_H
#define JC_INVITATIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "auth/keyring.h"
#include "base/log.h"
#include "base/state_saver.h"
#include "invitation/invitation_list.h"
#include "invitation/invitation_request.h"
#include "invitation/pairing.h"
#include "invitation/redemption_limits.h"
#include "jointcast/error.h"

struct jc_invitations;

/* Borrowed. */
struct jc_invitations_options {
	uv_loop_t *loop;
	const struct jc_log *log;
	const char *state;  /* directory of the file and of the key */
	const char *secret; /* file of the secret of the key; NULL: in the directory */
	uint64_t retry_ms;  /* delay before the second try of a failed write; 0: one second */
	int64_t now_ns;     /* of CLOCK_MONOTONIC */
};

/* Reads the file of an earlier run. Returns 0, or a negative enum jc_error with the diagnostic
 * filled. */
int jc_invitations_create(const struct jc_invitations_options *options,
	struct jc_invitations **out_invitations, struct jc_diagnostic *diagnostic);

/* Tries once more to write what the file lacks, and lets the loop end. Called while the loop
 * runs; invitations do not change afterwards. NULL is fine. */
void jc_invitations_stop(struct jc_invitations *invitations);

/* Called after the loop has ended. NULL is fine. */
void jc_invitations_destroy(struct jc_invitations *invitations);

/* Adds the daemon's own public key (JC_KEY_INVITE) to a keyring that has keys; an empty one stays
 * empty, and invitations are off. The secret of the key is made at the first call; a check makes
 * none. If it cannot be made, the log has the reason, and invitations are off. Returns 0, or a
 * negative enum jc_error with the diagnostic filled. */
int jc_invitations_add_key(struct jc_invitations *invitations, struct jc_keyring *keyring,
	bool is_check, struct jc_diagnostic *diagnostic);

/* A secret of JC_PEOPLE_SECRET bytes (guest_key.h) that is the same in each run, for persons in
 * spaces; NULL: the daemon has no key. */
const uint8_t *jc_invitations_people(const struct jc_invitations *invitations);

/* The creator of an invitation. The caller has checked that the creator has the rights that the
 * invitation gives. */
struct jc_inviter {
	const struct jc_grant *grant;
	int64_t now_s, now_ns;
};

/* The secret of a new invitation, for the creator alone. */
struct jc_invitation_secret {
	char secret[JC_SECRET_TEXT]; /* or empty: */
	char code[JC_PAIRING_TEXT];  /* a pairing code */
};

/* Makes an invitation, which expires with the creator's token at the latest. Returns 0,
 * JC_ERROR_LIMIT, JC_ERROR_MEMORY, or JC_ERROR_UNSUPPORTED if the system has no random bytes. */
int jc_invitations_make(struct jc_invitations *invitations,
	const struct jc_invitation_request *request, const struct jc_inviter *inviter,
	struct jc_invitation *out_invitation, struct jc_invitation_secret *out_secret);

/* The guest of a redemption. */
struct jc_guest {
	struct jc_redemption_source source;
	const struct jc_keyring *keyring; /* with the keys of the creators */
	int64_t now_s, now_ns;
};

/* Redeems an invitation: counts a use. Returns 0, JC_ERROR_ABSENT if the secret or the code is
 * unknown or its invitation has ended, or JC_ERROR_LIMIT after too many of these failures. */
int jc_invitations_redeem(struct jc_invitations *invitations,
	const struct jc_redemption_request *request, const struct jc_guest *guest,
	struct jc_invitation *out_invitation);

/* The answer to a redemption, JSON with a new token, for the guest alone. NULL: out of memory or of
 * random bytes. The caller frees it with jc_guest_token_free. */
char *jc_invitations_welcome(const struct jc_invitations *invitations,
	const struct jc_invitation *invitation, const char *audience, int64_t now_s);

/* Takes back a making or a use that could not be stored. */
void jc_invitations_forget(struct jc_invitations *invitations, const char *id);
void jc_invitations_return_use(struct jc_invitations *invitations, const char *id);

/* Replaces the ids of the invitations to a space that were made at another origin with the same
 * secret: their tokens are accepted. Returns 0, JC_ERROR_LIMIT or JC_ERROR_MEMORY. */
int jc_invitations_adopt(struct jc_invitations *invitations, const char *space,
	const char (*ids)[JC_INVITATION_ID], size_t count);

/* Calls for each adopted invitation to a space. */
void jc_invitations_each_adopted(const struct jc_invitations *invitations, const char *space,
	void (*call)(void *context, const char *id), void *context);

/* Revokes an invitation and its tokens. */
void jc_invitations_revoke(struct jc_invitations *invitations, const char *id);

/* Whether tokens of an invitation are accepted: it is known and not revoked, and neither is the key
 * of its creator. Its tokens have their own end. */
bool jc_invitations_accept(
	const struct jc_invitations *invitations, const struct jc_keyring *keyring, const char *id);

/* Changes with the list. */
uint64_t jc_invitations_revision(const struct jc_invitations *invitations);

/* Those whose tokens may still be valid. */
const struct jc_invitation_list *jc_invitations_list(
	struct jc_invitations *invitations, int64_t now_s);

/* Waits until the last change is on the disk (state_saver.h). */
void jc_invitations_await(struct jc_invitations *invitations, struct jc_state_wait *wait);

/* The error of the last write if the file lacks the newest changes, else NULL. */
const struct jc_diagnostic *jc_invitations_problem(const struct jc_invitations *invitations);

#endif
