/* See crowd.h. */
#include "crowd.h"

#include <assert.h>
#include <fcntl.h>
#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "control/moderate.h"
#include "moderation/moderation.h"
#include "record/recordings.h"
#include "registry/registry.h"
#include "registry/skeleton_upload.h"
#include "replay/rewind_buffer.h"

#define SECOND       INT64_C(1000000000)
#define SWEEP_NS     (SECOND / 4)
#define BEGIN_NS     (1000 * SECOND)
#define PIECE        16384u /* bytes that one read takes at most */
#define MOST_SENT    (4 * JC_MAX_MESSAGE_BYTES)
#define MOST_TICKS   200u   /* of one crowd; after that waits skip them, */
#define LONG_WAIT_NS SECOND /* and of a longer one those in the middle */
#define REWIND_S     5u
#define REWIND_BYTES (64u << 10)
#define TURN_NS      (SECOND / 100)
#define COST         20000 /* nanoseconds of processor time that pass from look to look */

static int64_t now_ns, spent_ns;

int __wrap_clock_gettime(clockid_t id, struct timespec *out_time);
time_t __wrap_time(time_t *out_time);

int __wrap_clock_gettime(clockid_t id, struct timespec *out_time)
{
	int64_t ns = now_ns;

	if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE) {
		ns += CROWD_BEGIN_S * SECOND - BEGIN_NS;
	} else if (id == CLOCK_THREAD_CPUTIME_ID || id == CLOCK_PROCESS_CPUTIME_ID) {
		ns = spent_ns += COST;
	}
	*out_time = (struct timespec){ .tv_sec = ns / SECOND, .tv_nsec = ns % SECOND };
	return 0;
}

time_t __wrap_time(time_t *out_time)
{
	time_t seconds = CROWD_BEGIN_S + (now_ns - BEGIN_NS) / SECOND;

	if (out_time) {
		*out_time = seconds;
	}
	return seconds;
}

static struct crowd_guest *guest_of(struct lws *wsi)
{
	return (struct crowd_guest *)wsi;
}

int lws_write(
	struct lws *wsi, unsigned char *bytes, size_t length, enum lws_write_protocol protocol)
{
	struct crowd_guest *guest = guest_of(wsi);

	(void)protocol;
	/* The daemon writes only where nothing waits. */
	assert(!guest->is_full);
	guest->is_full = guest->is_stalled;
	guest->crowd->hear(guest, bytes, length);
	return (int)length;
}

int lws_partial_buffered(struct lws *wsi)
{
	return guest_of(wsi)->is_full;
}

int lws_rx_flow_control(struct lws *wsi, int enable)
{
	guest_of(wsi)->is_read = enable;
	return 0;
}

void lws_set_timeout(struct lws *wsi, enum pending_timeout reason, int seconds)
{
	(void)seconds;
	/* libwebsockets closes the socket before it returns. */
	if (reason == PENDING_TIMEOUT_CLOSE_SEND) {
		crowd_hang_up(guest_of(wsi));
	}
}

SSL *lws_get_ssl(struct lws *wsi)
{
	(void)wsi;
	return NULL;
}

lws_sockfd_type lws_get_socket_fd(struct lws *wsi)
{
	(void)wsi;
	return -1;
}

static void open_spaces(struct crowd *crowd)
{
	struct jc_spaces *spaces = &crowd->spaces;
	struct jc_diagnostic diagnostic;
	struct jc_fanout *fanout;
	int status = jc_spaces_init(spaces, &diagnostic);

	/* Ticks are what takes most of the time, and are no better for being many. */
	spaces->policy.space.hz = JC_LEAST_TICK_HZ;
	crowd->strict = spaces->policy.space;
	spaces->policy.open.anyone = true;
	spaces->policy.linger_s = 2;
	jc_space_policy_permit(&spaces->policy.space, JC_ROLE_WATCH)->anyone = true;
	jc_space_policy_permit(&spaces->policy.space, JC_ROLE_PUBLISH)->anyone = true;
	status |= jc_spaces_open(spaces, "lobby", &fanout);
	status |= jc_spaces_configure(spaces, "hall", &crowd->strict, &fanout);
	assert(status == JC_OK);
}

