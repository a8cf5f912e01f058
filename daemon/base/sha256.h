/* SHA-256 of bytes as text: the address of skeletons and avatars. */
#ifndef JC_SHA256_H
#define JC_SHA256_H

#include <stdbool.h>
#include <stddef.h>

#include "maxima.h"

/* Writes 64 lower-case hex digits and a NUL. False: libcrypto has failed. */
bool jc_sha256_hex(const void *bytes, size_t length, char out_hash[JC_HASH_TEXT]);

/* Whether a text of that length is 64 lower-case hex digits. */
bool jc_sha256_is_hex(const char *text, size_t length);

#endif
