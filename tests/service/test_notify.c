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

static void ready_is_said_when_connections_are_taken(void **state)
{
	struct daemon *daemon = *state;
	char first[512];

	daemon_start(daemon, &(struct daemon_options){ .arguments = any_port });
	daemon_next(daemon, first, sizeof(first));
	assert_string_equal(first, "READY=1");
	assert_true(get(daemon_port(daemon), "/healthz", "200 OK"));
}

static void a_daemon_that_cannot_listen_is_never_ready(void **state)
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

static void the_status_line_counts_bodies(void **state)
{
	static const char *const arguments[] = { "--listen", "127.0.0.1:0", "--source",
		"demo:walk?space=attic", "--source", "demo:sit", NULL };
	struct daemon *daemon = *state;

	daemon_start(daemon, &(struct daemon_options){ .arguments = arguments });
	daemon_expect(daemon, "STATUS=2 bodies, 0 subscribers, 2 spaces");
}

/* The loop's thread alone is held, so that a sign of life from any other thread
 * would be heard. */
static void the_watchdog_is_fed_by_the_loop_and_by_nothing_else(void **state)
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

static void nobody_who_asked_for_no_watchdog_hears_it(void **state)
{
	struct daemon *daemon = *state;

	daemon_start(daemon, &(struct daemon_options){ .arguments = any_port });
	daemon_expect(daemon, "READY=1");
	assert_false(daemon_hears(daemon, "WATCHDOG=1", 300));
}

static void stopping_is_said_before_it_ends(void **state)
{
	struct daemon *daemon = *state;

	daemon_start(daemon, &(struct daemon_options){ .arguments = any_port });
	daemon_expect(daemon, "READY=1");
	kill(daemon->pid, SIGTERM);
	daemon_expect(daemon, "STOPPING=1");
	assert_int_equal(daemon_wait(daemon), 0);
}

static void a_reload_begins_and_ends(void **state)
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
static void a_socket_that_is_handed_over_is_served(void **state)
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

static void a_socket_of_every_address_is_refused(void **state)
{
	struct daemon *daemon = *state;
	int listener = listen_on("0.0.0.0", 0);

	daemon_start(
		daemon, &(struct daemon_options){ .listeners = &listener, .listener_count = 1 });
	assert_int_equal(daemon_wait(daemon), 3);
	daemon_expect_log(daemon, "is not a loopback address");
	close(listener);
}

static void two_sockets_of_one_kind_are_refused(void **state)
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

static void sockets_are_told_apart_by_their_names(void **state)
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

static void a_socket_of_a_proxy_on_every_address_needs_keys(void **state)
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

static void a_socket_for_tls_needs_a_certificate(void **state)
{
	struct daemon *daemon = *state;
	int listener = listen_on("127.0.0.1", 0);

	daemon_start(daemon, &(struct daemon_options){
				     .listeners = &listener, .listener_count = 1, .names = "tls" });
	assert_int_equal(daemon_wait(daemon), 3);
	daemon_expect_log(daemon, "needs a certificate");
	close(listener);
}

static void a_descriptor_that_is_no_listener_is_refused(void **state)
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
		WITH_DAEMON(ready_is_said_when_connections_are_taken),
		WITH_DAEMON(a_daemon_that_cannot_listen_is_never_ready),
		WITH_DAEMON(the_status_line_counts_bodies),
		WITH_DAEMON(the_watchdog_is_fed_by_the_loop_and_by_nothing_else),
		WITH_DAEMON(nobody_who_asked_for_no_watchdog_hears_it),
		WITH_DAEMON(stopping_is_said_before_it_ends),
		WITH_DAEMON(a_reload_begins_and_ends),
		WITH_DAEMON(a_socket_that_is_handed_over_is_served),
		WITH_DAEMON(a_socket_of_every_address_is_refused),
		WITH_DAEMON(two_sockets_of_one_kind_are_refused),
		WITH_DAEMON(sockets_are_told_apart_by_their_names),
		WITH_DAEMON(a_socket_of_a_proxy_on_every_address_needs_keys),
		WITH_DAEMON(a_socket_for_tls_needs_a_certificate),
		WITH_DAEMON(a_descriptor_that_is_no_listener_is_refused),
	};

	if (argc != 2) {
		fprintf(stderr, "usage: test_notify JOINTCASTD\n");
		return 2;
	}
	daemon_use(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
