/* The control messages of the roster: `join`, `leave`, and what changes in it. */
#ifndef JC_ROSTER_CONTROL_H
#define JC_ROSTER_CONTROL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "net/session.h"

void jc_control_join(struct jc_session *session, const json_t *message, int64_t now_ns);
void jc_control_leave(struct jc_session *session, const json_t *message, int64_t now_ns);

/* The roster entry of a body is new. */
void jc_control_body_changed(
	struct jc_session *session, struct jc_view *view, const struct jc_body *body, bool joined);

/* It has no roster entry any more. */
void jc_control_body_left(struct jc_session *session, struct jc_view *view, uint32_t id);
void jc_control_recorded(struct jc_session *session, struct jc_view *view);

#endif
