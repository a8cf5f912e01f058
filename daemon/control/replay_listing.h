/* What there is to be replayed, for a client that may be gone by the time it is known. */
#ifndef JC_REPLAY_LISTING_H
#define JC_REPLAY_LISTING_H

#include <stdbool.h>
#include <stdint.h>

struct jc_client;
struct jc_fanout;

/* Whether there is a folder of recordings, for somebody who may have them play there. */
bool jc_replay_listing_is_for(const struct jc_client *client, const char *space);

/* What `list` asked for, once the folder was read; its errors are answered. */
void jc_replay_listing_begin(
	struct jc_client *client, const struct jc_fanout *fanout, int64_t now_ns);

#endif
