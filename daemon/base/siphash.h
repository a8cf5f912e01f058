/* SipHash-2-4 (Aumasson and Bernstein, 2012): a hash with a secret key, so that an attacker who
 * chooses the input cannot cause collisions. */
#ifndef JC_SIPHASH_H
#define JC_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

/* Random for each process; made by jc_siphash_key_init. */
struct jc_siphash_key {
	uint8_t bytes[16];
};

/* Draws a random key. Returns 0, or JC_ERROR_UNSUPPORTED if the system has no random bytes. */
int jc_siphash_key_init(struct jc_siphash_key *key);

uint64_t jc_siphash(const struct jc_siphash_key *key, const void *bytes, size_t length);

#endif
