/* Opens ports and accepts connections, a few at a time, so that a burst of connections does
 * not delay the tick: a TLS handshake takes a millisecond or two of processor time, any
 * other connection very little. The others wait in the kernel's queue. */
#include "net/listener.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/address.h"
#include "base/log.h"

#define ACCEPT_BURST   64
#define TLS_BURST      2
#define TLS_PAUSE_MS   10
#define FULL_PAUSE_MS  250
#define LISTEN_BACKLOG 1024

/* Removes the socket file that a killed daemon left behind. */
static void clear_stale(const struct sockaddr_un *address)
{
	struct stat status;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && connect(fd, (const struct sockaddr *)address, sizeof(*address)) != 0 &&
		errno == ECONNREFUSED && lstat(address->sun_path, &status) == 0 &&
		S_ISSOCK(status.st_mode)) {
		unlink(address->sun_path);
	}
	if (fd >= 0) {
		close(fd);
	}
}

static int bind_to(int fd, const struct sockaddr_storage *address, bool reuse_port)
{
	int on = 1;
	int shared = reuse_port;

	if (address->ss_family != AF_UNIX) {
		return setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
				       setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &shared,
					       sizeof(shared)) == 0
			       ? bind(fd, (const struct sockaddr *)address,
					 jc_address_length(address))
			       : -1;
	}
	clear_stale((const struct sockaddr_un *)address);

	mode_t mask = umask(0177);
	int result = bind(fd, (const struct sockaddr *)address, sizeof(struct sockaddr_un));

	umask(mask);
	return result;
}

int jc_port_open(enum jc_listener_kind kind, const struct sockaddr_storage *address,
	bool reuse_port, struct jc_port *out_port, struct jc_diagnostic *diagnostic)
{
	int fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	char text[JC_ADDRESS_TEXT];

	if (fd >= 0 && bind_to(fd, address, reuse_port) == 0 && listen(fd, LISTEN_BACKLOG) == 0) {
		*out_port = (struct jc_port){
			.kind = kind, .fd = fd, .has_file = address->ss_family == AF_UNIX
		};
		return JC_OK;
	}
	int error = errno;

	jc_address_format(address, text);
	jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "cannot listen on %s: %s", text,
		strerror(error));
	if (fd >= 0) {
		close(fd);
	}
	return JC_ERROR_INVALID;
}

static void on_acceptable(uv_poll_t *poll, int status, int events);

static void on_pause_ended(uv_timer_t *pause)
{
	struct jc_listener *listener = pause->data;

	uv_poll_start(&listener->poll, UV_READABLE, on_acceptable);
}

static void pause_for(struct jc_listener *listener, uint64_t ms)
{
	uv_poll_stop(&listener->poll);
	uv_timer_start(&listener->pause, on_pause_ended, ms, 0);
}

static void on_acceptable(uv_poll_t *poll, int status, int events)
{
	struct jc_listener *listener = poll->data;
	const struct jc_listener_options *options = &listener->options;
	bool tls = listener->port.kind == JC_LISTENER_TLS;
	int welcome = 0;

	(void)status;
	(void)events;
	/* Refused connections are not counted: they cost little. */
	for (int i = 0; i < ACCEPT_BURST && !(tls && welcome == TLS_BURST); i++) {
		union jc_peer peer = { 0 };
		socklen_t length = sizeof(peer);
		int fd =
			accept4(listener->port.fd, &peer.sa, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd >= 0) {
			welcome += options->accepted(options->context, &listener->port, fd, &peer);
		} else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) {
			jc_log_write(options->log, JC_LOG_WARNING, "cannot accept a connection: %s",
				strerror(errno));
			pause_for(listener, FULL_PAUSE_MS);
			return;
		} else if (errno == EAGAIN) {
			return;
		}
	}
	if (tls && welcome == TLS_BURST) {
		pause_for(listener, TLS_PAUSE_MS);
	}
}

int jc_listener_start(struct jc_listener *listener, const struct jc_listener_options *options,
	const struct jc_port *port)
{
	int status = uv_poll_init(options->loop, &listener->poll, port->fd);

	if (status != 0) {
		close(port->fd);
		return status;
	}
	listener->options = *options;
	listener->port = *port;
	listener->poll.data = listener;
	uv_timer_init(options->loop, &listener->pause);
	listener->pause.data = listener;
	uv_poll_start(&listener->poll, UV_READABLE, on_acceptable);
	return 0;
}

static void on_poll_closed(uv_handle_t *poll)
{
	struct jc_listener *listener = poll->data;

	listener->pause.data = listener->options.context;
	uv_close((uv_handle_t *)&listener->pause, listener->on_closed);
}

void jc_listener_accept_all(struct jc_listener *listener)
{
	const struct jc_listener_options *options = &listener->options;
	union jc_peer peer = { 0 };
	socklen_t length = sizeof(peer);
	int fd;

	if (listener->port.is_handed_over) {
		return;
	}
	while ((fd = accept4(listener->port.fd, &peer.sa, &length, SOCK_NONBLOCK | SOCK_CLOEXEC)) >=
		0) {
		options->accepted(options->context, &listener->port, fd, &peer);
		peer = (union jc_peer){ 0 };
		length = sizeof(peer);
	}
}

void jc_listener_close(struct jc_listener *listener, uv_close_cb on_closed)
{
	struct sockaddr_un address = { 0 };
	socklen_t length = sizeof(address);

	if (listener->port.has_file &&
		getsockname(listener->port.fd, (struct sockaddr *)&address, &length) == 0) {
		unlink(address.sun_path);
	}
	uv_timer_stop(&listener->pause);
	uv_poll_stop(&listener->poll);
	close(listener->port.fd);
	listener->on_closed = on_closed;
	uv_close((uv_handle_t *)&listener->poll, on_poll_closed);
}