static void open_stores(struct crowd *crowd)
{
	const struct jc_registry_options registry = { .skeleton_table =
							      &crowd->spaces.skeleton_table,
		.log = &crowd->log,
		.loop = &crowd->loop,
		.quotas = { .subject = { 4, 1u << 16 },
			.connection = { 2, 1u << 15 },
			.address = { 3, 1u << 15 },
			.connections = { 4, 1u << 16 },
			.all = { 8, 1u << 17 } } };
	const struct jc_recordings_options recordings = {
		.loop = &crowd->loop, .clock = &crowd->spaces.clock, .log = &crowd->log
	};
	const struct jc_moderation_options moderation = { .loop = &crowd->loop,
		.log = &crowd->log };
	struct jc_services *services = &crowd->services;
	struct jc_diagnostic diagnostic;
	int status = jc_registry_create(&registry, &services->registry);

	services->avatars = &crowd->avatars;
	status |= jc_avatar_store_create(
		&(struct jc_avatar_store_options){ .policy = &crowd->config.avatars,
			.avatars = &crowd->avatars,
			.spaces = &crowd->spaces,
			.moderation = services->moderation,
			.log = &crowd->log,
			.loop = &crowd->loop },
		&services->avatar_store);
	status |= jc_recordings_create(&recordings, &services->recordings);
	status |= jc_moderation_create(&moderation, &services->moderation, &diagnostic);
	assert(status == JC_OK);
}

/* An avatar of the configuration that every guest may wear, on a skeleton of its own. Its file is
 * never read. */
static void add_avatar(struct crowd *crowd)
{
	static const char figure[] = "{\"name\":\"f\",\"nodes\":[{\"name\":\"h\",\"translation\":"
				     "[0,1,0]}],\"bones\":{\"hips\":0}}";
	struct jc_avatar_file file = {
		.worn = { .hash = CROWD_AVATAR, .bytes = 1 },
		.path = strdup("/nowhere/avatar.glb"),
	};
	struct jc_diagnostic diagnostic;
	struct jc_skeleton_asset *asset;
	struct jc_avatar *avatar;
	int status = jc_skeleton_upload_read(figure, strlen(figure), 0, &asset, NULL, &diagnostic);

	status |= jc_skeleton_table_retain(&crowd->spaces.skeleton_table, asset, &asset);
	status |= jc_avatars_add(&crowd->avatars, &file, asset, &avatar);
	assert(status == JC_OK);
	jc_skeleton_asset_release(asset);
}

void crowd_open(struct crowd *crowd)
{
	struct jc_services *services = &crowd->services;
	struct jc_diagnostic diagnostic;

	/* Of two threads sometimes the one is first, sometimes the other. */
	setenv("UV_THREADPOOL_SIZE", "1", 1);
	now_ns = BEGIN_NS;
	spent_ns = 0;
	crowd->sweep_ns = BEGIN_NS + SWEEP_NS;
	int status = uv_loop_init(&crowd->loop);

	jc_log_init(&crowd->log, open("/dev/null", O_WRONLY | O_CLOEXEC), NULL);
	status |= jc_config_init(&crowd->config, "/nowhere", &diagnostic);
	status |= jc_auth_policy_init(&crowd->auth_policy, &crowd->config, &diagnostic);
	assert(status == JC_OK);
	open_spaces(crowd);
	open_stores(crowd);
	add_avatar(crowd);
	services->loop = &crowd->loop;
	services->version = "test";
	services->config = &crowd->config;
	services->auth_policy = &crowd->auth_policy;
	services->log = &crowd->log;
	services->spaces = &crowd->spaces;
	services->replays = &crowd->replays;
	crowd->http.services = services;
	status = jc_control_init(&crowd->control, services);
	assert(status == JC_OK);
	crowd->server.options = (struct jc_server_options){ .config = &crowd->config,
		.log = &crowd->log,
		.http_ops = &jc_http_ops,
		.http = &crowd->http,
		.session_ops = &jc_control_ops,
		.control = &crowd->control };
	crowd->server.loop = &crowd->loop;
	jc_turns_init(&crowd->server.turns, &crowd->loop, &crowd->config, jc_session_resume);
	for (size_t i = 0; i < CROWD_GUESTS; i++) {
		crowd->guests[i].crowd = crowd;
	}
}

