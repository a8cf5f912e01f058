/* Starts and stops the server processes of a benchmark and reads what they cost. */
#include "bench/server_process.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "error_report.h"

#define PATIENCE_MS 20000
#define LOG_BYTES   8192

static int fail(const char *what)
{
	return jc_report(JC_EXIT_IO, "bench fanout", "%s: %s", what, strerror(errno));
}

static void raise_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static void become_daemon(
	const char *program, size_t subscribers, size_t bodies, const char *state, int log)
{
	static char source[] = "demo:walk";
	static char option[] = "--source";
	const char *tls[] = { "--tls-listen", "127.0.0.1:0", "--dev-certificate", "--state",
		state };
	const char **arguments = calloc(2 * bodies + 4 + 5, sizeof(*arguments));
	char connections[16];

	/* All subscribers share one address. */
	snprintf(connections, sizeof(connections), "%zu", subscribers + 16);
	setenv("JOINTCAST_CONNECTIONS", connections, 1);
	setenv("JOINTCAST_CONNECTIONS_PER_ADDRESS", connections, 1);

	dup2(log, STDERR_FILENO);
	if (arguments) {
		arguments[0] = program;
		arguments[1] = "--listen";
		arguments[2] = "127.0.0.1:0";
		for (size_t i = 0; i < bodies; i++) {
			arguments[3 + 2 * i] = option;
			arguments[4 + 2 * i] = source;
		}
		for (size_t i = 0; i < 5 && *state; i++) {
			arguments[3 + 2 * bodies + i] = tls[i];
		}
		execvp(program, (char **)arguments);
	}
	fprintf(stderr, "cannot run '%s': %s\n", program, strerror(errno));
	_exit(127);
}

