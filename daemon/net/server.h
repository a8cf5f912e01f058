/* The ports: listeners, connections and the libwebsockets context that carries their
 * bytes. */
#ifndef JC_SERVER_H
#define JC_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <uv.h>

#include "base/address.h"
#include "base/log.h"
#include "net/listener.h"
#include "space/spaces.h"

struct jc_server_options {
	size_t port_count;
	struct jc_port ports[JC_MAX_LISTENERS]; /* owned from the call on */
	/* Whom it is on ports with TLS: the files, borrowed, and what they hold, owned from
	 * the call on; NULL where there are none. */
	const char *certificate_path, *key_path;
	struct jc_certificate *certificate;
	const char *version;
	const struct jc_auth_policy *auth_policy; /* borrowed, as are the others */
	const struct jc_log *log;
	struct jc_spaces *spaces;
	struct jc_registry *registry;
	struct jc_recordings *recordings;
	struct jc_replays *replays;
	struct jc_moderation *moderation;
	const char *state; /* directory for what outlives a run; NULL: none */
};

struct jc_certificate;
struct jc_auth_policy;
struct jc_moderation;
struct jc_registry;
struct jc_recordings;
struct jc_replays;
struct jc_server;

/* Takes connections. Returns 0 or a negative enum jc_error. */
int jc_server_create(uv_loop_t *loop, const struct jc_server_options *options,
	struct jc_server **out_server, struct jc_diagnostic *diagnostic);

/* Handshakes that begin from now on show another certificate; those that were made go
 * on. Steals it; NULL changes nothing. */
void jc_server_show(struct jc_server *server, struct jc_certificate *certificate);

/* Its i-th port, while it listens; NULL where there are no more. */
const struct jc_port *jc_server_port(const struct jc_server *server, size_t i);

/* The kind and the "127.0.0.1:9871" of its i-th port. False where there are no more. */
bool jc_server_address(const struct jc_server *server, size_t i, enum jc_listener_kind *out_kind,
	char out_text[JC_ADDRESS_TEXT]);

/* Tells every subscriber, closes everything and calls on_stopped once no
 * connection is left, which a few seconds bound. */
void jc_server_stop(struct jc_server *server, void (*on_stopped)(void *context), void *context);

/* After uv_run has returned. Runs the loop until libwebsockets let go of it. */
void jc_server_destroy(struct jc_server *server);

#endif
