/* Ends publications. */
#ifndef JC_PUBLISH_H
#define JC_PUBLISH_H

struct jc_client;
struct jc_publication;

/* Removes the body from the space and sends `unpublished` to the client. */
void jc_publish_end(struct jc_client *client, struct jc_publication *publication);

#endif
