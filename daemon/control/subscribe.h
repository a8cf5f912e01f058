/* Ignored parties, the permitted precision, and the messages `worn` and `subscribed`. */
#ifndef JC_SUBSCRIBE_H
#define JC_SUBSCRIBE_H

#include <jansson.h>
#include <stdint.h>

struct jc_client;
struct jc_shown;
struct jc_view;

/* The client ignores no party any longer. */
void jc_subscribe_forget_ignored(struct jc_client *client);

/* Applies the precision that the space permits to the client, and reports a change of it. */
void jc_subscribe_limit(struct jc_client *client, struct jc_view *view);

/* Sends `worn`: the skeletons of bodies from the next bundle on. */
void jc_subscribe_show(struct jc_client *client, const struct jc_view *view,
	const struct jc_shown *shown, size_t count);

#endif
