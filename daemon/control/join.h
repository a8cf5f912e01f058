/* Rosters and skeletons for subscribers. */
#ifndef JC_JOIN_H
#define JC_JOIN_H

struct jc_announcement;
struct jc_client;
struct jc_skeleton_asset;
struct jc_view;

/* Sends a change of the roster; where messages wait already, one complete roster follows
 * them instead. */
void jc_join_announce(
	struct jc_client *client, struct jc_view *view, const struct jc_announcement *announcement);

/* Sends the complete rosters of views that are behind. A roster waits until the queue of the
 * session is empty, so at most one roster of each view is pending. */
void jc_join_send_due_rosters(struct jc_client *client);

/* Sends the message of a skeleton, once for each client and skeleton. */
void jc_join_send_skeleton(struct jc_client *client, struct jc_skeleton_asset *asset);

/* Sends the props of the space, if they have changed since the last time. */
void jc_join_send_props(struct jc_client *client, struct jc_view *view);

#endif
