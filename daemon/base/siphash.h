/* SipHash-2-4 (Aumasson and Bernstein, 2012): a hash under a secret key, so that who
 * chooses the input cannot make two inputs collide. */
#ifndef JC_SIPHASH_H
#define JC_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

/* Random, of one process; drawn with jc_siphash_key_init. */
struct jc_siphash_key {
	uint8_t bytes[16];
};

/* Draws a key from the system. Returns 0, or JC_ERROR_UNSUPPORTED where the system has no
 * random bytes. */
int jc_siphash_key_init(struct jc_siphash_key *key);

uint64_t jc_siphash(const struct jc_siphash_key *key, const void *bytes, size_t length);

#endif
