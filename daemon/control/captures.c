/* Binary messages: captures of published bodies. Captures above the limits are dropped: the
 * next one replaces all that the lost one held. */
#include "control/captures.h"

#include <stdio.h>

#include "control/client.h"
#include "control/reply.h"

#define KIND_MESSAGE 0x21
#define HEAD_BYTES   2 /* kind and publication */

static bool is_allowed(struct jc_publications *publications, size_t length, int64_t now_ns)
{
	return jc_token_bucket_spend(
		       &publications->captures, 1, JC_MAX_CAPTURES_PER_SECOND, now_ns) &&
	       jc_token_bucket_spend(&publications->bytes, (int64_t)length,
		       JC_MAX_CAPTURE_BYTES_PER_SECOND, now_ns);
}

void jc_captures_receive(
	struct jc_client *client, const uint8_t *bytes, size_t length, int64_t now_ns)
{
	struct jc_publications *publications = &client->publications;

	if (!is_allowed(publications, length, now_ns)) {
		if (++publications->dropped % JC_MAX_CAPTURES_PER_SECOND == 0) {
			jc_reply_error(client, "too-many", "too many captures", NULL);
		}
		return;
	}
	if (!client->greeted) {
		jc_reply_error(client, "no-hello", "say hello first", NULL);
		return;
	}
	if (length < HEAD_BYTES || bytes[0] != KIND_MESSAGE) {
		jc_reply_error(client, "bad-capture", "not a message of captures", NULL);
		return;
	}
	struct jc_publication *publication = jc_publications_find(publications, bytes[1]);

	if (!publication) {
		jc_reply_error(
			client, "unknown-publication", "no publication of that number", NULL);
		return;
	}
	if (jc_space_find(publication->space, publication->body)->is_muted) {
		return;
	}
	int status = jc_publisher_source_put(
		publication->source, bytes + HEAD_BYTES, length - HEAD_BYTES, now_ns);

	if (status < 0) {
		char what[64];

		snprintf(what, sizeof(what), "capture of publication %d: %s", publication->number,
			jc_error_name(status));
		jc_reply_error(client, "bad-capture", what, NULL);
	}
}
