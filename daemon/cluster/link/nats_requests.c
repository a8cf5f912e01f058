/* Finds the request of an answer by the last token of its subject. */
#include "cluster/link/nats_requests.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "cluster/subjects.h"

int jc_nats_requests_init(
	struct jc_nats_requests *requests, const char *name, char out_pattern[JC_MAX_NATS_SUBJECT])
{
	uint64_t random;

	*requests = (struct jc_nats_requests){ 0 };
	if (uv_random(NULL, NULL, &random, sizeof(random), 0, NULL) != 0) {
		return JC_ERROR_UNSUPPORTED;
	}
	snprintf(requests->prefix, sizeof(requests->prefix),
		JC_SUBJECT_INBOX "%.63s.%016" PRIx64 ".", name, random);
	snprintf(out_pattern, JC_MAX_NATS_SUBJECT, "%s*", requests->prefix);
	return JC_OK;
}

static void remove_at(struct jc_nats_requests *requests, size_t place)
{
	struct jc_nats_request *request = requests->places[place];

	requests->places[place] = NULL;
	requests->count--;
	jc_parts_finish(&request->parts);
	free(request);
}

void jc_nats_requests_finish(struct jc_nats_requests *requests)
{
	for (size_t i = 0; i < JC_MAX_NATS_REQUESTS; i++) {
		if (requests->places[i]) {
			remove_at(requests, i);
		}
	}
}

int jc_nats_requests_add(struct jc_nats_requests *requests, const struct jc_nats_request *wanted,
	struct jc_nats_request **out_request)
{
	size_t place = 0;
	struct jc_nats_request *request;

	while (place < JC_MAX_NATS_REQUESTS && requests->places[place]) {
		place++;
	}
	if (place == JC_MAX_NATS_REQUESTS) {
		return JC_ERROR_LIMIT;
	}
	request = malloc(sizeof(*request));
	if (!request) {
		return JC_ERROR_MEMORY;
	}
	*request = *wanted;
	request->id = ++requests->serial * JC_MAX_NATS_REQUESTS + place;
	requests->places[place] = request;
	requests->count++;
	*out_request = request;
	return JC_OK;
}

void jc_nats_requests_reply_subject(const struct jc_nats_requests *requests,
	const struct jc_nats_request *request, char out_subject[JC_MAX_NATS_SUBJECT])
{
	snprintf(out_subject, JC_MAX_NATS_SUBJECT, "%s%" PRIx64, requests->prefix, request->id);
}

void jc_nats_requests_remove(struct jc_nats_requests *requests, struct jc_nats_request *request)
{
	remove_at(requests, request->id % JC_MAX_NATS_REQUESTS);
}

void jc_nats_requests_forget(struct jc_nats_requests *requests, const void *context)
{
	for (size_t i = 0; i < JC_MAX_NATS_REQUESTS && requests->count > 0; i++) {
		if (requests->places[i] && requests->places[i]->context == context) {
			remove_at(requests, i);
		}
	}
}

static struct jc_nats_request *find(const struct jc_nats_requests *requests, const char *subject)
{
	size_t length = strlen(requests->prefix);
	char *end = NULL;
	uint64_t id;

	if (strncmp(subject, requests->prefix, length) != 0) {
		return NULL;
	}
	id = strtoull(subject + length, &end, 16);

	struct jc_nats_request *request = requests->places[id % JC_MAX_NATS_REQUESTS];

	return *end == '\0' && request && request->id == id ? request : NULL;
}

/* Takes the request out of the list, and calls its handler: that may begin other requests or forget
 * its own. */
static void finish_request(struct jc_nats_requests *requests, struct jc_nats_request *request,
	const struct jc_nats_message *message)
{
	struct jc_nats_request done = *request;

	request->parts = (struct jc_parts){ 0 };
	jc_nats_requests_remove(requests, request);
	done.handler(done.context, message);
	jc_parts_finish(&done.parts);
}

void jc_nats_requests_answer(struct jc_nats_requests *requests,
	const struct jc_nats_message *message, char out_unheard[JC_MAX_NATS_SUBJECT])
{
	struct jc_nats_request *request = find(requests, message->subject);
	struct jc_nats_message whole = *message;
	const char *bytes;

	out_unheard[0] = '\0';
	if (!request) {
		return;
	}
	if (message->is_unheard) {
		strcpy(out_unheard, request->subject);
		finish_request(requests, request, NULL);
		return;
	}
	if (jc_parts_take(&request->parts, message->bytes, message->length, message->arrived_ns,
		    &bytes, &whole.length) != JC_OK ||
		!bytes) {
		return; /* more parts come, or the request times out */
	}
	whole.bytes = (const uint8_t *)bytes;
	finish_request(requests, request, &whole);
}

void jc_nats_requests_expire(struct jc_nats_requests *requests, int64_t now_ns)
{
	for (size_t i = 0; i < JC_MAX_NATS_REQUESTS && requests->count > 0; i++) {
		struct jc_nats_request *request = requests->places[i];

		if (request && request->deadline_ns <= now_ns) {
			finish_request(requests, request, NULL);
		}
	}
}
