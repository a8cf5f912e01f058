/* Guides libFuzzer by the state of the sessions: branches alone say nothing about how long a
 * queue is when a message is handled. The counters of situations.c count as coverage, so
 * libFuzzer keeps an input that reaches one of them for the first time. */
#ifndef JC_TEST_SITUATIONS_H
#define JC_TEST_SITUATIONS_H

#include <stddef.h>
#include <stdint.h>

#include "../../unit/daemon/support/crowd.h"

struct text {
	const char *bytes;
	size_t length;
};

/* The type of a message, or its beginning. */
struct text situations_type(struct text message);

/* The messages of clients are counted from now on: of a crowd that was opened just before. */
void situations_watch(struct crowd *crowd);

/* Counts what a step finds; actor: the guest whose step it is, NULL: the daemon's. The
 * messages that the daemon handles and sends are counted without a call. */
void situations_note(const struct crowd *crowd, struct text step, const struct crowd_guest *actor);

/* FNV-1a; 0 for before at first. */
uint64_t situations_hash(const void *bytes, size_t length, uint64_t before);

#endif
