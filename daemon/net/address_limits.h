/* How many connections each address has, and how much it sends over all of them, so that none
 * takes everything. Of IPv6 a whole /64 counts as one: that is what one visitor is given. */
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
	struct jc_client_address *next; /* of its bucket */
	uint64_t address;               /* what stands for it */
	size_t count;                   /* connections */
	size_t kept;                    /* bytes of it, in memory */
	struct jc_token_bucket bytes;   /* that are read of it */
	struct jc_address_turns turns;  /* of its sessions to read control messages */
	struct jc_queued queued;        /* control messages that wait for its sessions */
};

#define JC_ADDRESS_BUCKETS 1024u

/* All zeros: nobody is there. */
struct jc_address_limits {
	struct jc_siphash_key key; /* random: no address is chosen for the bucket it falls in */
	struct jc_client_address *buckets[JC_ADDRESS_BUCKETS]; /* owned */
};

/* One more connection from an address, unless it has `most` already. Returns 0,
 * JC_ERROR_LIMIT or JC_ERROR_MEMORY; *out_client_address is for jc_address_limits_leave. */
int jc_address_limits_enter(struct jc_address_limits *address_limits,
	const struct sockaddr *address, size_t most, struct jc_client_address **out_client_address);

/* One less. */
void jc_address_limits_leave(
	struct jc_address_limits *address_limits, struct jc_client_address *client_address);

/* So many bytes more are kept of it, unless they were more than `most` then. */
bool jc_client_address_keep(struct jc_client_address *client_address, size_t bytes, size_t most);
/* And no longer. */
void jc_client_address_let_go(struct jc_client_address *client_address, size_t bytes);

#endif
