/* How much of the daemon one person has, over all their connections: a subject, or an
 * address where there is no token. */
#ifndef JC_QUOTA_H
#define JC_QUOTA_H

#include <stdbool.h>
#include <stddef.h>

struct jc_client;
struct jc_publication;
struct jc_space;

/* Other connections that have shown a token of the subject. */
size_t jc_quota_connections(const struct jc_client *client, const char *subject);

/* Whether that publication of another connection makes way for a body that whoever this is
 * publishes by that name: they come back while the line that dropped is not missed yet. */
bool jc_quota_makes_way(const struct jc_client *client, const struct jc_client *other,
	const struct jc_publication *publication, const struct jc_space *space, const char *name);

/* Bodies that whoever this is publishes, but for those that make way for one of that name. */
size_t jc_quota_bodies(
	const struct jc_client *client, const struct jc_space *space, const char *name);

#endif
