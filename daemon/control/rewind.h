/* Looking back: what was in a space lately plays in a space of its own, for who asked. */
#ifndef JC_REWIND_H
#define JC_REWIND_H

#include <jansson.h>
#include <stdint.h>

struct jc_client;
struct jc_fanout;

/* What `rewind` asks for; its errors are answered. */
void jc_rewind_begin(
	struct jc_client *client, struct jc_fanout *fanout, const json_t *message, int64_t now_ns);

#endif
