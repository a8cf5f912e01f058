/* The control messages of the roster: `join`, `leave`, and roster changes. */
#ifndef JC_JOIN_H
#define JC_JOIN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "net/session.h"

void jc_control_join(struct jc_session *session, const json_t *message, int64_t now_ns);
void jc_control_leave(struct jc_session *session, const json_t *message, int64_t now_ns);

/* The subscriber gets the change; or, where other messages wait for it already, one
 * complete roster after them. */
void jc_control_roster_changed(struct jc_session *session, struct jc_view *view,
	const struct jc_announcement *announcement);

/* The complete roster, after the skeletons of its bodies. */
void jc_control_send_roster(struct jc_session *session, struct jc_view *view);

#endif