static struct sockaddr_in loopback(uint16_t port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

/* Reads the port of a loopback address after these words; without them *out_address stays as it
 * is. */
static void take_address(const char *text, const char *words, struct sockaddr_storage *out_address)
{
	const char *found = strstr(text, words);
	struct sockaddr_in *address = (struct sockaddr_in *)out_address;

	if (found) {
		*address = loopback((uint16_t)atoi(found + strlen(words)));
	}
}

/* Reads the log until the daemon has reported its ports. The last line is the one without TLS. */
static int await_port(int log, const char *program, struct jc_server_process *server_process)
{
	static const char words[] = "listening on 127.0.0.1:";
	struct pollfd poll_fd = { .fd = log, .events = POLLIN };
	char text[LOG_BYTES] = "";
	size_t length = 0;
	const char *found;

	while (!(found = strstr(text, words)) || !strchr(found, '\n')) {
		ssize_t got = poll(&poll_fd, 1, PATIENCE_MS) > 0
				      ? read(log, text + length, sizeof(text) - length - 1)
				      : 0;
		if (got <= 0) {
			text[strcspn(text, "\n")] = '\0';
			return jc_report(JC_EXIT_IO, "bench fanout", "'%s' does not listen: %s",
				program, text);
		}
		length += (size_t)got;
		text[length] = '\0';
	}
	take_address(text, words, &server_process->address);
	take_address(text, "TLS on 127.0.0.1:", &server_process->tls_address);
	return JC_EXIT_DONE;
}

int jc_server_process_start_daemon(const char *program, size_t subscribers, size_t bodies, bool tls,
	struct jc_server_process *out_server_process)
{
	struct jc_server_process server_process = { .state = "/tmp/jointcast-XXXXXX" };
	int log[2];

	if (!tls) {
		server_process.state[0] = '\0';
	} else if (!mkdtemp(server_process.state)) {
		return fail("cannot create a directory for a certificate");
	}
	if (pipe(log) != 0) {
		return fail("cannot start the daemon");
	}
	server_process.pid = fork();
	if (server_process.pid == 0) {
		close(log[0]);
		become_daemon(program, subscribers, bodies, server_process.state, log[1]);
	}
	close(log[1]);

	int status = server_process.pid < 0 ? fail("cannot start the daemon")
					    : await_port(log[0], program, &server_process);

	/* Later writes of the daemon's log fail, and the daemon ignores the error. */
	close(log[0]);
	if (status != JC_EXIT_DONE) {
		jc_server_process_stop(&server_process);
		return status;
	}
	*out_server_process = server_process;
	return JC_EXIT_DONE;
}

static void become_peer(
	const char *program, size_t count, size_t message_bytes, double hz, int output)
{
	char numbers[3][32];

	snprintf(numbers[0], sizeof(numbers[0]), "%zu", count);
	snprintf(numbers[1], sizeof(numbers[1]), "%zu", message_bytes);
	snprintf(numbers[2], sizeof(numbers[2]), "%g", hz);
	raise_descriptors();
	dup2(output, STDOUT_FILENO);
	execlp(program, program, numbers[0], numbers[1], numbers[2], (char *)NULL);
	fprintf(stderr, "cannot run '%s': %s\n", program, strerror(errno));
	_exit(127);
}

/* Reads the JSON line in which a peer states its port. */
static int read_peer(int output, const char *program, struct jc_server_process *server_process)
{
	struct pollfd poll_fd = { .fd = output, .events = POLLIN };
	struct sockaddr_in *address = (struct sockaddr_in *)&server_process->address;
	char text[LOG_BYTES] = "";
	size_t length = 0;
	const char *greeting = "";
	int port = 0, process = 0, message = 0;

	while (!memchr(text, '\n', length)) {
		ssize_t got = poll(&poll_fd, 1, PATIENCE_MS) > 0
				      ? read(output, text + length, sizeof(text) - length - 1)
				      : 0;
		if (got <= 0) {
			return jc_report(JC_EXIT_IO, "bench fanout",
				"'%s' does not print where it listens", program);
		}
		length += (size_t)got;
	}
	json_t *line = json_loadb(text, strcspn(text, "\n"), 0, NULL);

	if (json_unpack(line, "{si si s?i s?s}", "port", &port, "message", &message, "process",
		    &process, "greeting", &greeting) != 0 ||
		message <= 0 || strlen(greeting) >= sizeof(server_process->greeting)) {
		json_decref(line);
		return jc_report(JC_EXIT_IO, "bench fanout",
			"'%s' prints something other than where it listens", program);
	}
	*address = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	server_process->other_count = process > 0;
	server_process->others[0] = process;
	server_process->message_bytes = (size_t)message;
	strcpy(server_process->greeting, greeting);
	json_decref(line);
	return JC_EXIT_DONE;
}

int jc_server_process_start_peer(const char *program, size_t count, size_t message_bytes, double hz,
	struct jc_server_process *out_server_process)
{
	struct jc_server_process server_process = { 0 };
	int output[2];

	if (pipe(output) != 0) {
		return fail("cannot start the peer");
	}
	server_process.pid = fork();
	if (server_process.pid == 0) {
		close(output[0]);
		become_peer(program, count, message_bytes, hz, output[1]);
	}
	close(output[1]);

	int status = server_process.pid < 0 ? fail("cannot start the peer")
					    : read_peer(output[0], program, &server_process);

	close(output[0]);
	if (status != JC_EXIT_DONE) {
		jc_server_process_stop(&server_process);
		return status;
	}
	*out_server_process = server_process;
	return JC_EXIT_DONE;
}

static int accept_all(int listener, int *sockets, size_t count)
{
	int on = 1;

	for (size_t i = 0; i < count; i++) {
		sockets[i] = accept(listener, NULL, NULL);
		if (sockets[i] < 0) {
			return -1;
		}
		setsockopt(sockets[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	}
	return 0;
}

/* The floor: sends with the least possible work. */
static void send_for_ever(int *sockets, size_t count, const char *bytes, size_t length, double hz)
{
	struct timespec next;
	int64_t step_ns = (int64_t)(1.0e9 / hz);

	clock_gettime(CLOCK_MONOTONIC, &next);
	for (;;) {
		int64_t at = next.tv_nsec + step_ns;

		next.tv_sec += at / 1000000000;
		next.tv_nsec = at % 1000000000;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		for (size_t i = 0; i < count; i++) {
			if (send(sockets[i], bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 &&
				errno != EAGAIN) {
				_exit(0); /* the load client has ended */
			}
		}
	}
}

static void become_floor(int listener, size_t count, size_t message_bytes, double hz)
{
	int *sockets = calloc(count, sizeof(*sockets));
	char *bytes = calloc(1, message_bytes);

	raise_descriptors();
	if (sockets && bytes && accept_all(listener, sockets, count) == 0) {
		send_for_ever(sockets, count, bytes, message_bytes, hz);
	}
	_exit(1);
}

int jc_server_process_start_floor(
	size_t count, size_t message_bytes, double hz, struct jc_server_process *out_server_process)
{
	struct jc_server_process server_process = { .address = { .ss_family = AF_INET } };
	socklen_t length = sizeof(server_process.address);
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in *address = (struct sockaddr_in *)&server_process.address;

	address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (listener < 0 ||
		bind(listener, (const struct sockaddr *)address, sizeof(*address)) != 0 ||
		listen(listener, 128) != 0 ||
		getsockname(listener, (struct sockaddr *)&server_process.address, &length) != 0 ||
		(server_process.pid = fork()) < 0) {
		int status = fail("cannot start the process that only sends");

		if (listener >= 0) {
			close(listener);
		}
		return status;
	}
	if (server_process.pid == 0) {
		become_floor(listener, count, message_bytes, hz);
	}
	close(listener);
	*out_server_process = server_process;
	return JC_EXIT_DONE;
}

void jc_server_process_use(unsigned port, const pid_t *others, size_t count,
	struct jc_server_process *out_server_process)
{
	struct jc_server_process server_process = { .other_count = count };

	*(struct sockaddr_in *)&server_process.address = loopback((uint16_t)port);
	memcpy(server_process.others, others, count * sizeof(*others));
	*out_server_process = server_process;
}

/* Removes the state directory, whose subdirectories are empty. */
static void remove_state(const char *path)
{
	DIR *folder = opendir(path);

	for (struct dirent *entry; folder && (entry = readdir(folder));) {
		unlinkat(dirfd(folder), entry->d_name, entry->d_type == DT_DIR ? AT_REMOVEDIR : 0);
	}
	if (folder) {
		closedir(folder);
	}
	rmdir(path);
}

void jc_server_process_stop(struct jc_server_process *server_process)
{
	if (server_process->pid > 0) {
		kill(server_process->pid, SIGTERM);
		waitpid(server_process->pid, NULL, 0);
	}
	server_process->pid = 0;
	if (*server_process->state) {
		remove_state(server_process->state);
		server_process->state[0] = '\0';
	}
}

static int64_t busy_ns(pid_t pid)
{
	char path[320];
	int64_t sum = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	DIR *tasks = opendir(path);

	for (struct dirent *task; tasks && (task = readdir(tasks));) {
		long long busy = 0;

		snprintf(path, sizeof(path), "/proc/%d/task/%s/schedstat", (int)pid, task->d_name);
		FILE *file = task->d_name[0] == '.' ? NULL : fopen(path, "r");

		if (file && fscanf(file, "%lld", &busy) == 1) {
			sum += busy;
		}
		if (file) {
			fclose(file);
		}
	}
	if (tasks) {
		closedir(tasks);
	}
	return sum;
}

int64_t jc_server_process_busy_ns(const struct jc_server_process *server_process)
{
	int64_t sum = 0;

	if (server_process->other_count == 0) {
		return busy_ns(server_process->pid);
	}
	for (size_t i = 0; i < server_process->other_count; i++) {
		sum += busy_ns(server_process->others[i]);
	}
	return sum;
}

static size_t resident_bytes(pid_t pid)
{
	char path[64];
	long total = 0;
	long resident = 0;

	snprintf(path, sizeof(path), "/proc/%d/statm", (int)pid);
	FILE *file = fopen(path, "r");

	if (file) {
		if (fscanf(file, "%ld %ld", &total, &resident) != 2) {
			resident = 0;
		}
		fclose(file);
	}
	return (size_t)resident * (size_t)sysconf(_SC_PAGESIZE);
}

size_t jc_server_process_resident_bytes(const struct jc_server_process *server_process)
{
	size_t sum = 0;

	if (server_process->other_count == 0) {
		return resident_bytes(server_process->pid);
	}
	for (size_t i = 0; i < server_process->other_count; i++) {
		sum += resident_bytes(server_process->others[i]);
	}
	return sum;
}
