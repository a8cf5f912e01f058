/* Complete HTTP requests on one connection: routes, files below the web root, the client's
 * address from X-Forwarded-For, registration of skeletons, avatars, and invitations. The first byte
 * holds the switches below, the second where the bytes are cut in two, the rest are the bytes of
 * the client.
 *
 * Files outside the web root and hidden ones hold a word that no response may hold; an answer
 * is one HTTP/1.1 response of the announced length; only the end of X-Forwarded-For, from a
 * trusted proxy, changes the client's address; a request that changes an invitation succeeds, and
 * needs keys; the disk has what the tables have. */
#include <arpa/inet.h>
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "../unit/daemon/support/line.h"
#include "http/routes.h"
#include "invitation/invitations.h"
#include "registry/registry.h"
#include "support/scratch.h"
#include "support/state.h"
#include "target.h"

#define KIND      0x03 /* enum jc_listener_kind */
#define KEYS      0x04 /* clients have to show a token */
#define FORWARDED 0x08 /* the proxy sends X-Forwarded-For */
#define CHOKED    0x10 /* the socket takes nothing until all was received */
#define LATE      0x20 /* every deadline passes before the end */
#define NO_ROOT   0x40 /* there is no viewer */

#define WEB "web"
/* Not UTF-8: a reason that repeats a part of the request cannot hold it. */
#define SECRET "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8"

static struct {
	size_t length;
	char bytes[1 << 18];
} heard;

static void hear(void *context, const uint8_t *bytes, size_t length)
{
	(void)context;
	assert(heard.length + length < sizeof(heard.bytes));
	memcpy(heard.bytes + heard.length, bytes, length);
	heard.length += length;
}

static void make_site(void)
{
	static char large[40000];
	char target[PATH_MAX], link[PATH_MAX];

	memset(large, 'x', sizeof(large));
	scratch_write("outside.txt", SECRET, strlen(SECRET));
	scratch_make_folder(WEB "-beside");
	scratch_write(WEB "-beside/index.html", SECRET, strlen(SECRET));
	scratch_make_folder(WEB);
	scratch_make_folder(WEB "/lib");
	scratch_make_folder(WEB "/.git");
	scratch_write(WEB "/.git/config", SECRET, strlen(SECRET));
	scratch_write(WEB "/.hidden", SECRET, strlen(SECRET));
	scratch_write(WEB "/index.html", "<script>1</script><script src=a></script>", 41);
	scratch_write(WEB "/lib/a b.js", "1", 1);
	scratch_write(WEB "/lib/empty.GLB", "", 0);
	scratch_write(WEB "/lib/empty.GLB.gz", "12", 2);
	scratch_write(WEB "/large", large, sizeof(large));
	scratch_path("outside.txt", target);
	scratch_path(WEB "/link.txt", link);
	int status = symlink(target, link);

	assert(status == 0);
	scratch_path(WEB "/up", link);
	status = symlink("..", link);
	assert(status == 0);
}

static void open_world(struct line *line, uint8_t switches)
{
	static const char secret[] = "0123456789abcdef0123456789abcdef";
	struct jc_diagnostic diagnostic;
	char root[PATH_MAX];
	int status = JC_OK;

	*line = (struct line){ .hear = hear };
	line_open(line);
	scratch_path(switches & NO_ROOT ? "none" : WEB, root);
	status |= jc_config_set(&line->config, "server.web", root, &diagnostic);
	status |= jc_config_set(&line->config, "server.hosts", "room.example", &diagnostic);
	status |= jc_config_set(
		&line->config, "server.origins", "https://world.example", &diagnostic);
	line->config.proxy.forwarded = switches & FORWARDED;
	if (switches & KEYS) {
		status |= jc_keyring_add(&line->auth_policy.keyring, "h", JC_KEY_HS256,
			(const uint8_t *)secret, strlen(secret), &diagnostic);
	}
	assert(status == JC_OK);
	state_open(line);
}

/* A route for one kind of listener; the administration listener has no viewer. */
static void check_route(const char *bytes, size_t length, enum jc_listener_kind kind)
{
	struct jc_request request;

	if (jc_request_parse(bytes, length, &request) > 0) {
		const struct jc_route *route = jc_route_find(request.target, kind);

		assert(!route || route->listeners & JC_ON(kind));
		assert(request.target.length > 0);
		assert(route || kind == JC_LISTENER_ADMIN || request.target.bytes[0] != '/');
	}
}

static const char *find_header(const char *name)
{
	const char *end = strstr(heard.bytes, "\r\n\r\n");
	size_t length = strlen(name);

	for (const char *line = strstr(heard.bytes, "\r\n") + 2; line < end + 2;
		line = strstr(line, "\r\n") + 2) {
		if (strncasecmp(line, name, length) == 0) {
			return line + length;
		}
	}
	return NULL;
}

