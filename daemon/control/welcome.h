/* The answer to `hello`. */
#ifndef JC_WELCOME_H
#define JC_WELCOME_H

#include <stdint.h>

struct jc_client;

/* Sends `welcome` (proto/CORE.md). */
void jc_welcome_send(struct jc_client *client, int64_t now_ns);

#endif
