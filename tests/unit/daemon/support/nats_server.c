/* Starts nats-server with an address and a port that no other test has. */
#include "nats_server.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit_test.h"

static struct sockaddr_in loopback(int port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

static int free_port(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in address = loopback(0);
	socklen_t size = sizeof(address);

	assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
	close(fd);
	return ntohs(address.sin_port);
}

static bool accepts(int port)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in address = loopback(port);
	bool is_open = connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;

	close(fd);
	return is_open;
}

static void run(int port, const char *config)
{
	const char *chosen = getenv("JC_NATS_SERVER");
	const char *program = chosen && chosen[0] ? chosen : JC_NATS_SERVER;
	char text[16];
	int nowhere = open("/dev/null", O_RDWR);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(nowhere, STDOUT_FILENO);
	dup2(nowhere, STDERR_FILENO);
	snprintf(text, sizeof(text), "%d", port);
	execl(program, "nats-server", "-a", "127.0.0.1", "-p", text, config ? "-c" : NULL, config,
		NULL);
	_exit(127);
}

void nats_server_start(struct nats_server *server, const char *config)
{
	if (server->port == 0) {
		server->port = free_port();
	}
	snprintf(server->url, sizeof(server->url), "nats://127.0.0.1:%d", server->port);
	server->pid = fork();
	assert_true(server->pid >= 0);
	if (server->pid == 0) {
		run(server->port, config);
	}
	while (!accepts(server->port)) {
		assert_int_equal(waitpid(server->pid, NULL, WNOHANG), 0);
		usleep(10000);
	}
}

void nats_server_stop(struct nats_server *server)
{
	if (server->pid > 0) {
		kill(server->pid, SIGKILL);
		waitpid(server->pid, NULL, 0);
		server->pid = 0;
	}
}
