/* See fake_link.h. */
#include "fake_link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

int fake_link_deliver(struct jc_nats_link *link, const char *subject, const void *bytes,
	size_t length, bool in_parts)
{
	static uint32_t number;
	size_t head = in_parts ? 8 : 0;
	uint8_t *copy = malloc(head + length + 1);
	int count = 0;

	number++;
	if (in_parts) {
		const uint8_t part[8] = { (uint8_t)number, (uint8_t)(number >> 8), 0, 0, 0, 0, 1,
			0 };

		memcpy(copy, part, sizeof(part));
	}
	if (length > 0) {
		memcpy(copy + head, bytes, length);
	}
	copy[head + length] = 0;
	const struct jc_nats_message message = { .subject = subject,
		.reply = "",
		.bytes = copy,
		.length = head + length,
		.arrived_ns = jc_clock_now_ns() };

	for (size_t i = 0; i < FAKE_LINK_ENTRIES; i++) {
		struct jc_nats_subscription *at = &link->subscriptions[i];

		if (at->handler && strcmp(at->subject, subject) == 0) {
			at->handler(at->context, &message);
			count++;
		}
	}
	free(copy);
	return count;
}

bool fake_link_answer(
	struct jc_nats_link *link, const char *reply, const void *bytes, size_t length)
{
	uint8_t *copy = bytes ? malloc(length + 1) : NULL;
	bool is_found = false;

	if (copy) {
		memcpy(copy, bytes, length);
		copy[length] = 0;
	}
	const struct jc_nats_message message = { .subject = reply,
		.reply = "",
		.bytes = copy,
		.length = length,
		.arrived_ns = jc_clock_now_ns() };

	for (size_t i = 0; i < FAKE_LINK_ENTRIES && !is_found; i++) {
		struct fake_request *request = &link->requests[i];

		if (request->is_open && strcmp(request->reply, reply) == 0) {
			is_found = true;
			request->is_open = false;
			request->handler(request->context, copy ? &message : NULL);
		}
	}
	free(copy);
	return is_found;
}

struct fake_request *fake_link_find(struct jc_nats_link *link, const char *part)
{
	for (size_t i = 0; i < FAKE_LINK_ENTRIES; i++) {
		if (link->requests[i].is_open && strstr(link->requests[i].text, part)) {
			return &link->requests[i];
		}
	}
	return NULL;
}

int jc_nats_link_subscribe(struct jc_nats_link *link, const char *subject, jc_nats_handler *handler,
	void *context, struct jc_nats_subscription **out_subscription)
{
	for (size_t i = 0; i < FAKE_LINK_ENTRIES; i++) {
		struct jc_nats_subscription *at = &link->subscriptions[i];

		if (!at->handler) {
			snprintf(at->subject, sizeof(at->subject), "%s", subject);
			at->handler = handler;
			at->context = context;
			*out_subscription = at;
			return 0;
		}
	}
	return JC_ERROR_LIMIT;
}

void jc_nats_subscription_end(struct jc_nats_subscription *subscription)
{
	if (subscription) {
		subscription->handler = NULL;
	}
}

int jc_nats_link_request(struct jc_nats_link *link, const char *subject, const void *bytes,
	size_t length, int timeout_ms, jc_nats_handler *handler, void *context)
{
	(void)subject;
	(void)timeout_ms;
	for (size_t i = 0; i < FAKE_LINK_ENTRIES; i++) {
		struct fake_request *request = &link->requests[i];

		if (!request->is_open && length < sizeof(request->text)) {
			request->is_open = true;
			memcpy(request->text, bytes, length);
			request->text[length] = 0;
			request->handler = handler;
			request->context = context;
			snprintf(request->reply, sizeof(request->reply), "_INBOX.edge.%u",
				++link->count);
			return 0;
		}
	}
	return JC_ERROR_LIMIT;
}

void jc_nats_link_forget(struct jc_nats_link *link, const void *context)
{
	for (size_t i = 0; i < FAKE_LINK_ENTRIES; i++) {
		if (link->requests[i].context == context) {
			link->requests[i].is_open = false;
		}
	}
}
