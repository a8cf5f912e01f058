/* A connection without a socket: replaces the functions of libwebsockets that a connection calls,
 * and passes the written bytes to the test. The daemon behind it has an empty lobby and no keys,
 * state directory or folder for recordings; every client may open spaces. Only one line exists at
 * a time. */
#ifndef JC_TEST_LINE_H
#define JC_TEST_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "auth/auth_policy.h"
#include "avatars/avatar_store.h"
#include "control/control.h"
#include "http/http.h"
#include "net/connection.h"
#include "net/server.h"
#include "net/web_socket.h"
#include "replay/replay.h"
#include "services.h"

struct line {
	uv_loop_t loop;
	struct jc_log log;
	struct jc_config config;
	struct jc_auth_policy auth_policy;
	struct jc_spaces spaces;
	struct jc_replays replays;
	struct jc_services services;
	struct jc_avatars avatars; /* empty */
	struct jc_http http;
	struct jc_control control;
	struct jc_server server;
	struct jc_connection *connection; /* NULL before line_connect and after line_hang_up */
	bool is_full;                     /* the socket takes nothing more */
	/* Called for each write to the peer. */
	void (*hear)(void *context, const uint8_t *bytes, size_t length);
	void *context;
};

/* All zeros but for the last two. */
void line_open(struct line *line);
void line_close(struct line *line);

/* Opens and ends a connection from loopback without a message. */
void line_connect(struct line *line);
void line_hang_up(struct line *line);

/* The handshake of section 1.3 of RFC 6455 for this subprotocol. */
void line_shake_hands(struct line *line);

/* A frame with a mask of zeros. False: the connection has to end. */
bool line_send(struct line *line, uint8_t opcode, const void *bytes, size_t length);

/* Sanctions are lifted, all of them. */
void line_forgive(struct line *line);

#endif
