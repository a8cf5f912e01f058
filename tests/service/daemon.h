/* Runs a jointcastd with the test as its service manager, which receives notifications and
 * passes sockets. */
#ifndef JC_TEST_DAEMON_H
#define JC_TEST_DAEMON_H

#include <stdbool.h>
#include <sys/types.h>

#define TEST_PATIENCE_MS 20000 /* longest wait for an expected event */

struct daemon {
	pid_t pid;       /* 0: not running */
	int notify;      /* datagrams */
	int log;         /* its stderr */
	char text[8192]; /* its log, as far as read */
	size_t length;
	char folder[64]; /* of the test's own */
};

struct daemon_options {
	const char *const *arguments; /* ends with NULL; may be NULL */
	const int *listeners;         /* handed over as 3, 4, … */
	int listener_count;
	const char *names;    /* of them, "a:b"; NULL: none */
	unsigned watchdog_us; /* 0: none */
};

/* The program: the first argument of the test. */
void daemon_use(const char *program);

void daemon_init(struct daemon *daemon);
void daemon_finish(struct daemon *daemon); /* kills the remaining processes */
void daemon_start(struct daemon *daemon, const struct daemon_options *options);

/* Waits for a notification that has this line, e.g. "READY=1"; fails the test
 * when it does not come. Others are passed over. */
void daemon_expect(struct daemon *daemon, const char *line);

/* Whether one that has this line comes within a time; others are passed over. */
bool daemon_hears(struct daemon *daemon, const char *line, int ms);

/* The next notification as a whole. */
void daemon_next(struct daemon *daemon, char *out_text, size_t size);

/* Waits for its end. Returns the exit status, or 128 + the signal. */
int daemon_wait(struct daemon *daemon);

/* Waits until the log has this text. */
void daemon_expect_log(struct daemon *daemon, const char *text);

/* The port on which it listens, from its log. */
int daemon_port(struct daemon *daemon);

/* A TCP socket that listens on an address; port 0: any. */
int listen_on(const char *address, int port);
int port_of(int listener);

/* Sends one GET on a new connection. Returns whether the answer contains `expected`. */
bool get(int port, const char *target, const char *expected);

#endif
