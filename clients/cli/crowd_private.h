/* What the two files of a crowd share: its sockets and loop are in crowd.c, what its
 * subscribers say and hear in crowd_messages.c. */
#ifndef JC_CLI_CROWD_PRIVATE_H
#define JC_CLI_CROWD_PRIVATE_H

#include "crowd.h"
#include "jointcast/packet.h"

#define JC_CROWD_PINGS 16u
#define JC_CROWD_TEXT  512 /* most of a text that a subscriber says, but of its skeleton */
#define JC_CROWD_READ  65536

enum jc_crowd_phase {
	JC_CROWD_HANDSHAKE,
	JC_CROWD_CONTROL, /* the answer to the last message is awaited */
	JC_CROWD_MOTION,  /* a bundle came */
	JC_CROWD_LOST,
};

struct jc_crowd_subscriber {
	int fd;
	SSL *tls; /* owned; NULL: in the clear */
	enum jc_crowd_phase phase;
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

struct jc_crowd {
	struct jc_crowd_options options;
	int epoll;
	size_t ready; /* subscribers that got a bundle */
	double tick_hz;
	double tick_us;  /* server time of tick 0 */
	double epoch_us; /* our clock less the server's */
	double round_trip_us;
	unsigned pongs;
	bool failed; /* and why was said */
	bool measures;
	struct jc_crowd_figures *figures;
	uint8_t *seen; /* for each tick from first_tick on whether it came */
	uint32_t first_tick, last_tick;
	uint8_t buffer[JC_CROWD_READ];
	struct jc_crowd_subscriber subscribers[];
};

int64_t jc_crowd_now_ns(void);

/* The connection ended. */
void jc_crowd_lose(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber);

/* Each says one thing; false when it could not be sent whole. */
bool jc_crowd_say_handshake(struct jc_crowd_subscriber *subscriber);
bool jc_crowd_say(struct jc_crowd_subscriber *subscriber, const char *text);

/* What a subscriber says when it is in the space: what it looks at, or first which
 * skeleton it has, and then, under its hash, what it looks at. */
void jc_crowd_look(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber);
void jc_crowd_subscribe(
	struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber, const char *skeleton);

/* What a socket gave. */
void jc_crowd_hear(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber,
	const uint8_t *bytes, size_t length);

#endif
