/* Prints the packets of random streams, and for each packet the rejoin payload of a decoder that
 * followed them, for the test that compares it with the decoder in JavaScript. Lines: "stream",
 * then per packet needsState, shape, sequence, incarnation, payload, rejoin payload. */
#include <stdio.h>
#include <stdlib.h>

#include "random_stream.h"

static void print_hex(const uint8_t *bytes, size_t length)
{
	putchar(' ');
	putchar('x');
	for (size_t i = 0; i < length; i++) {
		printf("%02x", bytes[i]);
	}
}

static int print_stream(enum jc_precision precision, size_t values, size_t virtuals, uint32_t seed)
{
	struct jc_stream_decoder decoder = { 0 };
	struct random_stream walk;

	puts("stream");
	random_stream_init(&walk, precision, JC_STREAM_ALL | JC_STREAM_SECTION(JC_SECTION_VIRTUALS),
		values, virtuals, seed);
	for (int tick = 0; tick < 200; tick++) {
		uint8_t rejoin[JC_LIMIT_PACKET_BYTES];
		struct jc_stream_packet packet;
		struct jc_packet_head head;
		int length;

		random_stream_step(&walk, &packet);
		head = random_stream_head(&packet, false);
		if (jc_stream_decode(&decoder, &head, packet.bytes, packet.length) < 0 ||
			(length = jc_stream_decoder_rejoin(&decoder, rejoin, sizeof(rejoin))) < 0) {
			return EXIT_FAILURE;
		}
		printf("%d %d %d %d", head.needs_state, (int)head.shape, head.sequence,
			head.incarnation);
		print_hex(packet.bytes, packet.length);
		print_hex(rejoin, (size_t)length);
		putchar('\n');
	}
	return EXIT_SUCCESS;
}

int main(void)
{
	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		if (print_stream((enum jc_precision)p, 9, 3, 100u + (uint32_t)p) != EXIT_SUCCESS ||
			print_stream((enum jc_precision)p, 0, 0, 200u + (uint32_t)p) !=
				EXIT_SUCCESS) {
			return EXIT_FAILURE;
		}
	}
	return EXIT_SUCCESS;
}
