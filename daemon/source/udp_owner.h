/* Which sender moves a body: one of the peers that may send, if there is a list of them, and only
 * one at a time. */
#ifndef JC_UDP_OWNER_H
#define JC_UDP_OWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "source/source_uri.h"

/* The one sender, distinguished by address and port. All zeros but the peers: none. */
struct jc_udp_owner {
	struct jc_source_peers peers;
	struct sockaddr_storage address; /* AF_UNSPEC: nobody yet */
	int64_t latest_ns;               /* arrival time of its last packet */
	uint64_t foreign;                /* packets of senders that do not own the body */
	uint64_t barred;                 /* packets of senders that are no peers */
};

/* Whether the body may follow this packet: its sender is the owner, or there is none that has sent
 * within JC_CONTINUITY_HOLD_NS. *out_is_new: it is not the owner yet. Counts other packets. */
bool jc_udp_owner_admits(struct jc_udp_owner *owner, const struct sockaddr_storage *from,
	int64_t now_ns, bool *out_is_new);

/* Notes a valid packet: the sender is the owner now. */
void jc_udp_owner_note(
	struct jc_udp_owner *owner, const struct sockaddr_storage *from, int64_t now_ns);

/* Why packets did not count; NULL: all did. */
const char *jc_udp_owner_reason(const struct jc_udp_owner *owner);

#endif
