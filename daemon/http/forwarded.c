/* Reads X-Forwarded-For. Only its last address is from the proxy; a client can send the others
 * itself. */
#include "http/forwarded.h"

#include <string.h>

#include "base/address.h"
#include "net/connection.h"
#include "net/server.h"

static bool read_peer(struct jc_text text, union jc_peer *out_peer)
{
	struct sockaddr_storage address;
	char host[JC_ADDRESS_TEXT];

	if (text.length >= sizeof(host)) {
		return false;
	}
	memcpy(host, text.bytes, text.length);
	host[text.length] = '\0';
	if (!jc_address_parse_host(host, &address)) {
		return false;
	}
	memcpy(out_peer, &address, sizeof(*out_peer));
	return true;
}

int jc_forwarded_take(
	struct jc_connection *connection, const struct jc_request *request, const char **out_reason)
{
	union jc_peer peer;

	/* Health checks of the proxy itself have no such header. */
	if (!jc_server_believes(connection->server, connection->kind) ||
		!request->passed_for.bytes) {
		return 200;
	}
	if (!read_peer(request->passed_for, &peer)) {
		*out_reason = "X-Forwarded-For does not end with an address";
		return 400;
	}
	if (jc_server_pass_on(connection->server, connection, &peer) != JC_OK) {
		*out_reason = "too many connections of this address";
		return 503;
	}
	return 200;
}

static bool is_local(const union jc_peer *peer)
{
	return peer->sa.sa_family == AF_UNIX || jc_address_is_loopback(&peer->sa);
}

bool jc_forwarded_is_private(
	const struct jc_connection *connection, const struct jc_request *request)
{
	union jc_peer client = connection->peer;

	if (connection->kind == JC_LISTENER_TLS) {
		return true;
	}
	if (request->passed_for.bytes && !read_peer(request->passed_for, &client)) {
		return false;
	}
	if (request->passed_by.bytes) {
		return jc_text_is(request->passed_by, "https") ||
		       jc_text_is(request->passed_by, "wss") || is_local(&client);
	}
	return is_local(&connection->peer) ||
	       (connection->kind == JC_LISTENER_PROXY && request->was_forwarded);
}
