/* A hash table of addresses, so that finding one does not visit all connections. */
#include "net/address_limits.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/error.h"

/* The key of an address: the first half of an IPv6 address; an IPv4 address, also where it
 * is mapped to IPv6, after a byte that no IPv6 source address begins with; zero for a Unix
 * socket. */
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

static struct jc_client_address **bucket_of(struct jc_address_limits *address_limits, uint64_t name)
{
	uint64_t hash = jc_siphash(&address_limits->key, &name, sizeof(name));

	return &address_limits->buckets[hash % JC_ADDRESS_BUCKETS];
}

int jc_address_limits_enter(struct jc_address_limits *address_limits,
	const struct sockaddr *address, uint64_t via, size_t most,
	struct jc_client_address **out_client_address)
{
	uint64_t name = name_of(address) ^ via;
	struct jc_client_address **bucket = bucket_of(address_limits, name);
	struct jc_client_address *client_address = *bucket;

	while (client_address && client_address->address != name) {
		client_address = client_address->next;
	}
	if (client_address ? client_address->count >= most : most == 0) {
		return JC_ERROR_LIMIT;
	}
	if (!client_address) {
		client_address = calloc(1, sizeof(*client_address));
		if (!client_address) {
			return JC_ERROR_MEMORY;
		}
		jc_token_bucket_init(&client_address->bytes, 0);
		client_address->address = name;
		client_address->next = *bucket;
		*bucket = client_address;
	}
	client_address->count++;
	*out_client_address = client_address;
	return JC_OK;
}

void jc_address_limits_leave(
	struct jc_address_limits *address_limits, struct jc_client_address *client_address)
{
	struct jc_client_address **at = bucket_of(address_limits, client_address->address);

	if (--client_address->count > 0) {
		return;
	}
	while (*at != client_address) {
		at = &(*at)->next;
	}
	*at = client_address->next;
	jc_held_texts_finish(&client_address->queued.texts);
	free(client_address);
}

bool jc_client_address_keep(struct jc_client_address *client_address, size_t bytes, size_t most)
{
	if (bytes > most || client_address->retained_bytes > most - bytes) {
		return false;
	}
	client_address->retained_bytes += bytes;
	return true;
}

void jc_client_address_let_go(struct jc_client_address *client_address, size_t bytes)
{
	client_address->retained_bytes -= bytes;
}
