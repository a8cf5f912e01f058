/* The control messages of subscribers: `subscribe`, `unsubscribe`, `viewpoint`, `ignore`,
 * `keyframe` and `ack`, and `worn`, which they are told. */
#ifndef JC_SUBSCRIBE_H
#define JC_SUBSCRIBE_H

#include <jansson.h>
#include <stdint.h>

#include "net/session.h"

void jc_control_subscribe(struct jc_session *session, const json_t *message, int64_t now_ns);
void jc_control_unsubscribe(struct jc_session *session, const json_t *message, int64_t now_ns);
void jc_control_viewpoint(struct jc_session *session, const json_t *message, int64_t now_ns);
void jc_control_ignore(struct jc_session *session, const json_t *message, int64_t now_ns);
void jc_control_keyframe(struct jc_session *session, const json_t *message, int64_t now_ns);
void jc_control_ack(struct jc_session *session, const json_t *message, int64_t now_ns);

/* Says who it is to those who ignore it, as its token has it now. */
void jc_control_identify(struct jc_session *session);

/* It ignores nobody any more. */
void jc_control_forget_ignored(struct jc_session *session);

/* How bodies come to it from the next bundle on. */
void jc_control_shown(struct jc_session *session, const struct jc_view *view,
	const struct jc_shown *shown, size_t count);

#endif
