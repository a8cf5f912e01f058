/* The list of a client's publications, and the captures that move their bodies. Captures above
 * the limits are dropped: the next one replaces all that the lost one held. */
#include "control/publication.h"

#include <stdio.h>
#include <stdlib.h>

#include "control/client.h"
#include "control/reply.h"
#include "forwarder.h"

#define KIND_MESSAGE 0x21
#define HEAD_BYTES   2 /* kind and publication */
#define REF          "capture"

void jc_publications_init(struct jc_publications *publications, int64_t now_ns)
{
	*publications = (struct jc_publications){ .dropped = 0 };
	jc_token_bucket_init(&publications->captures, now_ns);
	jc_token_bucket_init(&publications->bytes, now_ns);
	jc_token_bucket_init(&publications->lost, now_ns);
	jc_token_bucket_init(&publications->begun, now_ns);
	jc_token_bucket_init(&publications->changes, now_ns);
}

void jc_publications_finish(struct jc_publications *publications)
{
	free(publications->list);
}

struct jc_publication *jc_publications_find(struct jc_publications *publications, int64_t number)
{
	for (size_t i = 0; i < publications->count; i++) {
		if (publications->list[i].space && publications->list[i].number == number) {
			return &publications->list[i];
		}
	}
	return NULL;
}

struct jc_publication *jc_publications_free(struct jc_publications *publications)
{
	if (!publications->list) {
		publications->list = calloc(JC_MAX_PUBLICATIONS, sizeof(publications->list[0]));
		publications->count = publications->list ? JC_MAX_PUBLICATIONS : 0;
	}
	for (size_t i = 0; i < publications->count; i++) {
		if (!publications->list[i].space) {
			return &publications->list[i];
		}
	}
	return NULL;
}

const char *jc_publication_name(const struct jc_publication *publication)
{
	return jc_space_find(publication->space, publication->body)->name;
}

void jc_publication_end(struct jc_publication *publication)
{
	jc_space_remove(publication->space, publication->body);
	*publication = (struct jc_publication){ .space = NULL };
}

void jc_publications_end(struct jc_publications *publications)
{
	for (size_t i = 0; i < publications->count; i++) {
		if (publications->list[i].space) {
			jc_publication_end(&publications->list[i]);
		}
	}
}

static bool is_allowed(struct jc_publications *publications, size_t length, int64_t now_ns)
{
	return jc_token_bucket_spend(
		       &publications->captures, 1, JC_MAX_CAPTURES_PER_SECOND, now_ns) &&
	       jc_token_bucket_spend(&publications->bytes, (int64_t)length,
		       JC_MAX_CAPTURE_BYTES_PER_SECOND, now_ns);
}

void jc_publication_receive(
	struct jc_client *client, const uint8_t *bytes, size_t length, int64_t now_ns)
{
	struct jc_publications *publications = &client->publications;

	if (!is_allowed(publications, length, now_ns)) {
		if (++publications->dropped % JC_MAX_CAPTURES_PER_SECOND == 0) {
			jc_reply_error(client, "too-many", "too many captures", REF);
		}
		return;
	}
	if (!client->greeted) {
		jc_reply_error(client, "no-hello", "send hello first", REF);
		return;
	}
	if (length < HEAD_BYTES || bytes[0] != KIND_MESSAGE) {
		jc_reply_error(client, "bad-capture", "not a capture message", REF);
		return;
	}
	struct jc_forwarder *forwarder = client->control->forwarder;

	if (forwarder && forwarder->ops->capture(forwarder, client, bytes, length)) {
		return;
	}
	struct jc_publication *publication = jc_publications_find(publications, bytes[1]);

	if (!publication) {
		/* Captures may be on their way when a publication ends. */
		if (jc_token_bucket_spend(&publications->lost, 1, JC_MAX_LOST_PER_SECOND, now_ns)) {
			jc_reply_error(client, "unknown-publication",
				"no publication of that number", REF);
		}
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
		jc_reply_error(client, "bad-capture", what, REF);
	}
}
