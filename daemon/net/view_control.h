/* The control messages of subscribers: `subscribe`, `unsubscribe`, `keyframe` and
 * `ack`. */
#ifndef JC_VIEW_CONTROL_H
#define JC_VIEW_CONTROL_H

#include <jansson.h>
#include <stdint.h>

#include "net/session.h"

void jc_control_subscribe(struct jc_session *session, const json_t *message, int64_t now_ns);
void jc_control_unsubscribe(struct jc_session *session, const json_t *message, int64_t now_ns);
void jc_control_keyframe(struct jc_session *session, const json_t *message, int64_t now_ns);
void jc_control_ack(struct jc_session *session, const json_t *message, int64_t now_ns);

#endif
