/* Pairing codes: short texts that a person types instead of a link. A code has ten characters of
 * Crockford's base32, written XX-XXXX-XXXX: two name a slot, eight are secret (40 bits). It holds
 * for two minutes and one use, and five failures void it. Codes end with the daemon. */
#ifndef JC_PAIRING_H
#define JC_PAIRING_H

#include <stdbool.h>
#include <stdint.h>

#include "auth/token.h"
#include "invitation/secret.h"
#include "maxima.h"

#define JC_PAIRING_TEXT     13u /* bytes of a code with its hyphens and the NUL */
#define JC_PAIRING_SECONDS  120
#define JC_PAIRING_FAILURES 5u

struct jc_pairing {
	char id[JC_INVITATION_ID]; /* of its invitation; empty: the slot is free */
	char by[JC_MAX_SUBJECT];   /* the creator's subject */
	unsigned slot;             /* 0 to 1023, which the first two characters name */
	struct jc_digest hash;     /* of the ten characters */
	unsigned failures;
	int64_t until_ns; /* of CLOCK_MONOTONIC */
};

/* All zeros: no codes. */
struct jc_pairings {
	struct jc_pairing list[JC_MAX_PAIRINGS];
};

/* Makes a code for an invitation of a subject. Returns 0, JC_ERROR_LIMIT if there are too many
 * codes of all or of that subject, or JC_ERROR_UNSUPPORTED if the system has no random bytes. */
int jc_pairings_add(struct jc_pairings *pairings, const char *id, const char *by, int64_t now_ns,
	char out_code[JC_PAIRING_TEXT]);

/* Takes a code as a person types it: letters of any case, O for 0, I and L for 1, with or without
 * hyphens and spaces. Returns whether it is right; then it is used up, and *out_id names its
 * invitation. A wrong code counts as a failure of the slot that it names. A code is hashed and
 * compared with all codes whether or not there is such a slot. */
bool jc_pairings_take(struct jc_pairings *pairings, const char *code, int64_t now_ns,
	char out_id[JC_INVITATION_ID]);

/* Whether a code, right or wrong, names the slot of a code that holds. */
bool jc_pairings_names(const struct jc_pairings *pairings, const char *code, int64_t now_ns);

/* Voids the code of an invitation, if it has one. */
void jc_pairings_remove(struct jc_pairings *pairings, const char *id);

#endif
