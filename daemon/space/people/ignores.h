/* Which participants of a space ignore each other. It works both ways: neither receives
 * motion of the other. */
#ifndef JC_IGNORES_H
#define JC_IGNORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jc_ignore {
	/* A party is a participant: a subject with a token, else a connection. 0 is the server,
	 * which
	 * cannot be ignored. */
	uint64_t low, high;
	void *by; /* the subscriber that ignores, or what stands for another host */
};

/* Two parties that ignore each other, low below high. */
struct jc_party_pair {
	uint64_t low, high;
};

/* All zeros: empty. */
struct jc_ignores {
	size_t count, capacity;
	struct jc_ignore *list; /* owned, ascending */
};

void jc_ignores_finish(struct jc_ignores *ignores);

/* Returns whether the pair is new; false without memory. */
bool jc_ignores_add(struct jc_ignores *ignores, uint64_t a, uint64_t b, void *by);

/* Returns whether the pair existed. */
bool jc_ignores_remove(struct jc_ignores *ignores, uint64_t a, uint64_t b, void *by);

/* Replaces all pairs of `by`. Returns 1 if they changed, 0 if not, or JC_ERROR_MEMORY without a
 * change. */
int jc_ignores_replace(
	struct jc_ignores *ignores, void *by, const struct jc_party_pair pairs[], size_t count);

/* Removes all pairs of a subscriber. Returns whether there were any. */
bool jc_ignores_forget(struct jc_ignores *ignores, const void *by);

/* Replaces party `from` by `to`, which may exist already. A party does not ignore itself. */
void jc_ignores_rename(struct jc_ignores *ignores, uint64_t from, uint64_t to);

bool jc_ignores_between(const struct jc_ignores *ignores, uint64_t a, uint64_t b);

#endif
