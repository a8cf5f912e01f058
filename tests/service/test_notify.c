/* Tests the notifications of the daemon to its service manager, and their times. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daemon.h"
#include "unit_test.h"

static int set_up(void **state)
{
	struct daemon *daemon = malloc(sizeof(*daemon));

	assert_non_null(daemon);
	daemon_init(daemon);
	*state = daemon;
	return 0;
}

static int tear_down(void **state)
{
	daemon_finish(*state);
	free(*state);
	return 0;
}

static const char *const any_port[] = { "--listen", "127.0.0.1:0", NULL };

static void sends_ready_when_it_accepts_connections(void **state)
{
	struct daemon *daemon = *state;
	char first[512];

	daemon_start(daemon, &(struct daemon_options){ .arguments = any_port });
	daemon_next(daemon, first, sizeof(first));
	assert_string_equal(first, "READY=1");
	assert_true(get(daemon_port(daemon), "/healthz", "200 OK"));
}

static void is_never_ready_when_it_cannot_listen(void **state)
{
	struct daemon *daemon = *state;
	int taken = listen_on("127.0.0.1", 0);
	char address[32];

	snprintf(address, sizeof(address), "127.0.0.1:%d", port_of(taken));
	daemon_start(daemon, &(struct daemon_options){
				     .arguments = (const char *[]){ "--listen", address, NULL } });
	assert_int_equal(daemon_wait(daemon), 3);
	assert_false(daemon_hears(daemon, "READY=1", 0));
	close(taken);
}

static void status_line_counts_bodies_subscribers_and_spaces(void **state)
{
	static const char *const arguments[] = { "--listen", "127.0.0.1:0", "--source",
		"demo:walk?space=attic", "--source", "demo:sit", NULL };
	struct daemon *daemon = *state;

	daemon_start(daemon, &(struct daemon_options){ .arguments = arguments });
	daemon_expect(daemon, "STATUS=2 bodies, 0 subscribers, 2 spaces");
}

/* The loop's thread alone is held, so that a sign of life from any other thread
 * would be heard. */
static void only_the_event_loop_sends_watchdog_messages(void **state)
{
	struct daemon *daemon = *state;

	daemon_start(
		daemon, &(struct daemon_options){ .arguments = any_port, .watchdog_us = 400000 });
	daemon_expect(daemon, "READY=1");
	for (int i = 0; i < 3; i++)
		daemon_expect(daemon, "WATCHDOG=1");

	assert_int_equal(ptrace(PTRACE_SEIZE, daemon->pid, NULL, NULL), 0);
	assert_int_equal(ptrace(PTRACE_INTERRUPT, daemon->pid, NULL, NULL), 0);
	assert_int_equal(waitpid(daemon->pid, NULL, __WALL), daemon->pid);
	while (daemon_hears(daemon, "WATCHDOG=1", 0))
		continue; /* earlier ones */
	assert_false(daemon_hears(daemon, "WATCHDOG=1", 1000));

	assert_int_equal(ptrace(PTRACE_DETACH, daemon->pid, NULL, NULL), 0);
	daemon_expect(daemon, "WATCHDOG=1");
}

static void sends_no_watchdog_message_unless_requested(void **state)
{
	struct daemon *daemon = *state;

	daemon_start(daemon, &(struct daemon_options){ .arguments = any_port });
	daemon_expect(daemon, "READY=1");
	assert_false(daemon_hears(daemon, "WATCHDOG=1", 300));
}

static void sends_stopping_before_the_process_ends(void **state)
{
	struct daemon *daemon = *state;

	daemon_start(daemon, &(struct daemon_options){ .arguments = any_port });
	daemon_expect(daemon, "READY=1");
	kill(daemon->pid, SIGTERM);
	daemon_expect(daemon, "STOPPING=1");
	assert_int_equal(daemon_wait(daemon), 0);
}

static void reports_begin_and_end_of_a_reload(void **state)
{
	struct daemon *daemon = *state;
	struct timespec before;
	char text[512] = "";
	long long begun_us = 0;

	daemon_start(daemon, &(struct daemon_options){ .arguments = any_port });
	daemon_expect(daemon, "READY=1");
	clock_gettime(CLOCK_MONOTONIC, &before);
	kill(daemon->pid, SIGHUP);
	while (!strstr(text, "RELOADING=1"))
		daemon_next(daemon, text, sizeof(text));
	assert_int_equal(sscanf(text, "RELOADING=1\nMONOTONIC_USEC=%lld", &begun_us), 1);
	assert_true(begun_us >= (long long)before.tv_sec * 1000000 + before.tv_nsec / 1000);
	daemon_expect(daemon, "READY=1");
	daemon_expect_log(daemon, "the configuration was read again");
}