static void check_head(const char *end)
{
	for (const char *c = heard.bytes; c < end; c++) {
		assert((unsigned char)*c >= 0x20 || strncmp(c, "\r\n", 2) == 0 ||
			(*c == '\n' && c[-1] == '\r'));
		assert(*c != 0x7f);
	}
	assert(find_header("Connection:") && find_header("Content-Length: "));
	assert(find_header("X-Content-Type-Options: nosniff"));
	/* The compressed form of the empty file is the only one. */
	assert(!find_header("Content-Encoding:") ||
		(find_header("Content-Encoding: gzip\r\n") &&
			find_header("Vary: Accept-Encoding\r\n") &&
			find_header("Content-Length: 2\r\n")));
}

static void check_response(bool is_head)
{
	static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";

	heard.bytes[heard.length] = '\0';
	assert(!memmem(heard.bytes, heard.length, SECRET, strlen(SECRET)));
	if (strncmp(heard.bytes, go_on, sizeof(go_on) - 1) == 0) {
		heard.length -= sizeof(go_on) - 1;
		memmove(heard.bytes, heard.bytes + sizeof(go_on) - 1, heard.length + 1);
	}
	if (heard.length == 0 || strncmp(heard.bytes, "HTTP/1.1 101 ", 13) == 0) {
		return; /* the request is not complete, or it is a WebSocket now */
	}
	const char *end = strstr(heard.bytes, "\r\n\r\n");
	int status = 0;

	assert(end && sscanf(heard.bytes, "HTTP/1.1 %d ", &status) == 1);
	assert(status >= 200 && status < 600);
	check_head(end);
	size_t body = heard.length - (size_t)(end + 4 - heard.bytes);
	size_t announced = strtoul(find_header("Content-Length: "), NULL, 10);

	assert(body == (is_head || status == 304 ? 0 : announced) ||
		/* A request that cannot be read is answered as if it were a GET. */
		(status >= 400 && body == announced));
}

/* The address is that of the connection, unless a proxy is trusted. */
static void check_peer(const struct line *line, uint8_t switches)
{
	const union jc_peer *peer = &line->connection->peer;

	if ((switches & KIND) == JC_LISTENER_PROXY && switches & FORWARDED) {
		assert(peer->sa.sa_family == AF_INET || peer->sa.sa_family == AF_INET6);
	} else {
		assert(peer->in.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
	}
	assert(line->connection->client_address);
}

/* The invitations after the request, and the answer, which may be incomplete. */
static void check_invitations(const struct line *line, uint8_t switches)
{
	const struct jc_invitation_list *list = jc_invitations_list(line->services.invitations, 0);
	const struct jc_invitation *one = jc_invitation_list_find(list, STATE_INVITATION);

	assert(one && list->count <= 2);
	if (list->count == 1 && one->used == 0 && !one->is_revoked) {
		return;
	}
	assert(switches & KEYS);
	assert(switches & LATE || strncmp(heard.bytes, "HTTP/1.1 20", 11) == 0);
}

static void converse(
	struct line *line, uint8_t switches, const char *bytes, size_t first, size_t length)
{
	struct jc_connection *connection = line->connection;
	const uint8_t *data = (const uint8_t *)bytes;
	bool over = first > 0 && jc_connection_on_bytes(connection, data, first);

	if (!over && length > first) {
		over = jc_connection_on_bytes(connection, data + first, length - first);
	}
	line->is_full = false;
	if (!over) {
		jc_connection_on_writable(connection);
	}
	/* The pool may answer later. */
	uv_run(&line->loop, UV_RUN_DEFAULT);
	check_peer(line, switches);
	/* The connection leaves the counter that it entered. */
	connection->kind = JC_LISTENER_PLAIN;
	if (switches & LATE) {
		jc_connection_sweep(connection, INT64_MAX);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct line line;
	static bool has_site;

	if (size < 2) {
		return 0;
	}
	if (!has_site) {
		make_site();
		has_site = true;
	}
	const char *bytes = (const char *)data + 2;
	size_t length = size - 2;
	bool is_head = length >= 5 && memcmp(bytes, "HEAD ", 5) == 0;
	uint8_t switches = data[0];

	open_world(&line, switches);
	heard.length = 0;
	line_connect(&line);
	line.connection->kind = (enum jc_listener_kind)(switches & KIND);
	line.is_full = switches & CHOKED;
	check_route(bytes, length, line.connection->kind);
	converse(&line, switches, bytes, length * data[1] / 255, length);
	if (!(switches & LATE)) { /* else an answer may have been cut off */
		check_response(is_head);
	}
	check_invitations(&line, switches);
	state_check(&line);
	state_close(&line);
	return 0;
}
