/* A table of lists: who comes and goes is found without looking at all who are there. */
#include "net/visitors.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/error.h"

/* What stands for an address: the first half of an IPv6 one; an IPv4 one, also where it is
 * written as IPv6, behind a byte that no sender's IPv6 address begins with; nothing for a
 * socket of this machine. */
static uint64_t name_of(const struct sockaddr *address)
{
	const struct sockaddr_in *in = (const struct sockaddr_in *)address;
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)address;
	uint8_t bytes[8] = { 0 };
	uint64_t name;

	if (address->sa_family == AF_INET6 && !IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr)) {
		memcpy(bytes, &in6->sin6_addr, 8);
	} else if (address->sa_family != AF_UNIX) {
		bytes[0] = 0xff;
		memcpy(bytes + 4,
			address->sa_family == AF_INET ? (const uint8_t *)&in->sin_addr
						      : in6->sin6_addr.s6_addr + 12,
			4);
	}
	memcpy(&name, bytes, sizeof(name));
	return name;
}

static struct jc_visitor **bucket_of(struct jc_visitors *visitors, uint64_t name)
{
	uint64_t hash = jc_siphash(&visitors->key, &name, sizeof(name));

	return &visitors->buckets[hash % JC_VISITOR_BUCKETS];
}

int jc_visitors_enter(struct jc_visitors *visitors, const struct sockaddr *address, size_t most,
	struct jc_visitor **out_visitor)
{
	uint64_t name = name_of(address);
	struct jc_visitor **bucket = bucket_of(visitors, name);
	struct jc_visitor *visitor = *bucket;

	while (visitor && visitor->address != name) {
		visitor = visitor->next;
	}
	if (visitor ? visitor->count >= most : most == 0) {
		return JC_ERROR_LIMIT;
	}
	if (!visitor) {
		visitor = calloc(1, sizeof(*visitor));
		if (!visitor) {
			return JC_ERROR_MEMORY;
		}
		visitor->address = name;
		visitor->next = *bucket;
		*bucket = visitor;
	}
	visitor->count++;
	*out_visitor = visitor;
	return JC_OK;
}

void jc_visitors_leave(struct jc_visitors *visitors, struct jc_visitor *visitor)
{
	struct jc_visitor **at = bucket_of(visitors, visitor->address);

	if (--visitor->count > 0) {
		return;
	}
	while (*at != visitor) {
		at = &(*at)->next;
	}
	*at = visitor->next;
	jc_held_texts_finish(&visitor->queued.texts);
	free(visitor);
}

bool jc_visitor_keep(struct jc_visitor *visitor, size_t bytes, size_t most)
{
	if (bytes > most || visitor->kept > most - bytes) {
		return false;
	}
	visitor->kept += bytes;
	return true;
}

void jc_visitor_let_go(struct jc_visitor *visitor, size_t bytes)
{
	visitor->kept -= bytes;
}
