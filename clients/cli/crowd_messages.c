/* What subscribers say, and what they hear: the client half of RFC 6455 as far as a
 * daemon of ours is heard, control, bundles, and what is measured of them. */
#include "crowd_private.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

#define MESSAGE_BYTES (8u << 20) /* most of one message: a skeleton */
#define ACK_NS        INT64_C(100000000)
#define STALE_US      250000.0
#define CURRENT_US    100000.0

static bool send_bytes(struct jc_crowd_subscriber *subscriber, const void *bytes, size_t length)
{
	return subscriber->tls
		       ? SSL_write(subscriber->tls, bytes, (int)length) == (int)length
		       : send(subscriber->fd, bytes, length, MSG_NOSIGNAL) == (ssize_t)length;
}

bool jc_crowd_say_handshake(struct jc_crowd_subscriber *subscriber)
{
	static const char handshake[] =
		"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
		"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
		"Sec-WebSocket-Protocol: jointcast.v1\r\n\r\n";

	return send_bytes(subscriber, handshake, sizeof(handshake) - 1);
}

/* Said of the first that fails; what happens to the others is the same. */
static void complain(struct jc_crowd *crowd, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void complain(struct jc_crowd *crowd, const char *format, ...)
{
	char text[JC_CROWD_TEXT];
	va_list arguments;

	if (crowd->failed) {
		return;
	}
	crowd->failed = true;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	jc_report(JC_EXIT_IO, "bench fanout", "%s", text);
}

/* A text frame with the mask that a client owes (RFC 6455, 5.3); any will do here. */
bool jc_crowd_say(struct jc_crowd_subscriber *subscriber, const char *text)
{
	uint8_t shorter[8 + JC_CROWD_TEXT];
	size_t length = strlen(text);
	size_t head = length < 126 ? 2 : 4;

	if (length > UINT16_MAX) {
		return false;
	}
	uint8_t *frame = length <= JC_CROWD_TEXT ? shorter : malloc(8 + length);

	if (!frame) {
		return false;
	}
	frame[0] = 0x81;
	frame[1] = (uint8_t)(0x80 | (length < 126 ? length : 126));
	frame[2] = (uint8_t)(length >> 8); /* overwritten by the mask where it is short */
	frame[3] = (uint8_t)length;
	memset(frame + head, 0, 4);
	memcpy(frame + head + 4, text, length);
	bool sent = send_bytes(subscriber, frame, head + 4 + length);

	if (frame != shorter) {
		free(frame);
	}
	return sent;
}

static bool is_type(const json_t *message, const char *type)
{
	const char *text = json_string_value(json_object_get(message, "type"));

	return text && strcmp(text, type) == 0;
}

/* Server time and ours, from the ping that was answered soonest. */
static void set_clock(struct jc_crowd *crowd, const json_t *pong)
{
	double sent_us = json_number_value(json_object_get(pong, "t"));
	double server_us = json_number_value(json_object_get(pong, "time"));
	double came_us = (double)jc_crowd_now_ns() / 1000.0;

	crowd->pongs++;
	if (crowd->pongs == 1 || came_us - sent_us < crowd->round_trip_us) {
		crowd->round_trip_us = came_us - sent_us;
		crowd->epoch_us = (sent_us + came_us) / 2.0 - server_us;
	}
}

static void take_control(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber,
	const uint8_t *bytes, size_t length)
{
	json_t *message;
	char text[JC_CROWD_TEXT];

	if (subscriber->phase != JC_CROWD_CONTROL && crowd->pongs == JC_CROWD_PINGS) {
		return; /* changes of the roster, skeletons */
	}
	message = json_loadb((const char *)bytes, length, 0, NULL);
	if (is_type(message, "welcome")) {
		snprintf(text, sizeof(text), "{\"type\":\"join\",\"space\":\"%s\"}",
			crowd->options.space);
		jc_crowd_say(subscriber, text);
	} else if (is_type(message, "roster") && json_object_get(message, "bodies")) {
		crowd->tick_hz = json_number_value(json_object_get(message, "tickHz"));
		crowd->tick_us = json_number_value(json_object_get(message, "tickTime"));
		jc_crowd_look(crowd, subscriber);
	} else if (is_type(message, "registered")) {
		jc_crowd_subscribe(
			crowd, subscriber, json_string_value(json_object_get(message, "hash")));
	} else if (is_type(message, "pong")) {
		set_clock(crowd, message);
	} else if (is_type(message, "error")) {
		complain(crowd, "the daemon answers: %s",
			json_string_value(json_object_get(message, "message")));
		jc_crowd_lose(crowd, subscriber);
	}
	json_decref(message);
}

/* How long after its tick's nominal time a bundle is here, microseconds. */
static double lateness(const struct jc_crowd *crowd, uint32_t tick, int64_t now)
{
	double due = crowd->tick_us + (double)tick * 1.0e6 / crowd->tick_hz;

	return (double)now / 1000.0 - crowd->epoch_us - due;
}

static void mark_seen(struct jc_crowd *crowd, uint32_t tick)
{
	if (tick >= crowd->first_tick && tick < crowd->last_tick) {
		crowd->seen[tick - crowd->first_tick] = 1;
	}
}

static void measure(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber, size_t length)
{
	int64_t now = jc_crowd_now_ns();
	double late_us = lateness(crowd, subscriber->head.tick, now);
	struct jc_crowd_figures *figures = crowd->figures;

	figures->deliveries++;
	figures->bytes += length;
	if (!subscriber->stalls) {
		jc_latency_add(&figures->latency, late_us);
		mark_seen(crowd, subscriber->head.tick);
	} else if (subscriber->woken_ns > 0 && !subscriber->is_current) {
		subscriber->stale += late_us > STALE_US;
		subscriber->is_current = late_us <= CURRENT_US;
		double wake_ms = (double)(now - subscriber->woken_ns) / 1.0e6;

		if (subscriber->is_current && wake_ms > figures->wake_ms_most) {
			figures->wake_ms_most = wake_ms;
		}
		if (subscriber->stale > figures->stale_most) {
			figures->stale_most = subscriber->stale;
		}
	}
}

static void take_bundle(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber,
	const uint8_t *bytes, size_t length)
{
	struct jc_bundle_head head;

	if (jc_bundle_read_head(
		    bytes, length, subscriber->has_head ? &subscriber->head : NULL, &head) < 0) {
		complain(crowd, "a bundle cannot be read");
		jc_crowd_lose(crowd, subscriber);
		return;
	}
	subscriber->head = head;
	subscriber->has_head = true;
	if (subscriber->phase == JC_CROWD_CONTROL) {
		subscriber->phase = JC_CROWD_MOTION;
		crowd->ready++;
	}
	if (crowd->measures) {
		measure(crowd, subscriber, length);
	}
}

/* One frame of a server, which has no mask. Returns its bytes, 0 while it is not
 * whole. */
static size_t take_frame(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber,
	const uint8_t *bytes, size_t length)
{
	size_t head = 2;
	uint64_t size;

	if (length < 2) {
		return 0;
	}
	size = bytes[1] & 0x7f;
	head += size == 126 ? 2 : size == 127 ? 8 : 0;
	if (length < head) {
		return 0;
	}
	if (head > 2) {
		size = 0;
		for (size_t i = 2; i < head; i++) {
			size = size << 8 | bytes[i];
		}
	}
	if (size > MESSAGE_BYTES) {
		jc_crowd_lose(crowd, subscriber);
		return 0;
	}
	if (length < head + size) {
		return 0;
	}
	switch (bytes[0] & 0x0f) {
	case 1:
		take_control(crowd, subscriber, bytes + head, (size_t)size);
		break;
	case 2:
		take_bundle(crowd, subscriber, bytes + head, (size_t)size);
		break;
	case 8:
		jc_crowd_lose(crowd, subscriber);
		break;
	default:
		break; /* a ping of a healthy minute needs no answer in a measurement */
	}
	return head + (size_t)size;
}

/* The answer to the handshake, up to its empty line. */
static size_t take_handshake(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber,
	const uint8_t *bytes, size_t length)
{
	static const char switched[] = "HTTP/1.1 101";
	char hello[JC_CROWD_TEXT];
	const uint8_t *end = memmem(bytes, length, "\r\n\r\n", 4);

	if (!end) {
		return 0;
	}
	if (memcmp(bytes, switched, sizeof(switched) - 1) != 0) {
		complain(crowd, "the daemon refuses a connection: %.*s",
			(int)((const uint8_t *)memchr(bytes, '\r', length) - bytes), bytes);
		jc_crowd_lose(crowd, subscriber);
		return 0;
	}
	subscriber->phase = JC_CROWD_CONTROL;
	snprintf(hello, sizeof(hello), "{\"type\":\"hello\",\"codings\":[2,1],\"credit\":%s}",
		crowd->options.credit ? "true" : "false");
	jc_crowd_say(subscriber, hello);
	return (size_t)(end - bytes) + 4;
}

static size_t take_one(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber,
	const uint8_t *bytes, size_t length)
{
	switch (subscriber->phase) {
	case JC_CROWD_HANDSHAKE:
		return take_handshake(crowd, subscriber, bytes, length);
	case JC_CROWD_LOST:
		return 0;
	default:
		return take_frame(crowd, subscriber, bytes, length);
	}
}

static bool reserve(struct jc_crowd_subscriber *subscriber, size_t length)
{
	uint8_t *grown;

	if (length <= subscriber->capacity) {
		return true;
	}
	grown = realloc(subscriber->bytes, 2 * length);
	if (grown) {
		subscriber->bytes = grown;
		subscriber->capacity = 2 * length;
	}
	return grown != NULL;
}

/* Behind what is kept already. */
static bool keep_more(struct jc_crowd_subscriber *subscriber, const uint8_t *bytes, size_t length)
{
	if (!reserve(subscriber, subscriber->length + length)) {
		return false;
	}
	memcpy(subscriber->bytes + subscriber->length, bytes, length);
	subscriber->length += length;
	return true;
}

/* Keeps what is not a whole message yet, and nothing else; bytes may be part of
 * what was kept. */
static bool keep(struct jc_crowd_subscriber *subscriber, const uint8_t *bytes, size_t length)
{
	/* What was kept is never shorter than what is left of it. */
	if (!reserve(subscriber, length)) {
		return false;
	}
	if (length > 0) {
		memmove(subscriber->bytes, bytes, length);
	}
	subscriber->length = length;
	return true;
}

static void take_bytes(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber,
	const uint8_t *bytes, size_t length)
{
	size_t at = 0;
	size_t used;

	while ((used = take_one(crowd, subscriber, bytes + at, length - at)) > 0) {
		at += used;
	}
	if (!keep(subscriber, bytes + at, length - at)) {
		jc_crowd_lose(crowd, subscriber);
	}
}

/* The newest tick, when all that came with it has been read: a few times a second, and
 * at once while behind, so that the daemon goes on. */
static void acknowledge(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber)
{
	int64_t now = jc_crowd_now_ns();
	char text[JC_CROWD_TEXT];

	if (!crowd->options.credit || subscriber->phase != JC_CROWD_MOTION ||
		subscriber->head.tick == subscriber->acked_tick ||
		(now - subscriber->acked_ns < ACK_NS &&
			lateness(crowd, subscriber->head.tick, now) < CURRENT_US)) {
		return;
	}
	subscriber->acked_ns = now;
	subscriber->acked_tick = subscriber->head.tick;
	snprintf(text, sizeof(text), "{\"type\":\"ack\",\"space\":\"%s\",\"tick\":%u}",
		crowd->options.space, subscriber->head.tick);
	jc_crowd_say(subscriber, text);
}

void jc_crowd_hear(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber,
	const uint8_t *bytes, size_t length)
{
	if (subscriber->length == 0) {
		take_bytes(crowd, subscriber, bytes, length);
	} else if (keep_more(subscriber, bytes, length)) {
		take_bytes(crowd, subscriber, subscriber->bytes, subscriber->length);
	} else {
		jc_crowd_lose(crowd, subscriber);
	}
	acknowledge(crowd, subscriber);
}
