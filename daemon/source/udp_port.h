/* A UDP port that a source listens on: opens it, reads its packets with their arrival times, and
 * counts who sends. The kernel keeps packets until the source is sampled, and drops what exceeds
 * its buffer. */
#ifndef JC_UDP_PORT_H
#define JC_UDP_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/address.h"
#include "base/log.h"
#include "jointcast/error.h"
#include "maxima.h"
#include "source/source.h"

#define JC_UDP_PACKET_BYTES 65536

/* One that sends to the port. */
struct jc_udp_peer {
	struct sockaddr_storage address;
	uint64_t packets;
	int64_t latest_ns; /* arrival time of its last packet */
	int64_t since_ns;  /* begin of the interval that `recent` counts */
	uint64_t recent;
	float rate; /* packets per second in the interval before; 0: not known yet */
};

struct jc_udp_port {
	int fd;
	char label[JC_ADDRESS_TEXT]; /* its address, such as "127.0.0.1:39539" */
	int64_t latest_ns;           /* arrival time of the last packet */
	size_t peer_count;
	struct jc_udp_peer peers[JC_MAX_UDP_PEERS];
	uint64_t warned_refused; /* refused packets at the last warning */
	int64_t next_warning_ns; /* earliest time of the next warning */
	uint8_t packet[JC_UDP_PACKET_BYTES];
};

/* Takes one packet that arrived at now_ns, which never decreases. */
typedef void jc_udp_take(void *context, const struct sockaddr_storage *from, const void *bytes,
	size_t length, int64_t now_ns);

/* Opens the port; port 0 of the address: any free one. Returns 0, or JC_ERROR_INVALID with the
 * diagnostic filled. */
int jc_udp_port_open(struct jc_udp_port *port, const struct sockaddr_storage *address,
	struct jc_diagnostic *diagnostic);
void jc_udp_port_close(struct jc_udp_port *port);

/* Passes waiting packets to `take`, up to a maximum that takes 4 ms at most. */
void jc_udp_port_read(struct jc_udp_port *port, jc_udp_take *take, void *context);

/* Fills the senders of the last seconds. */
void jc_udp_port_report(
	const struct jc_udp_port *port, int64_t now_ns, struct jc_source_status *status);

/* Warns, every ten seconds at most, when more packets were refused than before. `kind` is that of
 * the source, `last` the error of the last one. */
void jc_udp_port_warn(struct jc_udp_port *port, const struct jc_log *log, const char *kind,
	uint64_t refused, const struct jc_diagnostic *last, int64_t now_ns);

/* Logs that a body comes in or is silent. */
void jc_udp_port_log_live(
	const struct jc_udp_port *port, const struct jc_log *log, const char *kind, bool is_live);

/* The number after the colon of the label. */
const char *jc_udp_port_number(const struct jc_udp_port *port);

#endif