/* The request precedes the daemon: no connection is refused in between. */
static void serves_a_socket_passed_by_systemd(void **state)
{
	struct daemon *daemon = *state;
	int listener = listen_on("127.0.0.1", 0);

	daemon_start(
		daemon, &(struct daemon_options){ .listeners = &listener, .listener_count = 1 });
	assert_true(get(port_of(listener), "/healthz", "200 OK"));
	daemon_expect(daemon, "READY=1");
	assert_int_equal(daemon_port(daemon), port_of(listener));
	close(listener);
}

static void rejects_a_plain_socket_on_every_address(void **state)
{
	struct daemon *daemon = *state;
	int listener = listen_on("0.0.0.0", 0);

	daemon_start(
		daemon, &(struct daemon_options){ .listeners = &listener, .listener_count = 1 });
	assert_int_equal(daemon_wait(daemon), 3);
	daemon_expect_log(daemon, "is not a loopback address");
	close(listener);
}

static void rejects_two_sockets_of_one_kind(void **state)
{
	struct daemon *daemon = *state;
	int listeners[] = { listen_on("127.0.0.1", 0), listen_on("127.0.0.1", 0) };

	daemon_start(
		daemon, &(struct daemon_options){ .listeners = listeners, .listener_count = 2 });
	assert_int_equal(daemon_wait(daemon), 3);
	daemon_expect_log(daemon, "two sockets of one kind");
	close(listeners[0]);
	close(listeners[1]);
}

static void distinguishes_passed_sockets_by_name(void **state)
{
	struct daemon *daemon = *state;
	const char *const arguments[] = { "--dev-certificate", "--state", daemon->folder, NULL };
	int listeners[] = { listen_on("127.0.0.1", 0), listen_on("127.0.0.1", 0),
		listen_on("127.0.0.1", 0), listen_on("127.0.0.1", 0) };

	daemon_start(daemon, &(struct daemon_options){ .arguments = arguments,
				     .listeners = listeners,
				     .listener_count = 4,
				     .names = "tls:admin:jointcastd.socket:proxy" });
	daemon_expect(daemon, "READY=1");
	assert_int_equal(daemon_port(daemon), port_of(listeners[2]));
	assert_true(get(port_of(listeners[0]), "/healthz", "this port speaks TLS"));
	assert_true(get(port_of(listeners[1]), "/status", "200 OK"));
	assert_true(get(port_of(listeners[2]), "/healthz", "200 OK"));
	assert_true(get(port_of(listeners[2]), "/status", "404 Not Found"));
	assert_true(get(port_of(listeners[3]), "/healthz", "200 OK"));
	for (int i = 0; i < 4; i++)
		close(listeners[i]);
}

static void proxy_socket_on_every_address_needs_keys(void **state)
{
	struct daemon *daemon = *state;
	int listener = listen_on("0.0.0.0", 0);

	daemon_start(
		daemon, &(struct daemon_options){
				.listeners = &listener, .listener_count = 1, .names = "proxy" });
	assert_int_equal(daemon_wait(daemon), 3);
	daemon_expect_log(daemon, "the configuration has no key");
	close(listener);
}

static void tls_socket_needs_a_certificate(void **state)
{
	struct daemon *daemon = *state;
	int listener = listen_on("127.0.0.1", 0);

	daemon_start(daemon, &(struct daemon_options){
				     .listeners = &listener, .listener_count = 1, .names = "tls" });
	assert_int_equal(daemon_wait(daemon), 3);
	daemon_expect_log(daemon, "needs a certificate");
	close(listener);
}

static void rejects_a_descriptor_that_does_not_listen(void **state)
{
	struct daemon *daemon = *state;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	daemon_start(
		daemon, &(struct daemon_options){ .listeners = &ends[0], .listener_count = 1 });
	assert_int_equal(daemon_wait(daemon), 3);
	daemon_expect_log(daemon, "does not listen for TCP");
	close(ends[0]);
	close(ends[1]);
}

#define WITH_DAEMON(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		WITH_DAEMON(sends_ready_when_it_accepts_connections),
		WITH_DAEMON(is_never_ready_when_it_cannot_listen),
		WITH_DAEMON(status_line_counts_bodies_subscribers_and_spaces),
		WITH_DAEMON(only_the_event_loop_sends_watchdog_messages),
		WITH_DAEMON(sends_no_watchdog_message_unless_requested),
		WITH_DAEMON(sends_stopping_before_the_process_ends),
		WITH_DAEMON(reports_begin_and_end_of_a_reload),
		WITH_DAEMON(serves_a_socket_passed_by_systemd),
		WITH_DAEMON(rejects_a_plain_socket_on_every_address),
		WITH_DAEMON(rejects_two_sockets_of_one_kind),
		WITH_DAEMON(distinguishes_passed_sockets_by_name),
		WITH_DAEMON(proxy_socket_on_every_address_needs_keys),
		WITH_DAEMON(tls_socket_needs_a_certificate),
		WITH_DAEMON(rejects_a_descriptor_that_does_not_listen),
	};

	if (argc != 2) {
		fprintf(stderr, "usage: test_notify JOINTCASTD\n");
		return 2;
	}
	daemon_use(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
