/* Ignored parties, and the message `worn` to subscribers. */
#ifndef JC_SUBSCRIBE_H
#define JC_SUBSCRIBE_H

#include <jansson.h>
#include <stdint.h>

struct jc_client;
struct jc_shown;
struct jc_view;

/* The client ignores no party any longer. */
void jc_subscribe_forget_ignored(struct jc_client *client);

/* Sends `worn`: the skeletons of bodies from the next bundle on. */
void jc_subscribe_show(struct jc_client *client, const struct jc_view *view,
	const struct jc_shown *shown, size_t count);

#endif
