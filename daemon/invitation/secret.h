/* Secrets of invitations: random texts, of which only SHA-256 is kept. */
#ifndef JC_INVITATION_SECRET_H
#define JC_INVITATION_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JC_SECRET_BYTES 16u /* random: 128 bits */
#define JC_SECRET_TEXT  23u /* in base64url without padding, with the NUL */

/* SHA-256. */
struct jc_digest {
	uint8_t bytes[32];
};

struct jc_digest jc_digest_of(const void *bytes, size_t length);

/* Compares in constant time. */
bool jc_digest_equals(const struct jc_digest *digest, const struct jc_digest *other);

/* Fills the bytes from the generator for keys. False: the system has no random bytes. */
bool jc_secret_draw(void *out_bytes, size_t length);

/* Draws a secret. False: the system has no random bytes. */
bool jc_secret_make(char out_secret[JC_SECRET_TEXT]);

/* Draws `length` hexadecimal digits, an even number up to 64, and a NUL. False: the system has no
 * random bytes. */
bool jc_secret_make_hex(char *out_text, size_t length);

void jc_secret_wipe(void *bytes, size_t length);

#endif
