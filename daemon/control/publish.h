/* The control messages of publishers: `publish`, `consent` and `unpublish`. */
#ifndef JC_PUBLISH_H
#define JC_PUBLISH_H

#include <jansson.h>
#include <stdint.h>

struct jc_client;
struct jc_publication;

/* Its body leaves, and the client is told that the number is free. */
void jc_publish_end(struct jc_client *client, struct jc_publication *publication);

#endif
