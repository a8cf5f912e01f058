/* How many connections each address has, and how much it sends over all of them, so that none
 * takes everything. Of IPv6 a whole /64 counts as one: that is what one visitor is given. */
#ifndef JC_VISITORS_H
#define JC_VISITORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/siphash.h"
#include "net/allowance.h"
#include "net/budget.h"
#include "net/send_queue.h"
#include "net/turns.h"

struct jc_visitor {
	struct jc_visitor *next;       /* of its bucket */
	uint64_t address;              /* what stands for it */
	size_t count;                  /* connections */
	size_t kept;                   /* bytes of it, in memory */
	struct jc_allowance bytes;     /* that are read of it */
	struct jc_budget budget;       /* processor time of its control messages */
	struct jc_address_turns turns; /* of its sessions to read control messages */
	struct jc_queued queued;       /* control messages that wait for its sessions */
};

#define JC_VISITOR_BUCKETS 1024u

/* All zeros: nobody is there. */
struct jc_visitors {
	struct jc_siphash_key key; /* random: no address is chosen for the bucket it falls in */
	struct jc_visitor *buckets[JC_VISITOR_BUCKETS]; /* owned */
};

/* One more connection from an address, unless it has `most` already. Returns 0,
 * JC_ERROR_LIMIT or JC_ERROR_MEMORY; *out_visitor is for jc_visitors_leave. */
int jc_visitors_enter(struct jc_visitors *visitors, const struct sockaddr *address, size_t most,
	struct jc_visitor **out_visitor);

/* One less. */
void jc_visitors_leave(struct jc_visitors *visitors, struct jc_visitor *visitor);

/* So many bytes more are kept of it, unless they were more than `most` then. */
bool jc_visitor_keep(struct jc_visitor *visitor, size_t bytes, size_t most);
/* And no longer. */
void jc_visitor_let_go(struct jc_visitor *visitor, size_t bytes);

#endif
