/* Talks to the service manager with libsystemd. */
#include "notify/notify.h"

#ifdef JC_HAVE_SYSTEMD
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#define STATUS_NS INT64_C(1000000000)

void jc_notify_init(struct jc_notify *notify)
{
	uint64_t allowed_us;

	*notify = (struct jc_notify){ 0 };
	if (sd_watchdog_enabled(1, &allowed_us) > 0) {
		notify->watchdog_ns = (int64_t)(allowed_us / 2) * 1000;
	}
}

static enum jc_listener_kind kind_of(const char *name)
{
	return strcmp(name, "tls") == 0     ? JC_LISTENER_TLS
	       : strcmp(name, "proxy") == 0 ? JC_LISTENER_PROXY
	       : strcmp(name, "admin") == 0 ? JC_LISTENER_ADMIN
					    : JC_LISTENER_PLAIN;
}

static int check_port(const struct jc_port *ports, size_t at, struct jc_diagnostic *diagnostic)
{
	const struct jc_port *port = &ports[at];

	if (sd_is_socket_inet(port->fd, AF_UNSPEC, SOCK_STREAM, 1, 0) <= 0 &&
		(port->kind != JC_LISTENER_ADMIN ||
			sd_is_socket(port->fd, AF_UNIX, SOCK_STREAM, 1) <= 0)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"the socket from the service manager does not listen for TCP");
	}
	for (size_t i = 0; i < at; i++) {
		if (ports[i].kind == port->kind) {
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				"the service manager passed two sockets of one kind: their names "
				"are "
				"'plain', 'tls', 'proxy' and 'admin'");
		}
	}
	return JC_OK;
}

int jc_notify_take_ports(
	struct jc_port *out_ports, size_t *out_count, struct jc_diagnostic *diagnostic)
{
	char **names = NULL;
	int count = sd_listen_fds_with_names(1, &names);
	int status = JC_OK;

	*out_count = 0;
	for (int i = 0; i < count; i++) {
		const struct jc_port port = { .kind = kind_of(names[i]),
			.fd = SD_LISTEN_FDS_START + i,
			.is_handed_over = true };

		if (status == JC_OK) {
			out_ports[i] = port;
			status = check_port(out_ports, (size_t)i, diagnostic);
			*out_count += status == JC_OK;
		}
		if (status != JC_OK) {
			close(port.fd);
		}
		free(names[i]);
	}
	free(names);
	return status;
}

void jc_notify_ready(void)
{
	sd_notify(0, "READY=1");
}

static void report_status(const struct jc_spaces *spaces)
{
	size_t bodies = 0;
	size_t subscribers = 0;

	for (size_t i = 0; i < spaces->count; i++) {
		bodies += jc_space_body_count(spaces->fanouts[i]->space);
		subscribers += jc_fanout_subscribers(spaces->fanouts[i]);
	}
	sd_notifyf(0, "STATUS=%zu bodies, %zu subscribers, %zu spaces", bodies, subscribers,
		spaces->count);
}

void jc_notify_tick(struct jc_notify *notify, const struct jc_spaces *spaces, int64_t now_ns)
{
	if (notify->watchdog_ns > 0 && now_ns >= notify->alive_ns) {
		notify->alive_ns = now_ns + notify->watchdog_ns;
		sd_notify(0, "WATCHDOG=1");
	}
	if (now_ns >= notify->status_ns) {
		notify->status_ns = now_ns + STATUS_NS;
		report_status(spaces);
	}
}

void jc_notify_reloading(int64_t now_ns)
{
	sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%lld", (long long)(now_ns / 1000));
}

void jc_notify_stopping(void)
{
	sd_notify(0, "STOPPING=1");
}

#else

void jc_notify_init(struct jc_notify *notify)
{
	*notify = (struct jc_notify){ 0 };
}

int jc_notify_take_ports(
	struct jc_port *out_ports, size_t *out_count, struct jc_diagnostic *diagnostic)
{
	(void)out_ports;
	(void)diagnostic;
	*out_count = 0;
	return JC_OK;
}

void jc_notify_ready(void)
{
}

void jc_notify_tick(struct jc_notify *notify, const struct jc_spaces *spaces, int64_t now_ns)
{
	(void)notify;
	(void)spaces;
	(void)now_ns;
}

void jc_notify_reloading(int64_t now_ns)
{
	(void)now_ns;
}

void jc_notify_stopping(void)
{
}

#endif
