/* Messages of a client of an edge that concern an origin. */
#ifndef JC_FORWARDED_TEXT_H
#define JC_FORWARDED_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct jc_forwarded_client;

/* True: the message concerns an origin, and is sent there or answered. `text` is the same message.
 */
bool jc_forwarded_text_take(struct jc_forwarded_client *forwarded, const json_t *message,
	const char *text, size_t length);

#endif
