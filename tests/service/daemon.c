// Starts a daemon for the tests of the service and reads its notifications.

#include "daemon.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "unit_test.h"

static const char *daemon_program;

void daemon_use(const char *program)
{
	daemon_program = program;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void daemon_init(struct daemon *daemon)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	*daemon = (struct daemon){ .log = -1 };
	strcpy(daemon->folder, "/tmp/jointcast-service-XXXXXX");
	assert_non_null(mkdtemp(daemon->folder));
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/notify", daemon->folder);
	daemon->notify = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	assert_true(daemon->notify >= 0);
	assert_int_equal(
		bind(daemon->notify, (const struct sockaddr *)&address, sizeof(address)), 0);
}

void daemon_finish(struct daemon *daemon)
{
	char command[128];

	if (daemon->pid > 0) {
		kill(daemon->pid, SIGKILL);
		waitpid(daemon->pid, NULL, 0);
	}
	close(daemon->notify);
	if (daemon->log >= 0)
		close(daemon->log);
	snprintf(command, sizeof(command), "rm -r '%s'", daemon->folder);
	assert_int_equal(system(command), 0);
}

/* Variables of the new process; it has its own number by now. */
static void set_environment(const struct daemon *daemon, const struct daemon_options *options)
{
	char text[128];

	snprintf(text, sizeof(text), "%s/notify", daemon->folder);
	setenv("NOTIFY_SOCKET", text, 1);
	snprintf(text, sizeof(text), "%d", (int)getpid());
	if (options->listener_count > 0) {
		setenv("LISTEN_PID", text, 1);
		snprintf(text, sizeof(text), "%d", options->listener_count);
		setenv("LISTEN_FDS", text, 1);
		if (options->names)
			setenv("LISTEN_FDNAMES", options->names, 1);
	}
	if (options->watchdog_us > 0) {
		snprintf(text, sizeof(text), "%d", (int)getpid());
		setenv("WATCHDOG_PID", text, 1);
		snprintf(text, sizeof(text), "%u", options->watchdog_us);
		setenv("WATCHDOG_USEC", text, 1);
	}
}

static void become(const struct daemon *daemon, const struct daemon_options *options, int log)
{
	const char *arguments[32] = { daemon_program };
	size_t count = 1;

	/* Out of the way of the places where they have to be. */
	int own[8];

	for (int i = 0; i < options->listener_count; i++)
		own[i] = fcntl(options->listeners[i], F_DUPFD, 20);
	log = fcntl(log, F_DUPFD, 20);
	for (int i = 0; i < options->listener_count; i++)
		dup2(own[i], 3 + i);
	dup2(log, STDERR_FILENO);
	for (int fd = 3 + options->listener_count; fd < 64; fd++)
		close(fd);
	set_environment(daemon, options);
	for (; options->arguments && options->arguments[count - 1] && count < 31; count++)
		arguments[count] = options->arguments[count - 1];
	execv(daemon_program, (char *const *)arguments);
	_exit(127);
}

void daemon_start(struct daemon *daemon, const struct daemon_options *options)
{
	int log[2];

	assert_int_equal(pipe2(log, O_CLOEXEC), 0);
	daemon->pid = fork();
	assert_true(daemon->pid >= 0);
	if (daemon->pid == 0)
		become(daemon, options, log[1]);
	close(log[1]);
	daemon->log = log[0];
}

/* False when nothing came in time. */
static bool receive(struct daemon *daemon, char *text, size_t size, int ms)
{
	struct pollfd poll_fd = { .fd = daemon->notify, .events = POLLIN };

	if (ms < 0 || poll(&poll_fd, 1, ms) <= 0)
		return false;
	ssize_t length = recv(daemon->notify, text, size - 1, 0);

	assert_true(length >= 0);
	text[length] = '\0';
	return true;
}

static bool has_line(const char *text, const char *line)
{
	size_t length = strlen(line);

	for (const char *at = text; (at = strstr(at, line)); at++) {
		if ((at == text || at[-1] == '\n') && (at[length] == '\0' || at[length] == '\n'))
			return true;
	}
	return false;
}

bool daemon_hears(struct daemon *daemon, const char *line, int ms)
{
	char text[512];
	int64_t end = now_ms() + ms;

	while (receive(daemon, text, sizeof(text), (int)(end - now_ms()))) {
		if (has_line(text, line))
			return true;
	}
	return false;
}

void daemon_expect(struct daemon *daemon, const char *line)
{
	if (!daemon_hears(daemon, line, TEST_PATIENCE_MS))
		fail_msg("no '%s' in %d s", line, TEST_PATIENCE_MS / 1000);
}

void daemon_next(struct daemon *daemon, char *out_text, size_t size)
{
	if (!receive(daemon, out_text, size, TEST_PATIENCE_MS))
		fail_msg("nothing is notified in %d s", TEST_PATIENCE_MS / 1000);
}

int daemon_wait(struct daemon *daemon)
{
	int64_t end = now_ms() + TEST_PATIENCE_MS;
	int status;

	while (waitpid(daemon->pid, &status, WNOHANG) == 0) {
		if (now_ms() > end)
			fail_msg("it does not end");
		poll(NULL, 0, 10);
	}
	daemon->pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void daemon_expect_log(struct daemon *daemon, const char *text)
{
	int64_t end = now_ms() + TEST_PATIENCE_MS;

	while (!strstr(daemon->text, text)) {
		struct pollfd poll_fd = { .fd = daemon->log, .events = POLLIN };
		int64_t left = end - now_ms();
		ssize_t length = 0;

		if (left > 0 && poll(&poll_fd, 1, (int)left) > 0)
			length = read(daemon->log, daemon->text + daemon->length,
				sizeof(daemon->text) - daemon->length - 1);
		if (length <= 0)
			fail_msg("no '%s' in the log:\n%s", text, daemon->text);
		daemon->length += (size_t)length;
	}
}

int daemon_port(struct daemon *daemon)
{
	static const char words[] = "listening on 127.0.0.1:";

	daemon_expect_log(daemon, words);
	return atoi(strstr(daemon->text, words) + strlen(words));
}

int listen_on(const char *address, int port)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(inet_pton(AF_INET, address, &in.sin_addr), 1);
	assert_int_equal(bind(fd, (const struct sockaddr *)&in, sizeof(in)), 0);
	assert_int_equal(listen(fd, 16), 0);
	return fd;
}

int port_of(int listener)
{
	struct sockaddr_in in;
	socklen_t length = sizeof(in);

	assert_int_equal(getsockname(listener, (struct sockaddr *)&in, &length), 0);
	return ntohs(in.sin_port);
}

bool get(int port, const char *target, const char *expected)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	struct timeval patience = { .tv_sec = TEST_PATIENCE_MS / 1000 };
	char text[4096];
	size_t length = 0;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (connect(fd, (const struct sockaddr *)&in, sizeof(in)) != 0) {
		close(fd);
		return false;
	}
	int size = snprintf(text, sizeof(text),
		"GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n", target, port);

	assert_int_equal(send(fd, text, (size_t)size, MSG_NOSIGNAL), size);
	for (ssize_t got; (got = recv(fd, text + length, sizeof(text) - length - 1, 0)) > 0;)
		length += (size_t)got;
	text[length] = '\0';
	close(fd);
	return strstr(text, expected) != NULL;
}
