/* Prints the poses of a space as lines of JSON, as a subscriber receives them. */
#ifndef JC_CLI_POSE_CLIENT_H
#define JC_CLI_POSE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

struct jc_credentials;

struct jc_pose_client_options {
	const char *url, *space;
	bool on_own_skeletons; /* each body on its own skeleton, not on the built-in one */
	size_t ticks;          /* in a message of the daemon: 1 or 2 */
	const struct jc_credentials *credentials;
	double reconnect_s; /* of link.h */
};

/* Prints until Ctrl-C, until the reader closes standard output, or until the connection is lost and
 * not made again. When the
 * reader is slow, it gets the newest pose of each body; earlier ones are left out, and counted in
 * one line on standard error. Reports errors and returns enum jc_exit. */
int jc_pose_client_run(const struct jc_pose_client_options *options);

#endif
