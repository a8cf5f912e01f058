/* Limits for each client address: connections, bytes and control messages. An IPv6 /64
 * counts as one address, because providers assign it to one customer. */
#ifndef JC_ADDRESS_LIMITS_H
#define JC_ADDRESS_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/siphash.h"
#include "base/token_bucket.h"
#include "net/send_queue.h"
#include "net/turns.h"

struct jc_client_address {
	struct jc_client_address *next; /* of the same bucket */
	uint64_t address;               /* the key of the address, and of the host that states it */
	size_t count;                   /* connections */
	size_t retained_bytes;          /* bytes of it, in memory */
	struct jc_token_bucket bytes;   /* read from it */
	struct jc_address_turns turns;  /* turns of its sessions to read control messages */
	struct jc_queued queued;        /* control messages in its send queues */
};

#define JC_ADDRESS_BUCKETS 1024u

/* All zeros: no addresses. */
struct jc_address_limits {
	struct jc_siphash_key
		key; /* random, so that clients cannot choose addresses of one bucket */
	struct jc_client_address *buckets[JC_ADDRESS_BUCKETS]; /* owned */
};

/* Counts one more connection of an address, unless it has `most` already. via: 0, or a random
 * number of the host that states the address: what it states counts for its own clients alone.
 * Returns 0, JC_ERROR_LIMIT or JC_ERROR_MEMORY; *out_client_address is for
 * jc_address_limits_leave. */
int jc_address_limits_enter(struct jc_address_limits *address_limits,
	const struct sockaddr *address, uint64_t via, size_t most,
	struct jc_client_address **out_client_address);

/* Counts one connection less. */
void jc_address_limits_leave(
	struct jc_address_limits *address_limits, struct jc_client_address *client_address);

/* Counts bytes that are kept for an address. False: they would be more than `most`. */
bool jc_client_address_keep(struct jc_client_address *client_address, size_t bytes, size_t most);
/* The bytes are kept no longer. */
void jc_client_address_let_go(struct jc_client_address *client_address, size_t bytes);

#endif
