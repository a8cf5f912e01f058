/* Shared by the files of exported spaces: what they publish, and their requests. */
#ifndef JC_EXPORT_PRIVATE_H
#define JC_EXPORT_PRIVATE_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "base/shared_text.h"
#include "cluster/origin/exported_space.h"
#include "jointcast/error.h"

/* The names of texts in messages: "props". */
extern const char *const jc_export_text_keys[JC_SPACE_TEXTS];

static inline struct jc_exported_space *jc_export_of_subscriber(struct jc_subscriber *subscriber)
{
	return (struct jc_exported_space *)((char *)subscriber -
					    offsetof(struct jc_exported_space, subscriber));
}

static inline bool jc_export_is_closed(const struct jc_fanout *fanout)
{
	return fanout->is_closed && !fanout->stays_open;
}

/* Publishes a message in parts. Steals it; NULL: nothing. */
void jc_export_publish(
	const struct jc_exported_space *exported, const char *subject, json_t *message);

/* An object with epoch and incarnation. */
json_t *jc_export_head(const struct jc_exported_space *exported);

/* Publishes a change of the state; steals value. */
void jc_export_publish_change(struct jc_exported_space *exported, const char *key, json_t *value);

/* The policy as edges get it, byte by byte for comparison. */
void jc_export_policy(const struct jc_exported_space *exported, struct jc_space_policy *out_policy);

/* The guests of the space (guest_message.h). NULL: out of memory. */
json_t *jc_export_guests(const struct jc_exported_space *exported);

/* Begins and ends exported views, so that they are the ones in the table of interest. Returns 0 or
 * the first error; the other views are exported nevertheless. */
int jc_export_follow_interest(struct jc_exported_space *exported);

/* NULL: no such view is exported. */
struct jc_exported_view *jc_export_find_view(
	const struct jc_exported_space *exported, const char *token);

#endif
