/* How much of the daemon one person has, over all their connections: a subject, or an
 * address where there is no token. */
#ifndef JC_SHARE_H
#define JC_SHARE_H

#include <stddef.h>

#include "net/session.h"

/* Other connections that have shown a token of the subject. */
size_t jc_share_connections(const struct jc_session *session, const char *subject);

/* Bodies that whoever this is publishes. */
size_t jc_share_bodies(const struct jc_session *session);

#endif
