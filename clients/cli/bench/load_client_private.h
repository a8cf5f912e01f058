/* What the two files of a load clients share: its sockets and loop are in load clients.c, what its
 * subscribers say and hear in crowd_messages.c. */
#ifndef JC_CLI_LOAD_CLIENT_PRIVATE_H
#define JC_CLI_LOAD_CLIENT_PRIVATE_H

#include "bench/load_client.h"
#include "jointcast/packet.h"

#define JC_LOAD_CLIENT_PINGS 16u
#define JC_LOAD_CLIENT_TEXT  512 /* most of a text that a subscriber says, but of its skeleton */
#define JC_LOAD_CLIENT_READ  65536

enum jc_load_client_phase {
	JC_LOAD_CLIENT_HANDSHAKE,
	JC_LOAD_CLIENT_CONTROL, /* the answer to the last message is awaited */
	JC_LOAD_CLIENT_MOTION,  /* a bundle came */
	JC_LOAD_CLIENT_LOST,
};

struct jc_load_client_subscriber {
	int fd;
	SSL *tls; /* owned; NULL: in the clear */
	enum jc_load_client_phase phase;
	uint8_t *bytes; /* owned: of a message that has not come whole */
	size_t length, capacity;
	struct jc_bundle_head head; /* of the last bundle */
	bool has_head;
	int64_t acked_ns;
	uint32_t acked_tick;
	bool stalls;
	int64_t woken_ns; /* when it began to read again; 0: it does not stall, or still does */
	bool is_current;  /* since it woke */
	uint64_t stale;
};

struct jc_load_client {
	struct jc_load_client_options options;
	int epoll;
	size_t ready; /* subscribers that got a bundle */
	double tick_hz;
	double tick_us;  /* server time of tick 0 */
	double epoch_us; /* our clock less the server's */
	double round_trip_us;
	unsigned pongs;
	bool failed; /* and why was said */
	bool measures;
	struct jc_load_client_figures *figures;
	uint8_t *seen; /* for each tick from first_tick on whether it came */
	uint32_t first_tick, last_tick;
	uint8_t buffer[JC_LOAD_CLIENT_READ];
	struct jc_load_client_subscriber subscribers[];
};

/* The connection ended. */
void jc_load_client_lose(
	struct jc_load_client *load_client, struct jc_load_client_subscriber *subscriber);

/* Each says one thing; false when it could not be sent whole. */
bool jc_load_client_say_handshake(struct jc_load_client_subscriber *subscriber);
bool jc_load_client_say(struct jc_load_client_subscriber *subscriber, const char *text);

/* What a subscriber says when it is in the space: what it looks at, or first which
 * skeleton it has, and then, under its hash, what it looks at. */
void jc_load_client_look(
	struct jc_load_client *load_client, struct jc_load_client_subscriber *subscriber);
void jc_load_client_subscribe(struct jc_load_client *load_client,
	struct jc_load_client_subscriber *subscriber, const char *skeleton);

/* What a socket gave. */
void jc_load_client_hear(struct jc_load_client *load_client,
	struct jc_load_client_subscriber *subscriber, const uint8_t *bytes, size_t length);

#endif
