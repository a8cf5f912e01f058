/* Passes exports to the link, and notes what it does not take. */
#include "cluster/origin/nats_outlet.h"

#include <string.h>

static void publish(struct jc_outlet *outlet, const char *subject, const void *bytes, size_t length)
{
	jc_nats_link_publish(((struct jc_nats_outlet *)outlet)->link, subject, NULL, bytes, length);
}

static bool publish_spare(
	struct jc_outlet *outlet, const char *subject, const void *bytes, size_t length)
{
	return jc_nats_link_publish_spare(
		       ((struct jc_nats_outlet *)outlet)->link, subject, bytes, length) == JC_OK;
}

static void publish_parts(
	struct jc_outlet *outlet, const char *subject, const void *bytes, size_t length)
{
	struct jc_nats_outlet *own = (struct jc_nats_outlet *)outlet;

	int status = jc_nats_link_publish_parts(own->link, subject, bytes, length);

	/* An edge requests again what it has no answer to. */
	own->has_lost |= status != JC_OK && strncmp(subject, "jc.", 3) == 0;
}

static const struct jc_outlet_ops outlet_ops = {
	.publish = publish, .publish_spare = publish_spare, .publish_parts = publish_parts
};

void jc_nats_outlet_init(struct jc_nats_outlet *outlet, struct jc_nats_link *link)
{
	*outlet = (struct jc_nats_outlet){ .base = { .ops = &outlet_ops }, .link = link };
}
