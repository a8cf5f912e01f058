/* Binary messages from clients. */
#ifndef JC_CAPTURES_H
#define JC_CAPTURES_H

#include <stddef.h>
#include <stdint.h>

struct jc_client;

/* One binary message. */
void jc_captures_receive(
	struct jc_client *client, const uint8_t *bytes, size_t length, int64_t now_ns);

#endif
