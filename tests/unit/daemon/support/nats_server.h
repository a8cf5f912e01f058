/* A nats-server of this machine as a child process: the program that the environment variable
 * JC_NATS_SERVER names, else the one that was found at configuration. */
#ifndef NATS_SERVER_H
#define NATS_SERVER_H

#include <sys/types.h>

struct nats_server {
	pid_t pid;
	int port;
	char url[64];
};

/* Starts it on a free port of 127.0.0.1, and again on the same port where the port is set. config:
 * a file, or NULL. Returns when it accepts connections; fails the test otherwise. */
void nats_server_start(struct nats_server *server, const char *config);

/* Ends it, and waits. */
void nats_server_stop(struct nats_server *server);

#endif
