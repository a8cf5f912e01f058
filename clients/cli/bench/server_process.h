/* Processes that serve a load clients: a jointcastd, or the floor, which does nothing but
 * send. Each runs on a processor of its own, away from the load clients, and what it costs
 * is read from the kernel. */
#ifndef JC_CLI_SERVER_PROCESS_H
#define JC_CLI_SERVER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#define JC_SERVER_PROCESS_GREETING 256

struct jc_server_process {
	pid_t pid;  /* 0: none */
	pid_t busy; /* the process whose cost counts, where it is another; else 0 */
	struct sockaddr_storage address;
	struct sockaddr_storage tls_address; /* of a daemon that speaks TLS too, */
	char state[32];                      /* whose certificate is in this directory */
	size_t message_bytes;                /* of a peer: a message with all that frames it */
	char greeting[JC_SERVER_PROCESS_GREETING]; /* of a peer: said after the handshake */
};

/* A jointcastd for so many subscribers, with so many walking bodies in the lobby; with
 * `tls` it speaks that too, as the certificate in out_server_process->state says. Waits until it
 * listens. program may be a path or a name. Returns enum jc_exit after saying what failed. */
int jc_server_process_start_daemon(const char *program, size_t subscribers, size_t bodies, bool tls,
	struct jc_server_process *out_server_process);

/* Sends each connection so many bytes so many times a second, once `count` are there. */
int jc_server_process_start_floor(size_t count, size_t message_bytes, double hz,
	struct jc_server_process *out_server_process);

/* Another server of WebSockets, which sends each connection that greets it messages of
 * so many bytes. It is run with count, message_bytes and hz as arguments and says in one
 * line of JSON where it listens: "port", "message" (bytes with all that frames it), and
 * where they are needed "greeting" and "process", whose cost counts. */
int jc_server_process_start_peer(const char *program, size_t count, size_t message_bytes, double hz,
	struct jc_server_process *out_server_process);

/* Ends it; fine when none runs. */
void jc_server_process_stop(struct jc_server_process *server_process);

/* Nanoseconds of processor time of all its threads so far, and its resident memory. */
int64_t jc_server_process_busy_ns(const struct jc_server_process *server_process);
size_t jc_server_process_resident_bytes(const struct jc_server_process *server_process);

/* This process, too, keeps to one processor: the last there is. */
void jc_server_process_stay_away(void);

#endif
