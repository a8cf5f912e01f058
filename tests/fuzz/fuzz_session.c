/* Messages of sessions, to an origin or to an edge. The input has a line for each event. Its first
 * byte chooses the end: H an origin, K one with keys, L an edge with a client. Each line is one of:
 *
 *   k s n q payload   a message of kind k (1 to 6; any other byte is written as it is), on the
 *                     subject s, of the session n (0 to 9), with sequence q (+: the next one)
 *   c s n q           a list with the count q of the session n
 *   > text            the client of the edge sends a text
 *   # bytes           or a binary message
 *   . digit           time passes: so many sweeps, and a tick
 *   = bytes           a message without a head
 *
 * Nothing crashes, no session outlives its end, and all memory is freed. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/daemon/support/crowd.h"
#include "../unit/daemon/support/fake_nats.h"
#include "base/siphash.h"
#include "cluster/session/session_host.h"
#include "cluster/session/session_link.h"
#include "space/relay/space_relay.h"
#include "target.h"

#define LINES    64
#define SESSIONS 10

/* The calls of the linker: random keys would make other runs of the same input. */
int __wrap_jc_siphash_key_init(struct jc_siphash_key *key);

int __wrap_jc_siphash_key_init(struct jc_siphash_key *key)
{
	memset(key, 7, sizeof(*key));
	return 0;
}

static struct crowd crowd;
static struct fake_nats nats;
static struct jc_relay relay;
static struct jc_session_host *host;
static struct jc_session_link *link_to_origin;
static uint32_t sequences[SESSIONS];

static void hear(struct crowd_guest *guest, const uint8_t *bytes, size_t length)
{
	(void)guest;
	(void)bytes;
	(void)length;
}

static bool exports(void *context, const struct jc_fanout *fanout)
{
	(void)context;
	(void)fanout;
	return true;
}

static int64_t origin_us(void *context, const struct jc_fanout *fanout, int64_t edge_us)
{
	(void)context;
	(void)fanout;
	return edge_us - 1000000;
}

static void packets(struct jc_relay *owner, const struct jc_body *body,
	const struct jc_stream_spec *spec, bool is_new, bool wants_rejoin,
	struct jc_body_stream_packet *out_common, struct jc_body_stream_packet *out_rejoin)
{
	(void)owner;
	(void)body;
	(void)spec;
	(void)is_new;
	(void)wants_rejoin;
	out_common->length = out_rejoin->length = 0;
}

static void look_for(void *context, const char *space)
{
	(void)context;
	(void)space;
}

static bool is_heard(void *context, const char *space)
{
	(void)context;
	(void)space;
	return true;
}

static void open_edge(void)
{
	static const struct jc_relay_ops ops = { .packets = packets };
	const struct jc_session_link_options options = {
		.log = &crowd.log,
		.control = &crowd.control,
		.edge = "e",
		.origin_us = origin_us,
		.look_for = look_for,
		.is_heard = is_heard,
	};

	relay.ops = &ops;
	jc_space_relay_begin(jc_spaces_find(&crowd.spaces, "lobby")->space, &relay,
		&(struct jc_relay_epoch){ .id = ++crowd.spaces.last_id,
			.epoch = 1,
			.hz = 10,
			.start_ns = crowd.spaces.start_ns });
	int status = jc_session_link_create(&options, &link_to_origin);

	assert(status == 0);
	crowd_connect(&crowd.guests[0]);
}

static void open_origin(void)
{
	const struct jc_session_host_options options = { .log = &crowd.log,
		.server = &crowd.server,
		.spaces = &crowd.spaces,
		.exports = exports };
	int status = jc_session_host_create(&options, &host);

	assert(status == 0);
}

/* The session n of the edge is the n-th that was opened. */
static uint64_t number_of(int n)
{
	int count = 0;

	for (size_t i = 0; !host && i < nats.count; i++) {
		struct jc_session_message message = fake_nats_read(&nats, i);

		if (message.kind == JC_SESSION_OPEN && count++ == n) {
			return message.number;
		}
	}
	return (uint64_t)n;
}

