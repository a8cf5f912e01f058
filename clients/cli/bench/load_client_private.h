/* Shared by load_client.c (sockets and loop) and load_client_messages.c (messages of the
 * subscribers). */
#ifndef JC_CLI_LOAD_CLIENT_PRIVATE_H
#define JC_CLI_LOAD_CLIENT_PRIVATE_H

#include "bench/load_client.h"
#include "jointcast/packet.h"

#define JC_LOAD_CLIENT_PINGS 16u
#define JC_LOAD_CLIENT_TEXT  512 /* the longest message of a subscriber, except its skeleton */
#define JC_LOAD_CLIENT_READ  65536

enum jc_load_client_phase {
	JC_LOAD_CLIENT_HANDSHAKE,
	JC_LOAD_CLIENT_CONTROL, /* waits for the answer to the last message */
	JC_LOAD_CLIENT_MOTION,  /* has received a bundle */
	JC_LOAD_CLIENT_LOST,
};

struct jc_load_client_subscriber {
	int fd;
	SSL *tls; /* owned; NULL: without TLS */
	enum jc_load_client_phase phase;
	uint8_t *bytes; /* owned: an incomplete message */
	size_t length, capacity;
	struct jc_bundle_head head; /* of the last bundle */
	bool has_head;
	int64_t acked_ns;
	uint32_t acked_tick;
	bool stalls;
	int64_t woken_ns; /* end of the stall; 0: none, or not over */
	bool is_current;  /* caught up since the stall */
	uint64_t stale;
};

struct jc_load_client {
	struct jc_load_client_options options;
	int epoll;
	size_t ready; /* subscribers that have received a bundle */
	double tick_hz;
	double tick_us;  /* server time of tick 0 */
	double epoch_us; /* our clock minus the server's */
	double round_trip_us;
	unsigned pongs;
	bool failed; /* a failure was reported */
	bool measures;
	struct jc_load_client_figures *figures;
	uint8_t *seen; /* whether each tick from first_tick on has arrived */
	uint32_t first_tick, last_tick;
	uint8_t buffer[JC_LOAD_CLIENT_READ];
	struct jc_load_client_subscriber subscribers[];
};

/* Ends the connection of a subscriber. */
void jc_load_client_lose(
	struct jc_load_client *load_client, struct jc_load_client_subscriber *subscriber);

/* Each sends one message; false when it could not be sent whole. */
bool jc_load_client_send_handshake(struct jc_load_client_subscriber *subscriber);
bool jc_load_client_send(struct jc_load_client_subscriber *subscriber, const char *text);

/* Continue after the roster: jc_load_client_look subscribes, or first registers a skeleton;
 * jc_load_client_subscribe requests the bundles, on that skeleton unless it is NULL. */
void jc_load_client_look(
	struct jc_load_client *load_client, struct jc_load_client_subscriber *subscriber);
void jc_load_client_subscribe(struct jc_load_client *load_client,
	struct jc_load_client_subscriber *subscriber, const char *skeleton);

/* Handles received bytes. */
void jc_load_client_receive(struct jc_load_client *load_client,
	struct jc_load_client_subscriber *subscriber, const uint8_t *bytes, size_t length);

#endif