void crowd_close(struct crowd *crowd)
{
	struct jc_services *services = &crowd->services;

	for (size_t i = 0; i < CROWD_GUESTS; i++) {
		if (crowd->guests[i].connection) {
			crowd_hang_up(&crowd->guests[i]);
		}
	}
	assert(!crowd->server.connections && crowd->server.connection_count == 0);
	jc_registry_stop(services->registry);
	uv_close((uv_handle_t *)&crowd->server.turns.timer, NULL);
	uv_run(&crowd->loop, UV_RUN_DEFAULT);
	/* The first notes that they are empty, the second that this was for long. */
	jc_spaces_sweep(&crowd->spaces, now_ns);
	jc_spaces_sweep(&crowd->spaces, INT64_MAX);
	assert(jc_spaces_find(&crowd->spaces, "lobby") && jc_spaces_find(&crowd->spaces, "hall"));
	jc_control_finish(&crowd->control);
	jc_moderation_destroy(services->moderation);
	jc_avatar_store_destroy(services->avatar_store);
	jc_avatars_finish(&crowd->avatars);
	jc_registry_destroy(services->registry);
	jc_recordings_destroy(services->recordings);
	jc_spaces_finish(&crowd->spaces);
	jc_auth_policy_finish(&crowd->auth_policy);
	jc_config_finish(&crowd->config);
	close(crowd->log.fd);
	int status = uv_loop_close(&crowd->loop);

	assert(status == 0);
}

void crowd_connect(struct crowd_guest *guest)
{
	static const char handshake[] =
		"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
		"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
		"Sec-WebSocket-Protocol: jointcast.v1\r\n\r\n";
	struct jc_server *server = &guest->crowd->server;
	struct jc_connection *connection = calloc(1, sizeof(*connection));
	uint32_t host = (uint32_t)(guest - guest->crowd->guests);

	assert(connection && !guest->connection);
	*guest = (struct crowd_guest){
		.crowd = guest->crowd, .connection = connection, .is_read = true
	};
	connection->server = server;
	connection->kind = JC_LISTENER_PLAIN;
	connection->wsi = (struct lws *)guest; /* never looked into */
	connection->peer.in = (struct sockaddr_in){ .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK + (host < 2 ? host : 2)) };
	int status = jc_address_limits_enter(&server->address_limits, &connection->peer.sa, 0,
		guest->crowd->config.connections_per_address, &connection->client_address);

	assert(status == JC_OK);
	connection->deadline_ns = now_ns + JC_MAX_REQUEST_SECONDS * SECOND;
	connection->next = server->connections;
	if (server->connections) {
		server->connections->previous = connection;
	}
	server->connections = connection;
	server->connection_count++;
	status = jc_connection_on_bytes(
		connection, (const uint8_t *)handshake, sizeof(handshake) - 1);
	assert(status == 0 && connection->web_socket);
}

void crowd_hang_up(struct crowd_guest *guest)
{
	jc_connection_on_closed(guest->connection);
	free(guest->sent);
	*guest = (struct crowd_guest){ .crowd = guest->crowd };
}

void crowd_send(struct crowd_guest *guest, uint8_t opcode, const void *bytes, size_t length)
{
	size_t head = length < 126 ? 2 : length < 65536 ? 4 : 10;
	size_t total = head + 4 + length;

	/* A client that is not read cannot send without end either. */
	if (total > MOST_SENT - guest->sent_length) {
		return;
	}
	uint8_t *sent = realloc(guest->sent, guest->sent_length + total);

	assert(sent);
	guest->sent = sent;
	sent += guest->sent_length;
	guest->sent_length += total;
	memset(sent, 0, head + 4);
	sent[0] = 0x80 | opcode;
	sent[1] = (uint8_t)(0x80 | (head == 2 ? length : head == 4 ? 126 : 127));
	for (size_t i = 2; i < head; i++) {
		sent[i] = (uint8_t)((uint64_t)length >> 8 * (head - 1 - i));
	}
	if (length > 0) {
		memcpy(sent + head + 4, bytes, length);
	}
}

void crowd_deliver(struct crowd_guest *guest, bool is_same)
{
	guest->piece_left = is_same ? guest->piece_left : 0;
	while (guest->connection && guest->sent_length > 0 &&
		(guest->is_read || guest->piece_left > 0)) {
		size_t most = guest->piece_left > 0 ? guest->piece_left : PIECE;
		size_t length = guest->sent_length < most ? guest->sent_length : most;
		uint8_t *piece = malloc(length);

		assert(piece);
		memcpy(piece, guest->sent, length);
		guest->sent_length -= length;
		memmove(guest->sent, guest->sent + length, guest->sent_length);
		guest->piece_left = most - length;
		int over = jc_connection_on_bytes(guest->connection, piece, length);

		free(piece);
		if (over) {
			crowd_hang_up(guest);
		}
	}
}

void crowd_stall(struct crowd_guest *guest, bool is_stalled)
{
	guest->is_stalled = is_stalled;
	if (!is_stalled && guest->is_full) {
		guest->is_full = false;
		if (jc_connection_on_writable(guest->connection)) {
			crowd_hang_up(guest);
		}
		crowd_deliver(guest, false);
	}
}

