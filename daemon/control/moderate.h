/* Applies sanctions to bodies and clients. */
#ifndef JC_MODERATE_H
#define JC_MODERATE_H

#include <stdbool.h>

struct jc_client;
struct jc_control;
struct jc_fanout;

/* Hides and mutes the client's bodies according to the sanctions. */
void jc_moderate_client(struct jc_client *client);

/* Removes a client from the space, where it is in it, after a `moderated` message with that
 * action. */
void jc_moderate_throw_out(
	struct jc_client *client, const struct jc_fanout *fanout, const char *action);

/* Removes the persons of an identity from the space, after a message to each, because its origin
 * says so. */
void jc_moderate_remove(struct jc_control *control, const struct jc_fanout *fanout, const char *who,
	const char *text, bool spares_administrators);

/* Ends the client's view and publications in the space. */
void jc_moderate_end(struct jc_client *client, const struct jc_fanout *fanout);

/* Ends expired sanctions and applies the others to all bodies. */
void jc_moderate_sweep(struct jc_control *control);

#endif
