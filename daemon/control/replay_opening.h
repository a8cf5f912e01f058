/* A recording on its way from the disk to a space, for a client that may be gone by
 * then. */
#ifndef JC_REPLAY_OPENING_H
#define JC_REPLAY_OPENING_H

#include <jansson.h>
#include <stdint.h>

struct jc_client;
struct jc_fanout;

/* What `open` asked for, once the file is there; its errors are answered. */
void jc_replay_opening_begin(
	struct jc_client *client, struct jc_fanout *fanout, const json_t *message, int64_t now_ns);

#endif
