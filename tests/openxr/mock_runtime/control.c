/* The socket through which another process holds the script. It is asked for the
 * first commands before the loader goes on, so that nothing is a race; at the end
 * the report goes there too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "mock.h"

#define ANSWER_BYTES 32768u

struct control {
	FILE *in, *out;
};

static struct control control;

/* Executes a line; false at the end of the conversation, or of its beginning. */
static bool converse(void)
{
	char line[4096];
	char answer[ANSWER_BYTES];

	if (!fgets(line, sizeof(line), control.in)) {
		return false;
	}
	if (strcmp(line, "go\n") == 0) {
		return false;
	}
	mock_runtime_command(line, answer, sizeof(answer));
	fprintf(control.out, "%s\n", answer);
	fflush(control.out);
	return true;
}

static void *listen_on(void *unused)
{
	while (converse()) {
	}
	return unused;
}

__attribute__((destructor)) static void say_goodbye(void)
{
	char answer[ANSWER_BYTES];

	if (control.out) {
		mock_runtime_command("ask", answer, sizeof(answer));
		fprintf(control.out, "%s\n", answer);
		fflush(control.out);
	}
}

void mock_control_start(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	pthread_t thread;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (descriptor < 0 ||
		connect(descriptor, (const struct sockaddr *)&address, sizeof(address)) != 0) {
		perror("mock runtime: control");
		abort();
	}
	control.in = fdopen(descriptor, "r");
	control.out = fdopen(dup(descriptor), "w");
	while (converse()) {
	}
	pthread_create(&thread, NULL, listen_on, NULL);
	pthread_detach(thread);
}
