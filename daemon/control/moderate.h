/* The control message `moderate`, and that what moderators ordered is so. */
#ifndef JC_MODERATE_H
#define JC_MODERATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "moderation/sanctions.h"
#include "net/session.h"

struct jc_server;

void jc_control_moderate(struct jc_session *session, const json_t *message, int64_t now_ns);

/* What keeps a session out of a space; NULL: nothing. */
const struct jc_sanction *jc_moderate_ban(const struct jc_session *session, const char *space);

/* The bodies of a session are hidden and muted as they should be. */
void jc_moderate_session(struct jc_session *session);

/* Whoever is in the space is told so, by an action of `moderated`, and leaves it. */
void jc_moderate_throw_out(
	struct jc_session *session, const struct jc_fanout *fanout, const char *action);

/* All bodies are; sanctions whose time has come end. */
void jc_moderate_sweep(struct jc_server *server);

#endif
