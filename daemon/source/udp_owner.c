/* Compares networks as text, as the list of peers has them. */
#include "source/udp_owner.h"

#include <string.h>

#include "base/address.h"
#include "jointcast_private/continuity.h"

static bool is_peer(const struct jc_source_peers *peers, const struct sockaddr_storage *from)
{
	char network[JC_ADDRESS_TEXT];

	if (peers->count == 0) {
		return true;
	}
	jc_address_network((const struct sockaddr *)from, network);
	for (size_t i = 0; i < peers->count; i++) {
		if (strcmp(peers->networks[i], network) == 0) {
			return true;
		}
	}
	return false;
}

bool jc_udp_owner_admits(struct jc_udp_owner *owner, const struct sockaddr_storage *from,
	int64_t now_ns, bool *out_is_new)
{
	bool is_known = owner->address.ss_family != AF_UNSPEC;
	bool is_owner = is_known && owner->address.ss_family == from->ss_family &&
			memcmp(&owner->address, from, jc_address_length(from)) == 0;

	if (!is_peer(&owner->peers, from)) {
		owner->barred++;
		return false;
	}
	if (!is_owner && is_known && now_ns - owner->latest_ns < JC_CONTINUITY_HOLD_NS) {
		owner->foreign++;
		return false;
	}
	*out_is_new = !is_owner;
	return true;
}

void jc_udp_owner_note(
	struct jc_udp_owner *owner, const struct sockaddr_storage *from, int64_t now_ns)
{
	owner->address = *from;
	owner->latest_ns = now_ns;
}

const char *jc_udp_owner_reason(const struct jc_udp_owner *owner)
{
	return owner->barred > 0    ? "the sender is not among the peers"
	       : owner->foreign > 0 ? "another sender moves this body"
				    : NULL;
}
