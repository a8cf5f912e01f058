/* The control messages of publishers: `publish`, `consent` and `unpublish`. */
#ifndef JC_PUBLISH_H
#define JC_PUBLISH_H

#include <jansson.h>
#include <stdint.h>

#include "net/session.h"

void jc_control_publish(struct jc_session *session, const json_t *message, int64_t now_ns);
void jc_control_consent(struct jc_session *session, const json_t *message, int64_t now_ns);

/* Its body leaves, and the client is told that the number is free. */
void jc_control_unpublished(struct jc_session *session, struct jc_publication *publication);

void jc_control_unpublish(struct jc_session *session, const json_t *message, int64_t now_ns);

#endif
