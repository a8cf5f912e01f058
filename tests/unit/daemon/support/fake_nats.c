/* Keeps subscriptions and published messages in lists. */
#include "fake_nats.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cluster/little_endian.h"
#include "cluster/parts.h"
#include "jointcast/error.h"

#define SUBSCRIPTIONS 64u

struct jc_nats_subscription {
	char subject[320]; /* empty: free */
	jc_nats_handler *handler;
	void *context;
};

static struct jc_nats_subscription subscriptions[SUBSCRIPTIONS];
static struct fake_nats *current;

int jc_nats_link_subscribe(struct jc_nats_link *link, const char *subject, jc_nats_handler *handler,
	void *context, struct jc_nats_subscription **out_subscription)
{
	size_t i = 0;

	(void)link;
	while (subscriptions[i].subject[0]) {
		i++;
		assert(i < SUBSCRIPTIONS);
	}
	snprintf(subscriptions[i].subject, sizeof(subscriptions[i].subject), "%s", subject);
	subscriptions[i].handler = handler;
	subscriptions[i].context = context;
	*out_subscription = &subscriptions[i];
	return JC_OK;
}

void jc_nats_subscription_end(struct jc_nats_subscription *subscription)
{
	if (subscription) {
		subscription->subject[0] = '\0';
	}
}

int jc_nats_link_publish(struct jc_nats_link *link, const char *subject, const char *reply,
	const void *bytes, size_t length)
{
	struct fake_message *message;

	(void)link;
	if (current->is_lost) {
		return JC_ERROR_ABSENT;
	}
	if (current->count == current->capacity) {
		current->capacity = current->capacity * 2 + 64;
		current->messages = realloc(
			current->messages, current->capacity * sizeof(current->messages[0]));
		assert(current->messages);
	}
	message = &current->messages[current->count++];
	snprintf(message->subject, sizeof(message->subject), "%s", subject);
	snprintf(message->reply, sizeof(message->reply), "%s", reply ? reply : "");
	message->bytes = calloc(1, length + 1);
	assert(message->bytes);
	memcpy(message->bytes, bytes, length);
	message->length = length;
	return JC_OK;
}

int jc_nats_link_publish_spare(
	struct jc_nats_link *link, const char *subject, const void *bytes, size_t length)
{
	return jc_nats_link_publish(link, subject, NULL, bytes, length);
}

/* Messages stay whole. */
int jc_nats_link_publish_parts(
	struct jc_nats_link *link, const char *subject, const void *bytes, size_t length)
{
	return jc_nats_link_publish(link, subject, NULL, bytes, length);
}

enum jc_nats_state jc_nats_link_state(const struct jc_nats_link *link)
{
	(void)link;
	return current->is_lost ? JC_NATS_LOST : JC_NATS_CONNECTED;
}

int jc_nats_link_request(struct jc_nats_link *link, const char *subject, const void *bytes,
	size_t length, int timeout_ms, jc_nats_handler *handler, void *context)
{
	int status = current->handler
			     ? JC_ERROR_LIMIT
			     : jc_nats_link_publish(link, subject, "_INBOX.", bytes, length);

	(void)timeout_ms;
	if (status == JC_OK) {
		current->handler = handler;
		current->context = context;
	}
	return status;
}

void jc_nats_link_forget(struct jc_nats_link *link, const void *context)
{
	(void)link;
	if (current->context == context) {
		current->handler = NULL;
	}
}

bool fake_nats_answer(const void *bytes, size_t length)
{
	const struct jc_nats_message message = {
		.subject = "", .reply = "", .bytes = bytes, .length = length
	};
	jc_nats_handler *handler = current->handler;

	current->handler = NULL;
	if (handler) {
		handler(current->context, bytes ? &message : NULL);
	}
	return handler != NULL;
}

void fake_nats_open(struct fake_nats *nats)
{
	current = nats;
}

void fake_nats_clear(struct fake_nats *nats)
{
	for (size_t i = 0; i < nats->count; i++) {
		free(nats->messages[i].bytes);
	}
	nats->count = 0;
}

