/* The control message `moderate`, and that what moderators ordered is so. */
#ifndef JC_MODERATE_H
#define JC_MODERATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct jc_client;
struct jc_control;
struct jc_fanout;

/* The bodies of a session are hidden and muted as they should be. */
void jc_moderate_client(struct jc_client *client);

/* Whoever is in the space is told so, by an action of `moderated`, and leaves it. */
void jc_moderate_throw_out(
	struct jc_client *client, const struct jc_fanout *fanout, const char *action);

/* All bodies are; sanctions whose time has come end. */
void jc_moderate_sweep(struct jc_control *control);

#endif
