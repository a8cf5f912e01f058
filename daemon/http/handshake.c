/* Composes the WebSocket handshake; libcrypto provides SHA-1 and base64. */
#include "http/handshake.h"

#include <openssl/evp.h>
#include <stdio.h>

#include "net/frame.h"

#define KEY_BYTES 24u

size_t jc_handshake_write(const struct jc_request *request, char out_text[JC_HANDSHAKE_BYTES])
{
	char text[KEY_BYTES + sizeof("258EAFA5-E914-47DA-95CA-C5AB0DC85B11")];
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned char accept[29];
	unsigned size;
	int length = snprintf(text, sizeof(text), "%.*s258EAFA5-E914-47DA-95CA-C5AB0DC85B11",
		(int)KEY_BYTES, request->key.bytes);

	if (!EVP_Digest(text, (size_t)length, digest, &size, EVP_sha1(), NULL)) {
		return 0;
	}
	EVP_EncodeBlock(accept, digest, 20);
	return (size_t)snprintf(out_text, JC_HANDSHAKE_BYTES,
		"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
		"Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n"
		"Sec-WebSocket-Protocol: " JC_SUBPROTOCOL "\r\n\r\n",
		(const char *)accept);
}