static void tick(struct crowd *crowd)
{
	jc_rewind_buffer_follow(&crowd->spaces, crowd->remembers ? REWIND_S : 0, REWIND_BYTES);
	jc_spaces_tick(&crowd->spaces, now_ns);
	jc_spaces_sweep(&crowd->spaces, now_ns);
	crowd->ticks++;
}

static void sweep(struct crowd *crowd)
{
	struct jc_connection *next;

	for (struct jc_connection *c = crowd->server.connections; c; c = next) {
		next = c->next;
		jc_connection_sweep(c, now_ns);
	}
	jc_moderate_sweep(&crowd->control);
	crowd->sweep_ns = now_ns + SWEEP_NS;
	/* Timers come before everything else that the loop does. */
	jc_server_settle(&crowd->server);
}

static void take_turns(struct crowd *crowd)
{
	jc_turns_take(&crowd->server.turns, now_ns);
	jc_server_settle(&crowd->server);
}

/* An event of the daemon's own, and what follows from it. */
static void run(struct crowd *crowd, void (*event)(struct crowd *crowd))
{
	jc_server_settle(&crowd->server);
	/* The loop knows another time. */
	uv_timer_stop(&crowd->server.turns.timer);
	uv_run(&crowd->loop, UV_RUN_DEFAULT);
	event(crowd);
	for (size_t i = 0; i < CROWD_GUESTS; i++) {
		crowd_deliver(&crowd->guests[i], false);
	}
}

static void wait_until(struct crowd *crowd, int64_t until_ns)
{
	int64_t due_ns;

	while (crowd->ticks < MOST_TICKS &&
		(due_ns = jc_spaces_due_ns(&crowd->spaces)) <= until_ns) {
		if (crowd->server.turns.is_timed && now_ns + TURN_NS <= due_ns) {
			now_ns += TURN_NS;
			run(crowd, take_turns);
		} else if (crowd->sweep_ns <= due_ns) {
			now_ns = crowd->sweep_ns > now_ns ? crowd->sweep_ns : now_ns;
			run(crowd, sweep);
		} else {
			now_ns = due_ns > now_ns ? due_ns : now_ns;
			run(crowd, tick);
		}
	}
	now_ns = until_ns;
	if (crowd->server.turns.is_timed) {
		run(crowd, take_turns);
	}
	if (crowd->sweep_ns <= now_ns) {
		run(crowd, sweep);
	}
	if (jc_spaces_due_ns(&crowd->spaces) <= now_ns) {
		run(crowd, tick);
	}
}

void crowd_wait(struct crowd *crowd, int64_t ns)
{
	int64_t until_ns = now_ns + ns;

	if (ns > LONG_WAIT_NS) {
		wait_until(crowd, now_ns + LONG_WAIT_NS / 2);
		now_ns = until_ns - LONG_WAIT_NS / 2;
	}
	wait_until(crowd, until_ns);
}

void crowd_wait_for_tick(struct crowd *crowd)
{
	int64_t due_ns = jc_spaces_due_ns(&crowd->spaces);

	crowd_wait(crowd, due_ns > now_ns ? due_ns - now_ns : 0);
}

void crowd_wait_for_sweep(struct crowd *crowd)
{
	crowd_wait(crowd, crowd->sweep_ns > now_ns ? crowd->sweep_ns - now_ns : 0);
}

void crowd_set_keys(struct crowd *crowd, enum crowd_keys keys)
{
	struct jc_keyring *keyring = &crowd->auth_policy.keyring;
	struct jc_diagnostic diagnostic;
	int status = JC_OK;

	jc_keyring_finish(keyring);
	if (keys != CROWD_NO_KEY) {
		status = jc_keyring_add(keyring, "k", JC_KEY_HS256, (const uint8_t *)CROWD_SECRET,
			sizeof(CROWD_SECRET) - 1, &diagnostic);
	}
	if (keys == CROWD_REVOKED_KEY) {
		status |= jc_keyring_revoke(keyring, "k");
	}
	assert(status == JC_OK);
}

void crowd_reload(struct crowd *crowd)
{
	struct jc_spaces_policy policy = crowd->spaces.policy;
	struct jc_fanout *fanout;

	jc_spaces_reset(&crowd->spaces, &policy);
	int status = jc_spaces_configure(&crowd->spaces, "hall", &crowd->strict, &fanout);

	assert(status == JC_OK || status == JC_ERROR_LIMIT);
}
