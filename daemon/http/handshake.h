/* The answer that makes a WebSocket of a connection (RFC 6455, 4.2.2). Pure. */
#ifndef JC_HANDSHAKE_H
#define JC_HANDSHAKE_H

#include <stddef.h>

#include "http/request.h"

#define JC_HANDSHAKE_BYTES 192 /* that any answer fits, with a NUL */

/* Writes it, to a request that was judged 101; returns its length, or 0 where the
 * digest cannot be had. */
size_t jc_handshake_write(const struct jc_request *request, char out_text[JC_HANDSHAKE_BYTES]);

#endif