void fake_nats_close(struct fake_nats *nats)
{
	fake_nats_clear(nats);
	free(nats->messages);
	for (size_t i = 0; i < SUBSCRIPTIONS; i++) {
		assert(!subscriptions[i].subject[0]);
	}
	current = NULL;
}

/* Whether a subject fits a pattern with '*' in place of tokens. */
static bool fits(const char *pattern, const char *subject)
{
	while (*pattern && *subject) {
		if (*pattern == '*') {
			pattern++;
			subject += strcspn(subject, ".");
		} else if (*pattern++ != *subject++) {
			return false;
		}
	}
	return !*pattern && !*subject;
}

size_t fake_nats_deliver(const char *subject, const void *bytes, size_t length)
{
	const struct jc_nats_message message = { .subject = subject,
		.reply = "",
		.bytes = bytes,
		.length = length,
		.arrived_ns = jc_clock_now_ns() };
	size_t count = 0;

	for (size_t i = 0; i < SUBSCRIPTIONS; i++) {
		if (fits(subscriptions[i].subject, subject)) {
			subscriptions[i].handler(subscriptions[i].context, &message);
			count++;
		}
	}
	return count;
}

size_t fake_nats_deliver_parts(const char *subject, const void *bytes, size_t length)
{
	static uint32_t number;
	uint8_t *part = calloc(1, JC_PARTS_HEAD + length);

	assert(part);
	jc_put_u32(part, number++);
	jc_put_u16(part + 6, 1);
	memcpy(part + JC_PARTS_HEAD, bytes, length);
	size_t count = fake_nats_deliver(subject, part, JC_PARTS_HEAD + length);

	free(part);
	return count;
}

size_t fake_nats_send(const char *subject, enum jc_session_message_kind kind, uint64_t number,
	uint32_t sequence, const char *payload)
{
	size_t length = strlen(payload);
	uint8_t *bytes = malloc(JC_SESSION_MESSAGE_HEAD + length + 1);
	const struct jc_session_message message = {
		.kind = kind, .number = number, .sequence = sequence
	};

	assert(bytes);
	jc_session_message_write(&message, bytes);
	memcpy(bytes + JC_SESSION_MESSAGE_HEAD, payload, length + 1);
	size_t count = fake_nats_deliver(subject, bytes, JC_SESSION_MESSAGE_HEAD + length);

	free(bytes);
	return count;
}

size_t fake_nats_list(const char *subject, uint64_t number, uint64_t session, uint32_t sent)
{
	uint8_t bytes[JC_SESSION_MESSAGE_HEAD + JC_SESSION_COUNT_BYTES];
	const struct jc_session_message message = { .kind = JC_SESSION_ALIVE, .number = number };
	const struct jc_session_count count = { session, sent };

	jc_session_message_write(&message, bytes);
	jc_session_count_write(&count, bytes + JC_SESSION_MESSAGE_HEAD);
	return fake_nats_deliver(subject, bytes, sizeof(bytes));
}

struct jc_session_message fake_nats_read(const struct fake_nats *nats, size_t i)
{
	struct jc_session_message message;
	int status = jc_session_message_read(
		nats->messages[i].bytes, nats->messages[i].length, &message);

	assert(status == JC_OK);
	(void)status;
	return message;
}

const char *fake_nats_newest(const struct fake_nats *nats, enum jc_session_message_kind kind)
{
	for (size_t i = nats->count; i > 0; i--) {
		struct jc_session_message message = fake_nats_read(nats, i - 1);

		if (message.kind == kind) {
			return (const char *)message.payload;
		}
	}
	return NULL;
}

size_t fake_nats_count(
	const struct fake_nats *nats, enum jc_session_message_kind kind, const char *text)
{
	size_t count = 0;

	for (size_t i = 0; i < nats->count; i++) {
		struct jc_session_message message = fake_nats_read(nats, i);

		count += message.kind == kind && strstr((const char *)message.payload, text);
	}
	return count;
}
