/* Reads sockets without libuv: packets count when the source is sampled. */
#include "source/udp_port.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "jointcast_private/continuity.h"

#define TAKEN_PACKETS 512        /* maximum per read; senders of VMC need 4 to 120 per frame */
#define TAKEN_BYTES   (64 << 10) /* maximum per read; parsing takes 4 ms at most */
#define SOCKET_BYTES  (1 << 20)
#define WARNING_NS    INT64_C(10000000000) /* minimum time between two warnings */
#define INTERVAL_NS   INT64_C(1000000000)  /* for which packets are counted */
#define FRESH_NS      INT64_C(5000000000)  /* after which a silent sender is no longer reported */

/* Opens a bound socket that timestamps its messages. Returns -1 with errno on failure. */
static int open_socket(const struct sockaddr_storage *address)
{
	int on = 1;
	int size = SOCKET_BYTES;
	int fd = socket(address->ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0) {
		return -1;
	}
	/* The source also works without these two options. */
	setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on));
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	if (bind(fd, (const struct sockaddr *)address, jc_address_length(address)) != 0) {
		int reason = errno;

		close(fd);
		errno = reason;
		return -1;
	}
	return fd;
}

int jc_udp_port_open(struct jc_udp_port *port, const struct sockaddr_storage *address,
	struct jc_diagnostic *diagnostic)
{
	struct sockaddr_storage bound = *address;
	socklen_t length = sizeof(bound);
	int fd = open_socket(address);

	if (fd < 0) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "cannot listen: %s", strerror(errno));
	}
	getsockname(fd, (struct sockaddr *)&bound, &length);
	port->fd = fd;
	port->latest_ns = 0;
	port->peer_count = 0;
	jc_address_format(&bound, port->label);
	return JC_OK;
}

void jc_udp_port_close(struct jc_udp_port *port)
{
	close(port->fd);
}

/* Arrival time of a packet from the kernel's wall-clock stamp. */
static int64_t arrival_ns(struct msghdr *header, int64_t now_ns)
{
	struct timespec stamp;
	struct timespec wall;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(header); c; c = CMSG_NXTHDR(header, c)) {
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
			memcpy(&stamp, CMSG_DATA(c), sizeof(stamp));
			clock_gettime(CLOCK_REALTIME, &wall);
			int64_t age = (int64_t)(wall.tv_sec - stamp.tv_sec) * 1000000000 +
				      (wall.tv_nsec - stamp.tv_nsec);
			/* Ignores stamps from before a change of the wall clock. */
			return age > 0 && age < JC_CONTINUITY_SILENCE_NS ? now_ns - age : now_ns;
		}
	}
	return now_ns;
}

/* The entry of a sender; a new one replaces that of the sender that is silent for the longest
 * time. */
static struct jc_udp_peer *find_peer(
	struct jc_udp_port *port, const struct sockaddr_storage *from, int64_t now_ns)
{
	struct jc_udp_peer *oldest = &port->peers[0];

	for (size_t i = 0; i < port->peer_count; i++) {
		struct jc_udp_peer *peer = &port->peers[i];

		if (memcmp(&peer->address, from, jc_address_length(from)) == 0) {
			return peer;
		}
		oldest = peer->latest_ns < oldest->latest_ns ? peer : oldest;
	}
	if (port->peer_count < JC_MAX_UDP_PEERS) {
		oldest = &port->peers[port->peer_count++];
	}
	*oldest = (struct jc_udp_peer){ .address = *from, .since_ns = now_ns };
	return oldest;
}

static void count(struct jc_udp_port *port, const struct sockaddr_storage *from, int64_t now_ns)
{
	struct jc_udp_peer *peer = find_peer(port, from, now_ns);
	int64_t way_ns = now_ns - peer->since_ns;

	if (way_ns >= INTERVAL_NS) {
		peer->rate = (float)((double)peer->recent * 1.0e9 / (double)way_ns);
		peer->since_ns = now_ns;
		peer->recent = 0;
	}
	peer->packets++;
	peer->recent++;
	peer->latest_ns = now_ns;
}

void jc_udp_port_read(struct jc_udp_port *port, jc_udp_take *take, void *context)
{
	size_t bytes = 0;

	for (int i = 0; i < TAKEN_PACKETS && bytes < TAKEN_BYTES; i++) {
		char control[CMSG_SPACE(sizeof(struct timespec))];
		struct sockaddr_storage from = { .ss_family = AF_UNSPEC };
		struct iovec vector = { port->packet, sizeof(port->packet) };
		struct msghdr header = { .msg_name = &from,
			.msg_namelen = sizeof(from),
			.msg_iov = &vector,
			.msg_iovlen = 1,
			.msg_control = control,
			.msg_controllen = sizeof(control) };
		ssize_t length = recvmsg(port->fd, &header, MSG_DONTWAIT);

		if (length < 0) {
			return; /* no packet waits, or the socket has an error */
		}
		int64_t arrived_ns = arrival_ns(&header, jc_clock_now_ns());

		/* Two clocks are compared; times of packets must not decrease. */
		if (arrived_ns > port->latest_ns) {
			port->latest_ns = arrived_ns;
		}
		bytes += (size_t)length;
		count(port, &from, port->latest_ns);
		take(context, &from, port->packet, (size_t)length, port->latest_ns);
	}
}

/* The address of a person on another machine stays out of the status. */
static void format_peer(const struct jc_udp_peer *peer, char out_text[JC_ADDRESS_TEXT])
{
	char text[JC_ADDRESS_TEXT];

	jc_address_format(&peer->address, text);
	if (jc_address_is_loopback((const struct sockaddr *)&peer->address)) {
		memcpy(out_text, text, sizeof(text));
	} else {
		snprintf(out_text, JC_ADDRESS_TEXT, "remote%s", strrchr(text, ':'));
	}
}

void jc_udp_port_report(
	const struct jc_udp_port *port, int64_t now_ns, struct jc_source_status *status)
{
	status->sender_count = 0;
	for (size_t i = 0; i < port->peer_count; i++) {
		const struct jc_udp_peer *peer = &port->peers[i];
		struct jc_source_sender *sender = &status->senders[status->sender_count];
		char text[JC_ADDRESS_TEXT];

		if (now_ns - peer->latest_ns > FRESH_NS) {
			continue;
		}
		format_peer(peer, text);
		snprintf(sender->name, sizeof(sender->name), "%.*s", (int)sizeof(sender->name) - 1,
			text);
		sender->packets = peer->packets;
		sender->rate = peer->rate;
		status->sender_count++;
	}
}

void jc_udp_port_warn(struct jc_udp_port *port, const struct jc_log *log, const char *kind,
	uint64_t refused, const struct jc_diagnostic *last, int64_t now_ns)
{
	if (refused == port->warned_refused || now_ns < port->next_warning_ns) {
		return;
	}
	jc_log_write(log, JC_LOG_WARNING, "%s %s: %llu packets refused, the last one: %s, %s", kind,
		port->label, (unsigned long long)(refused - port->warned_refused), last->what,
		last->where);
	port->warned_refused = refused;
	port->next_warning_ns = now_ns + WARNING_NS;
}

void jc_udp_port_log_live(
	const struct jc_udp_port *port, const struct jc_log *log, const char *kind, bool is_live)
{
	const struct jc_log_about about = { .source = kind, .state = is_live ? "live" : "stale" };

	jc_log_event(log, JC_LOG_INFO, &about, "%s %s: %s", kind, port->label,
		is_live ? "a body comes in" : "silent");
}

const char *jc_udp_port_number(const struct jc_udp_port *port)
{
	return strrchr(port->label, ':') + 1;
}
