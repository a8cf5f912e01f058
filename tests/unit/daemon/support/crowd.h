/* A daemon without sockets, with its own clock and four clients: replaces the functions of
 * libwebsockets that a connection calls, clock_gettime and time. The same calls always have the
 * same results. All that happens before time passes happens in one turn of the daemon's loop.
 *
 * The daemon has two spaces, "lobby", where anybody watches and publishes, and "hall", which
 * demands the roles; clients open more. It has no state directory and no recordings. */
#ifndef JC_TEST_CROWD_H
#define JC_TEST_CROWD_H

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

/* The hash of an avatar that every guest may wear. */
#define CROWD_AVATAR "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define CROWD_GUESTS 4u

/* The key "k" of the daemon, for HS256. */
#define CROWD_SECRET "an uninteresting secret of 32 B."

/* Unix time when it opens. */
#define CROWD_BEGIN_S 1800000000

struct crowd;

/* A client; the fields are the crowd's own. */
struct crowd_guest {
	struct crowd *crowd;
	struct jc_connection *connection; /* NULL: it is not connected */
	bool is_stalled;                  /* it reads nothing, */
	bool is_full;                     /* so bytes wait in the daemon's socket */
	bool is_read;                     /* the daemon reads from it */
	uint8_t *sent;                    /* owned; bytes that the daemon has not read yet */
	size_t sent_length;
	size_t piece_left; /* bytes that still belong to the piece that was read last */
};

struct crowd {
	uv_loop_t loop;
	struct jc_log log;
	struct jc_config config;
	struct jc_auth_policy auth_policy;
	struct jc_spaces spaces;
	struct jc_space_policy strict; /* of "hall" */
	struct jc_replays replays;
	struct jc_services services;
	struct jc_avatars avatars; /* one: CROWD_AVATAR */
	struct jc_http http;
	struct jc_control control;
	struct jc_server server;
	struct crowd_guest guests[CROWD_GUESTS];
	int64_t sweep_ns; /* of the connections, the next */
	size_t ticks;     /* so far */
	bool remembers;   /* the last seconds of each space, for rewinds */
	/* Each write to a guest. */
	void (*hear)(struct crowd_guest *guest, const uint8_t *bytes, size_t length);
};

/* One at a time; all zeros but for hear. */
void crowd_open(struct crowd *crowd);
void crowd_close(struct crowd *crowd);

/* The guest opens a WebSocket, from an address of 127.0.0.0/8; two guests share one. */
void crowd_connect(struct crowd_guest *guest);
void crowd_hang_up(struct crowd_guest *guest);

/* A frame, with a mask of zeros, which waits for crowd_deliver. */
void crowd_send(struct crowd_guest *guest, uint8_t opcode, const void *bytes, size_t length);

/* The daemon reads what waits, in pieces of 16 KB, while it wants to. is_same: what the
 * guest sent last and this came in one piece, so that it is read even if the daemon does
 * not want more. */
void crowd_deliver(struct crowd_guest *guest, bool is_same);

/* The guest stops reading: the next write fills its socket. Or it reads again, all of it. */
void crowd_stall(struct crowd_guest *guest, bool is_stalled);

/* Time passes: ticks of the spaces, sweeps, and work of the pool, which is done at once. */
void crowd_wait(struct crowd *crowd, int64_t ns);
void crowd_wait_for_tick(struct crowd *crowd);
void crowd_wait_for_sweep(struct crowd *crowd);

/* Whether tokens are demanded, as after a reload. */
enum crowd_keys { CROWD_NO_KEY, CROWD_KEY, CROWD_REVOKED_KEY };
void crowd_set_keys(struct crowd *crowd, enum crowd_keys keys);

/* Reloads the unchanged configuration; the changes of administrators end. */
void crowd_reload(struct crowd *crowd);

#endif
