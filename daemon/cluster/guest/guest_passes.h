/* At an edge: whether the tokens of guests are accepted, for each relayed space as its origin
 * announced it last. */
#ifndef JC_GUEST_PASSES_H
#define JC_GUEST_PASSES_H

#include <stdbool.h>

#include "cluster/guest/guest_message.h"
#include "maxima.h"

struct jc_guest_passes {
	size_t count;
	struct {
		char space[JC_MAX_SPACE_NAME];
		struct jc_guest_pass pass;
	} list[JC_MAX_SPACES];
};

void jc_guest_passes_finish(struct jc_guest_passes *passes);

/* Takes the message of the origin of a space; it replaces the one before. Returns NULL, or what is
 * wrong: then nothing changes. */
const char *jc_guest_passes_take(
	struct jc_guest_passes *passes, const char *space, const json_t *message);

/* The edge no longer serves the space. */
void jc_guest_passes_drop(struct jc_guest_passes *passes, const char *space);

/* The key of the origin that has the invitation; NULL: none has it. */
const struct jc_keyring *jc_guest_passes_keyring(
	const struct jc_guest_passes *passes, const char *id);

/* Whether the origin of the space of the guest accepts its tokens. A token of an invitation names
 * one space; no other is accepted. */
bool jc_guest_passes_accept(const struct jc_guest_passes *passes, const struct jc_grant *grant);

#endif
