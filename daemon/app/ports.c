/* Opens the daemon's ports. A socket handed over by the service manager replaces the address of
 * its kind. */
#include "app/ports.h"

#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

#include "notify/notify.h"

static bool has(const struct jc_server_options *server, enum jc_listener_kind kind)
{
	for (size_t i = 0; i < server->port_count; i++) {
		if (server->ports[i].kind == kind) {
			return true;
		}
	}
	return false;
}

static int check(const struct jc_config *config, const struct jc_port *port,
	struct jc_diagnostic *diagnostic)
{
	struct sockaddr_storage address = { .ss_family = AF_UNSPEC };
	socklen_t length = sizeof(address);

	getsockname(port->fd, (struct sockaddr *)&address, &length);
	if (port->kind == JC_LISTENER_TLS) {
		return jc_config_check_tls(config, &address, diagnostic);
	}
	if (port->kind == JC_LISTENER_PROXY) {
		return jc_config_check_proxy(config, &address, diagnostic);
	}
	/* The permissions of its file protect a Unix socket. */
	return port->kind == JC_LISTENER_ADMIN && address.ss_family == AF_UNIX
		       ? JC_OK
		       : jc_config_check_plain(&address, diagnostic);
}

int jc_ports_check(const struct jc_config *config, const struct jc_server *server,
	struct jc_diagnostic *diagnostic)
{
	const struct jc_port *port;
	int status = JC_OK;

	for (size_t i = 0; status == JC_OK && (port = jc_server_port(server, i)); i++) {
		status = check(config, port, diagnostic);
	}
	return status;
}

static int take_over(const struct jc_config *config, struct jc_server_options *server,
	struct jc_diagnostic *diagnostic)
{
	int status = jc_notify_take_ports(server->ports, &server->port_count, diagnostic);

	for (size_t i = 0; i < server->port_count && status == JC_OK; i++) {
		int fd = server->ports[i].fd;

		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
		status = check(config, &server->ports[i], diagnostic);
	}
	return status;
}

static int open_own(enum jc_listener_kind kind, const struct sockaddr_storage *address,
	struct jc_server_options *server, struct jc_diagnostic *diagnostic)
{
	bool reuse_port = server->config->reuse_port && kind != JC_LISTENER_ADMIN;

	if (has(server, kind)) {
		return JC_OK;
	}
	int status = jc_port_open(
		kind, address, reuse_port, &server->ports[server->port_count], diagnostic);

	server->port_count += status == JC_OK;
	return status;
}

int jc_ports_open(const struct jc_config *config, struct jc_server_options *server,
	struct jc_diagnostic *diagnostic)
{
	int status = take_over(config, server, diagnostic);

	if (status == JC_OK) {
		status = open_own(JC_LISTENER_PLAIN, &config->listen, server, diagnostic);
	}
	if (status == JC_OK && config->tls.listen.ss_family != AF_UNSPEC) {
		status = open_own(JC_LISTENER_TLS, &config->tls.listen, server, diagnostic);
	}
	if (status == JC_OK && config->proxy.listen.ss_family != AF_UNSPEC) {
		status = open_own(JC_LISTENER_PROXY, &config->proxy.listen, server, diagnostic);
	}
	if (status == JC_OK && config->admin.ss_family != AF_UNSPEC) {
		status = open_own(JC_LISTENER_ADMIN, &config->admin, server, diagnostic);
	}
	while (status != JC_OK && server->port_count > 0) {
		close(server->ports[--server->port_count].fd);
	}
	return status;
}
