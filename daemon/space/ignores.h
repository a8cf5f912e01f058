/* Which participants of a space ignore each other. It works both ways: neither receives
 * motion of the other. */
#ifndef JC_IGNORES_H
#define JC_IGNORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jc_ignore {
	/* A party is who watches or publishes: a subject with a token, else a connection. 0 is
	 * the server itself, which nobody ignores. */
	uint64_t low, high;
	const void *by; /* whose wish it is */
};

/* All zeros: nobody. */
struct jc_ignores {
	size_t count, capacity;
	struct jc_ignore *list; /* owned, ascending */
};

void jc_ignores_finish(struct jc_ignores *ignores);

/* Whether that is new; false without memory too. */
bool jc_ignores_add(struct jc_ignores *ignores, uint64_t a, uint64_t b, const void *by);

/* Whether it was there. */
bool jc_ignores_remove(struct jc_ignores *ignores, uint64_t a, uint64_t b, const void *by);

/* All that somebody wished for. Whether there was anything. */
bool jc_ignores_forget(struct jc_ignores *ignores, const void *by);

/* Who was `from` is `to` from now on, whom others may know already, and does not ignore
 * itself. */
void jc_ignores_rename(struct jc_ignores *ignores, uint64_t from, uint64_t to);

bool jc_ignores_between(const struct jc_ignores *ignores, uint64_t a, uint64_t b);

#endif
