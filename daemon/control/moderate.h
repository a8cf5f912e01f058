/* Applies sanctions to bodies and clients. */
#ifndef JC_MODERATE_H
#define JC_MODERATE_H

struct jc_client;
struct jc_control;
struct jc_fanout;

/* Hides and mutes the client's bodies according to the sanctions. */
void jc_moderate_client(struct jc_client *client);

/* Removes a client from the space, where it is in it, after a `moderated` message with that
 * action. */
void jc_moderate_throw_out(
	struct jc_client *client, const struct jc_fanout *fanout, const char *action);

/* Ends expired sanctions and applies the others to all bodies. */
void jc_moderate_sweep(struct jc_control *control);

#endif
