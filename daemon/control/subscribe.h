/* The control messages of subscribers: `subscribe`, `unsubscribe`, `viewpoint`, `ignore`,
 * `keyframe` and `ack`, and `worn`, which they are told. */
#ifndef JC_SUBSCRIBE_H
#define JC_SUBSCRIBE_H

#include <jansson.h>
#include <stdint.h>

struct jc_client;
struct jc_shown;
struct jc_view;

/* It ignores nobody any more. */
void jc_subscribe_forget_ignored(struct jc_client *client);

/* How bodies come to it from the next bundle on. */
void jc_subscribe_show(struct jc_client *client, const struct jc_view *view,
	const struct jc_shown *shown, size_t count);

#endif
