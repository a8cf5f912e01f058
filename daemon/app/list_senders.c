/* Reads packets of all ports in turn, without the rest of the daemon. */
#include "app/list_senders.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "jointcast_private/osc.h"
#include "jointcast_private/text.h"
#include "source/udp_port.h"

#define LISTEN_NS INT64_C(5000000000)
#define POLL_MS   100

static const struct {
	uint16_t port;
	const char *use; /* by whom */
} ports[] = {
	{ 39539, "VMC" },
	{ 39540, "VMC" },
	{ 9000, "VRChat's OSC" },
	{ 9010, "osc-trackers" },
	{ 12351, "mocopi" },
	{ 49983, "faces" },
};

#define PORTS (sizeof(ports) / sizeof(ports[0]))

/* One port, and the first OSC address of each sender, or that the packets are no OSC. */
struct watched {
	bool is_open;
	struct jc_udp_port port;
	struct sockaddr_storage froms[JC_MAX_UDP_PEERS];
	struct jc_osc_names seen[JC_MAX_UDP_PEERS];
	size_t count;
};

static void note_message(void *context, const struct jc_osc_message *message)
{
	jc_osc_names_add(context, message->address);
}

static void note_packet(void *context, const struct sockaddr_storage *from, const void *bytes,
	size_t length, int64_t now_ns)
{
	struct watched *watched = context;
	size_t i = 0;

	(void)now_ns;
	while (i < watched->count &&
		memcmp(&watched->froms[i], from, jc_address_length(from)) != 0) {
		i++;
	}
	if (i == JC_MAX_UDP_PEERS) {
		return;
	}
	if (i == watched->count) {
		watched->froms[i] = *from;
		watched->count++;
	}
	jc_osc_read(bytes, length, note_message, &watched->seen[i], NULL);
}

/* Returns whether any port is open. */
static bool open_ports(struct watched *watched, bool is_remote)
{
	bool has_any = false;

	for (size_t i = 0; i < PORTS; i++) {
		struct sockaddr_storage address = { .ss_family = AF_INET };
		struct sockaddr_in *in = (struct sockaddr_in *)&address;
		struct jc_diagnostic diagnostic = { 0 };

		in->sin_port = htons(ports[i].port);
		in->sin_addr.s_addr = htonl(is_remote ? INADDR_ANY : INADDR_LOOPBACK);
		watched[i].is_open =
			jc_udp_port_open(&watched[i].port, &address, &diagnostic) == JC_OK;
		has_any = has_any || watched[i].is_open;
		if (!watched[i].is_open) {
			printf("%5u  %s\n", ports[i].port, diagnostic.what);
		}
	}
	return has_any;
}

static void listen_to(struct watched *watched)
{
	int64_t end_ns = jc_clock_now_ns() + LISTEN_NS;
	struct pollfd fds[PORTS];

	for (size_t i = 0; i < PORTS; i++) {
		fds[i] = (struct pollfd){ .fd = watched[i].is_open ? watched[i].port.fd : -1,
			.events = POLLIN };
	}
	while (jc_clock_now_ns() < end_ns) {
		poll(fds, PORTS, POLL_MS);
		for (size_t i = 0; i < PORTS; i++) {
			if (watched[i].is_open) {
				jc_udp_port_read(&watched[i].port, note_packet, &watched[i]);
			}
		}
	}
}

static void print_sender(const struct watched *watched, size_t index, const char *use)
{
	const struct sockaddr_storage *from = &watched->froms[index];
	const struct jc_osc_names *seen = &watched->seen[index];
	char text[JC_ADDRESS_TEXT], address[JC_LIMIT_OSC_NAME_BYTES] = "no OSC";
	uint64_t packets = 0;

	for (size_t i = 0; i < watched->port.peer_count; i++) {
		const struct jc_udp_peer *peer = &watched->port.peers[i];

		if (memcmp(&peer->address, from, jc_address_length(from)) == 0) {
			packets = peer->packets;
		}
	}
	if (seen->count > 0) {
		memcpy(address, seen->list[0], sizeof(address));
		jc_utf8_repair(address);
	}
	for (char *at = address; *at; at++) {
		*at = *at < ' ' || *at == 0x7f ? '?' : *at;
	}
	jc_address_format(from, text);
	printf("%5s  %-22s %6.0f/s  %-13s %s\n", jc_udp_port_number(&watched->port), text,
		(double)packets * 1.0e9 / (double)LISTEN_NS, use, address);
}

int jc_list_senders(bool is_remote)
{
	struct watched *watched = calloc(PORTS, sizeof(*watched));
	size_t count = 0;

	if (!watched) {
		return 1;
	}
	printf("listening for %d seconds\n", (int)(LISTEN_NS / 1000000000));
	fflush(stdout);
	bool has_any = open_ports(watched, is_remote);

	if (has_any) {
		listen_to(watched);
	}
	for (size_t i = 0; i < PORTS; i++) {
		for (size_t k = 0; k < watched[i].count; k++) {
			print_sender(&watched[i], k, ports[i].use);
		}
		count += watched[i].count;
		if (watched[i].is_open) {
			jc_udp_port_close(&watched[i].port);
		}
	}
	if (has_any && count == 0) {
		puts(is_remote ? "nothing arrives"
			       : "nothing arrives from this machine; --list-senders=remote listens "
				 "to others too");
	}
	free(watched);
	return has_any ? 0 : 3;
}
