/* Messages of the load client: RFC 6455 framing, the control messages that a subscriber sends and
 * receives, and the measurement of each bundle. */
#include "bench/load_client_private.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error_report.h"
#include "jointcast/skeleton.h"
#include "jointcast_private/array.h"
#include "net/link.h"

#define MESSAGE_BYTES (8u << 20) /* the largest message that is accepted: a skeleton */
#define ACK_NS        INT64_C(100000000)
#define STALE_US      250000.0
#define CURRENT_US    100000.0

static bool send_bytes(
	struct jc_load_client_subscriber *subscriber, const void *bytes, size_t length)
{
	return subscriber->tls
		       ? SSL_write(subscriber->tls, bytes, (int)length) == (int)length
		       : send(subscriber->fd, bytes, length, MSG_NOSIGNAL) == (ssize_t)length;
}

bool jc_load_client_send_handshake(struct jc_load_client_subscriber *subscriber)
{
	static const char handshake[] =
		"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
		"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
		"Sec-WebSocket-Protocol: jointcast.v1\r\n\r\n";

	return send_bytes(subscriber, handshake, sizeof(handshake) - 1);
}

/* Reports the first failure only. */
static void report_failure(struct jc_load_client *load_client, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void report_failure(struct jc_load_client *load_client, const char *format, ...)
{
	char text[JC_LOAD_CLIENT_TEXT];
	va_list arguments;

	if (load_client->failed) {
		return;
	}
	load_client->failed = true;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	jc_report(JC_EXIT_IO, "bench fanout", "%s", text);
}

/* Sends a text frame. A client must mask it (RFC 6455, 5.3); a mask of zeros is enough here. */
bool jc_load_client_send(struct jc_load_client_subscriber *subscriber, const char *text)
{
	uint8_t shorter[8 + JC_LOAD_CLIENT_TEXT];
	size_t length = strlen(text);
	size_t head = length < 126 ? 2 : 4;

	if (length > UINT16_MAX) {
		return false;
	}
	uint8_t *frame = length <= JC_LOAD_CLIENT_TEXT ? shorter : malloc(8 + length);

	if (!frame) {
		return false;
	}
	frame[0] = 0x81;
	frame[1] = (uint8_t)(0x80 | (length < 126 ? length : 126));
	frame[2] = (uint8_t)(length >> 8); /* overwritten by the mask in a short frame */
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

/* Sets the clock from the ping with the shortest round trip. */
static void set_clock(struct jc_load_client *load_client, const json_t *pong)
{
	double sent_us = json_number_value(json_object_get(pong, "t"));
	double server_us = json_number_value(json_object_get(pong, "time"));
	double received_us = (double)jc_link_now_ns() / 1000.0;

	load_client->pongs++;
	if (load_client->pongs == 1 || received_us - sent_us < load_client->round_trip_us) {
		load_client->round_trip_us = received_us - sent_us;
		load_client->epoch_us = (sent_us + received_us) / 2.0 - server_us;
	}
}

static void take_control(struct jc_load_client *load_client,
	struct jc_load_client_subscriber *subscriber, const uint8_t *bytes, size_t length)
{
	json_t *message;
	char text[JC_LOAD_CLIENT_TEXT];

	if (subscriber->phase != JC_LOAD_CLIENT_CONTROL &&
		load_client->pongs == JC_LOAD_CLIENT_PINGS) {
		return; /* a change of the roster, or a skeleton */
	}
	message = json_loadb((const char *)bytes, length, 0, NULL);
	if (is_type(message, "welcome")) {
		snprintf(text, sizeof(text), "{\"type\":\"join\",\"space\":\"%s\"}",
			load_client->options.space);
		jc_load_client_send(subscriber, text);
	} else if (is_type(message, "roster") && json_object_get(message, "bodies")) {
		/* The clock was measured by the first subscriber: others may be connected to
		 * another process on the same port, whose clock has another epoch. */
		if (subscriber == &load_client->subscribers[0]) {
			load_client->tick_hz =
				json_number_value(json_object_get(message, "tickHz"));
			load_client->tick_us =
				json_number_value(json_object_get(message, "tickTime"));
		}
		jc_load_client_look(load_client, subscriber);
	} else if (is_type(message, "registered")) {
		jc_load_client_subscribe(load_client, subscriber,
			json_string_value(json_object_get(message, "hash")));
	} else if (is_type(message, "pong")) {
		set_clock(load_client, message);
	} else if (is_type(message, "error")) {
		report_failure(load_client, "the daemon reports: %s",
			json_string_value(json_object_get(message, "message")));
		jc_load_client_lose(load_client, subscriber);
	}
	json_decref(message);
}

/* Microseconds between the nominal time of a tick and `now`. */
static double lateness(const struct jc_load_client *load_client, uint32_t tick, int64_t now)
{
	double due = load_client->tick_us + (double)tick * 1.0e6 / load_client->tick_hz;

	return (double)now / 1000.0 - load_client->epoch_us - due;
}

static void mark_seen(struct jc_load_client *load_client, uint32_t tick)
{
	if (tick >= load_client->first_tick && tick < load_client->last_tick) {
		load_client->seen[tick - load_client->first_tick] = 1;
	}
}

static void measure(struct jc_load_client *load_client,
	struct jc_load_client_subscriber *subscriber, size_t length)
{
	int64_t now = jc_link_now_ns();
	double late_us = lateness(load_client, subscriber->head.tick, now);
	struct jc_load_client_figures *figures = load_client->figures;

	figures->deliveries++;
	figures->bytes += length;
	if (!subscriber->stalls) {
		jc_bench_latency_add(&figures->latency, late_us);
		mark_seen(load_client, subscriber->head.tick);
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

static void take_bundle(struct jc_load_client *load_client,
	struct jc_load_client_subscriber *subscriber, const uint8_t *bytes, size_t length)
{
	struct jc_bundle_head head;

	if (jc_bundle_read_head(
		    bytes, length, subscriber->has_head ? &subscriber->head : NULL, &head) < 0) {
		report_failure(load_client, "received a damaged bundle");
		jc_load_client_lose(load_client, subscriber);
		return;
	}
	subscriber->head = head;
	subscriber->has_head = true;
	if (subscriber->phase == JC_LOAD_CLIENT_CONTROL) {
		subscriber->phase = JC_LOAD_CLIENT_MOTION;
		load_client->ready++;
	}
	if (load_client->measures) {
		measure(load_client, subscriber, length);
	}
}

/* Reads one frame of a server, which is not masked. Returns its bytes, 0 while it is incomplete. */
static size_t take_frame(struct jc_load_client *load_client,
	struct jc_load_client_subscriber *subscriber, const uint8_t *bytes, size_t length)
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
		jc_load_client_lose(load_client, subscriber);
		return 0;
	}
	if (length < head + size) {
		return 0;
	}
	switch (bytes[0] & 0x0f) {
	case 1:
		take_control(load_client, subscriber, bytes + head, (size_t)size);
		break;
	case 2:
		take_bundle(load_client, subscriber, bytes + head, (size_t)size);
		break;
	case 8:
		jc_load_client_lose(load_client, subscriber);
		break;
	default:
		break; /* a ping needs no answer during a measurement */
	}
	return head + (size_t)size;
}

/* Reads the answer to the handshake up to its empty line. */
static size_t take_handshake(struct jc_load_client *load_client,
	struct jc_load_client_subscriber *subscriber, const uint8_t *bytes, size_t length)
{
	static const char switched[] = "HTTP/1.1 101";
	char hello[JC_LOAD_CLIENT_TEXT];
	const uint8_t *end = memmem(bytes, length, "\r\n\r\n", 4);

	if (!end) {
		return 0;
	}
	if (memcmp(bytes, switched, sizeof(switched) - 1) != 0) {
		report_failure(load_client, "the daemon refused a connection: %.*s",
			(int)((const uint8_t *)memchr(bytes, '\r', length) - bytes), bytes);
		jc_load_client_lose(load_client, subscriber);
		return 0;
	}
	subscriber->phase = JC_LOAD_CLIENT_CONTROL;
	snprintf(hello, sizeof(hello), "{\"type\":\"hello\",\"codings\":[2,1],\"credit\":%s}",
		load_client->options.credit ? "true" : "false");
	jc_load_client_send(subscriber, hello);
	return (size_t)(end - bytes) + 4;
}

static size_t take_one(struct jc_load_client *load_client,
	struct jc_load_client_subscriber *subscriber, const uint8_t *bytes, size_t length)
{
	switch (subscriber->phase) {
	case JC_LOAD_CLIENT_HANDSHAKE:
		return take_handshake(load_client, subscriber, bytes, length);
	case JC_LOAD_CLIENT_LOST:
		return 0;
	default:
		return take_frame(load_client, subscriber, bytes, length);
	}
}

/* Appends to the incomplete message. */
static bool keep_more(
	struct jc_load_client_subscriber *subscriber, const uint8_t *bytes, size_t length)
{
	if (!jc_array_grow(&subscriber->bytes, &subscriber->capacity, subscriber->length + length,
		    SIZE_MAX, 1)) {
		return false;
	}
	memcpy(subscriber->bytes + subscriber->length, bytes, length);
	subscriber->length += length;
	return true;
}

/* Keeps an incomplete message and nothing else; the bytes may be part of those kept before. */
static bool keep(struct jc_load_client_subscriber *subscriber, const uint8_t *bytes, size_t length)
{
	/* The rest of the kept bytes always fits. */
	if (!jc_array_grow(&subscriber->bytes, &subscriber->capacity, length, SIZE_MAX, 1)) {
		return false;
	}
	if (length > 0) {
		memmove(subscriber->bytes, bytes, length);
	}
	subscriber->length = length;
	return true;
}

static void take_bytes(struct jc_load_client *load_client,
	struct jc_load_client_subscriber *subscriber, const uint8_t *bytes, size_t length)
{
	size_t at = 0;
	size_t used;

	while ((used = take_one(load_client, subscriber, bytes + at, length - at)) > 0) {
		at += used;
	}
	if (!keep(subscriber, bytes + at, length - at)) {
		jc_load_client_lose(load_client, subscriber);
	}
}

/* Acknowledges the newest tick: at most ten times a second, and at once while the subscriber is
 * behind, so that the daemon continues to send. */
static void acknowledge(
	struct jc_load_client *load_client, struct jc_load_client_subscriber *subscriber)
{
	int64_t now = jc_link_now_ns();
	char text[JC_LOAD_CLIENT_TEXT];

	if (!load_client->options.credit || subscriber->phase != JC_LOAD_CLIENT_MOTION ||
		subscriber->head.tick == subscriber->acked_tick ||
		(now - subscriber->acked_ns < ACK_NS &&
			lateness(load_client, subscriber->head.tick, now) < CURRENT_US)) {
		return;
	}
	subscriber->acked_ns = now;
	subscriber->acked_tick = subscriber->head.tick;
	snprintf(text, sizeof(text), "{\"type\":\"ack\",\"space\":\"%s\",\"tick\":%u}",
		load_client->options.space, subscriber->head.tick);
	jc_load_client_send(subscriber, text);
}

void jc_load_client_receive(struct jc_load_client *load_client,
	struct jc_load_client_subscriber *subscriber, const uint8_t *bytes, size_t length)
{
	if (subscriber->length == 0) {
		take_bytes(load_client, subscriber, bytes, length);
	} else if (keep_more(subscriber, bytes, length)) {
		take_bytes(load_client, subscriber, subscriber->bytes, subscriber->length);
	} else {
		jc_load_client_lose(load_client, subscriber);
	}
	acknowledge(load_client, subscriber);
}

#define VIEWPOINT_TEXT 128         /* bytes of text */
#define FARTHEST       20.0        /* metres */
#define GOLDEN_ANGLE   2.399963230 /* so that no two subscribers stand in a line */

/* The first is the default view. */
static const char *const views[JC_LOAD_CLIENT_VIEWS] = {
	"",
	",\"precision\":\"fine\"",
	",\"precision\":\"coarse\"",
	",\"sections\":[\"body\",\"hips\"]",
};

static size_t number_of(const struct jc_load_client *load_client,
	const struct jc_load_client_subscriber *subscriber)
{
	return (size_t)(subscriber - load_client->subscribers);
}

/* Places the viewpoints around the bodies with even density, looking to the middle. */
static void put_viewpoint(
	const struct jc_load_client *load_client, size_t number, char out_text[VIEWPOINT_TEXT])
{
	double away = FARTHEST * sqrt((double)(number + 1) / (double)load_client->options.count);
	double angle = GOLDEN_ANGLE * (double)number;

	snprintf(out_text, VIEWPOINT_TEXT,
		",\"viewpoints\":[{\"position\":[%.3f,1.6,%.3f],\"yaw\":%.4f}]", away * sin(angle),
		away * cos(angle), angle + M_PI);
}

void jc_load_client_subscribe(struct jc_load_client *load_client,
	struct jc_load_client_subscriber *subscriber, const char *skeleton)
{
	size_t view = number_of(load_client, subscriber) % load_client->options.views;
	char text[JC_LOAD_CLIENT_TEXT], viewpoint[VIEWPOINT_TEXT] = "";

	if (load_client->options.viewpoints) {
		put_viewpoint(load_client, number_of(load_client, subscriber), viewpoint);
	}
	int length = snprintf(text, sizeof(text),
		"{\"type\":\"subscribe\",\"space\":\"%s\",\"rate\":%u%s%s%s%.64s%s}",
		load_client->options.space, load_client->options.rate, views[view], viewpoint,
		skeleton ? ",\"skeleton\":\"" : "", skeleton ? skeleton : "", skeleton ? "\"" : "");

	if (length >= (int)sizeof(text) || !jc_load_client_send(subscriber, text)) {
		jc_load_client_lose(load_client, subscriber);
	}
}

/* Returns the built-in skeleton in a size that depends on the number, or NULL without memory. */
static json_t *make_descriptor(size_t number)
{
	double scale = 1.0 + 0.001 * (double)(number + 1);
	struct jc_skeleton *skeleton;
	char *text = NULL;
	json_t *descriptor, *node, *length;
	size_t i, k;

	if (jc_skeleton_create_builtin(&skeleton) != JC_OK) {
		return NULL;
	}
	if (jc_skeleton_write_descriptor(skeleton, &text) != JC_OK) {
		text = NULL;
	}
	jc_skeleton_destroy(skeleton);
	descriptor = text ? json_loads(text, 0, NULL) : NULL;
	free(text);
	json_array_foreach(json_object_get(descriptor, "nodes"), i, node)
	{
		json_t *translation = json_object_get(node, "translation");

		json_array_foreach(translation, k, length)
		{
			double metres = json_number_value(length) * scale;

			json_array_set_new(translation, k, json_real(metres));
		}
	}
	return descriptor;
}

void jc_load_client_look(
	struct jc_load_client *load_client, struct jc_load_client_subscriber *subscriber)
{
	char name[32];
	json_t *message;
	char *text;

	if (!load_client->options.own_skeletons) {
		jc_load_client_subscribe(load_client, subscriber, NULL);
		return;
	}
	snprintf(name, sizeof(name), "crowd %zu", number_of(load_client, subscriber));
	message = json_pack("{ss ss so}", "type", "skeleton", "name", name, "descriptor",
		make_descriptor(number_of(load_client, subscriber)));
	text = message ? json_dumps(message, JSON_COMPACT) : NULL;
	if (!text || !jc_load_client_send(subscriber, text)) {
		jc_load_client_lose(load_client, subscriber);
	}
	free(text);
	json_decref(message);
}
