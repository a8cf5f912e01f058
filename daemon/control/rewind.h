/* Looking back: what was in a space lately plays in a space of its own, for who asked. */
#ifndef JC_REWIND_H
#define JC_REWIND_H

#include <jansson.h>
#include <stdint.h>

#include "net/session.h"

/* What `rewind` asks for; its errors are answered. */
void jc_rewinding_begin(struct jc_session *session, struct jc_fanout *fanout, const json_t *message,
	int64_t now_ns);

#endif