static void deliver(const char *subject, const char *line, size_t length)
{
	uint8_t *bytes = malloc(length + JC_SESSION_MESSAGE_HEAD);
	int n = line[2] >= '0' && line[2] <= '9' ? line[2] - '0' : 0;
	struct jc_session_message message = { .kind = (enum jc_session_message_kind)(line[0] - '0'),
		.number = number_of(n),
		.sequence = line[3] == '+' ? sequences[n]++ : (uint32_t)(line[3] - '0') };

	assert(bytes);
	jc_session_message_write(&message, bytes);
	memcpy(bytes + JC_SESSION_MESSAGE_HEAD, line + 4, length - 4);
	fake_nats_deliver(subject, bytes, length - 4 + JC_SESSION_MESSAGE_HEAD);
	free(bytes);
}

static void wait_sweeps(int count)
{
	crowd_wait_for_tick(&crowd);
	for (int i = 0; i < count; i++) {
		jc_server_settle(&crowd.server);
		if (host) {
			jc_session_host_sweep(host, jc_clock_now_ns());
		} else {
			jc_session_link_sweep(link_to_origin);
		}
	}
}

static void send_to_guest(uint8_t opcode, const char *line, size_t length)
{
	struct crowd_guest *guest = &crowd.guests[0];

	if (guest->connection) {
		crowd_send(guest, opcode, line, length);
		crowd_deliver(guest, false);
	}
}

static void act(const char *line, size_t length)
{
	static const char *const up[] = { "jc.lobby.u.e", "jc.hall.u.e", "jc.lobby.u.f",
		"jc.hall.u.f", "jc.lobby.u.f>", "jc.hall.u.", "jc.lobby.u.e", "jc.hall.u.e" };
	size_t where = length > 1 ? (size_t)(uint8_t)line[1] : 0;
	const char *subject = host ? up[where % 8] : "jc.lobby.d.e";

	if (length == 0) {
		return;
	}
	if (line[0] == '>' || line[0] == '#') {
		send_to_guest(line[0] == '>' ? 1 : 2, line + 1, length - 1);
	} else if (line[0] == '.') {
		wait_sweeps(length > 1 ? line[1] & 7 : 1);
	} else if (line[0] == '=') {
		fake_nats_deliver(subject, line + 1, length - 1);
	} else if (length >= 4 && line[0] == 'c') {
		int n = line[2] >= '0' && line[2] <= '9' ? line[2] - '0' : 0;

		fake_nats_list(subject, 0, number_of(n),
			line[3] == '+' ? sequences[n] : (uint32_t)(line[3] - '0'));
	} else if (length >= 4) {
		deliver(subject, line, length);
	}
	jc_server_settle(&crowd.server);
}

static void run(const char *text, size_t length)
{
	for (int i = 0; i < LINES && length > 0; i++) {
		const char *end = memchr(text, '\n', length);
		size_t line = end ? (size_t)(end - text) : length;

		act(text, line);
		text += end ? line + 1 : line;
		length -= end ? line + 1 : line;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	if (length < 2) {
		return 0;
	}
	memset(sequences, 0, sizeof(sequences));
	crowd = (struct crowd){ .hear = hear };
	nats = (struct fake_nats){ .count = 0 };
	crowd_open(&crowd);
	fake_nats_open(&nats);
	if (bytes[0] == 'L') {
		open_edge();
	} else {
		open_origin();
		crowd_set_keys(&crowd, bytes[0] == 'K' ? CROWD_KEY : CROWD_NO_KEY);
	}
	run((const char *)bytes + 1, length - 1);
	jc_session_host_destroy(host);
	jc_session_link_destroy(link_to_origin);
	host = NULL;
	link_to_origin = NULL;
	crowd_wait_for_tick(&crowd);
	fake_nats_close(&nats);
	crowd_close(&crowd);
	return 0;
}
