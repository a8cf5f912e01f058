/* Server processes for the load client: a jointcastd, a peer, or the floor, which only sends. Their
 * cost is read from /proc. */
#ifndef JC_CLI_SERVER_PROCESS_H
#define JC_CLI_SERVER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#define JC_SERVER_PROCESS_GREETING 256
#define JC_SERVER_PROCESS_OTHERS   16

struct jc_server_process {
	pid_t pid; /* 0: none */
	/* The processes whose cost counts, if they are others. */
	size_t other_count;
	pid_t others[JC_SERVER_PROCESS_OTHERS];
	struct sockaddr_storage address;
	struct sockaddr_storage tls_address; /* of a daemon with TLS */
	char state[32];                      /* its state directory, with the certificate */
	size_t message_bytes;                /* of a peer: bytes of a message with its framing */
	char greeting[JC_SERVER_PROCESS_GREETING]; /* of a peer: sent to it after the handshake */
};

/* Starts a jointcastd with that many walking bodies in the lobby, and waits until it listens; with
 * `tls` also on a TLS port, with the certificate in out_server_process->state. `program` is a path
 * or a name. Reports errors and returns enum jc_exit. */
int jc_server_process_start_daemon(const char *program, size_t subscribers, size_t bodies, bool tls,
	struct jc_server_process *out_server_process);

/* Starts a process that sends message_bytes to each connection, hz times a second, once `count`
 * connections exist. */
int jc_server_process_start_floor(size_t count, size_t message_bytes, double hz,
	struct jc_server_process *out_server_process);

/* Starts another WebSocket server, which sends messages of that size to each connection that greets
 * it. It is called with count, message_bytes and hz as arguments and prints one line of JSON:
 * "port", "message" (bytes of a message with its framing), and optionally "greeting" and "process",
 * the process whose cost counts. */
int jc_server_process_start_peer(const char *program, size_t count, size_t message_bytes, double hz,
	struct jc_server_process *out_server_process);

/* Uses servers that run already, which jc_server_process_stop leaves running: they listen on that
 * port of 127.0.0.1, and the cost of the processes `others` counts. */
void jc_server_process_use(unsigned port, const pid_t *others, size_t count,
	struct jc_server_process *out_server_process);

/* Stops the process, if one runs. */
void jc_server_process_stop(struct jc_server_process *server_process);

/* Processor time of all threads in nanoseconds, and resident memory. */
int64_t jc_server_process_busy_ns(const struct jc_server_process *server_process);
size_t jc_server_process_resident_bytes(const struct jc_server_process *server_process);

#endif
