/* Computes SipHash. OpenSSL has it too, but allocates for each use and may fail; a hash table
 * cannot handle that when it removes an entry. */
#include "base/siphash.h"

#include <uv.h>

#include "jointcast/error.h"

struct state {
	uint64_t v0, v1, v2, v3;
};

static uint64_t rotate(uint64_t value, unsigned bits)
{
	return value << bits | value >> (64 - bits);
}

/* Reads up to eight bytes, little-endian. */
static uint64_t read_word(const uint8_t *bytes, size_t length)
{
	uint64_t word = 0;

	for (size_t i = 0; i < length; i++) {
		word |= (uint64_t)bytes[i] << 8 * i;
	}
	return word;
}

static void mix(struct state *state, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		state->v0 += state->v1;
		state->v1 = rotate(state->v1, 13) ^ state->v0;
		state->v0 = rotate(state->v0, 32);
		state->v2 += state->v3;
		state->v3 = rotate(state->v3, 16) ^ state->v2;
		state->v0 += state->v3;
		state->v3 = rotate(state->v3, 21) ^ state->v0;
		state->v2 += state->v1;
		state->v1 = rotate(state->v1, 17) ^ state->v2;
		state->v2 = rotate(state->v2, 32);
	}
}

static void add_word(struct state *state, uint64_t word)
{
	state->v3 ^= word;
	mix(state, 2);
	state->v0 ^= word;
}

int jc_siphash_key_init(struct jc_siphash_key *key)
{
	return uv_random(NULL, NULL, key->bytes, sizeof(key->bytes), 0, NULL) == 0
		       ? JC_OK
		       : JC_ERROR_UNSUPPORTED;
}

uint64_t jc_siphash(const struct jc_siphash_key *key, const void *bytes, size_t length)
{
	const uint8_t *at = bytes;
	size_t rest = length % 8;
	uint64_t k0 = read_word(key->bytes, 8);
	uint64_t k1 = read_word(key->bytes + 8, 8);
	struct state state = {
		.v0 = k0 ^ UINT64_C(0x736f6d6570736575),
		.v1 = k1 ^ UINT64_C(0x646f72616e646f6d),
		.v2 = k0 ^ UINT64_C(0x6c7967656e657261),
		.v3 = k1 ^ UINT64_C(0x7465646279746573),
	};

	for (size_t i = 0; i < length - rest; i += 8) {
		add_word(&state, read_word(at + i, 8));
	}
	add_word(&state, read_word(at + length - rest, rest) | (uint64_t)length << 56);
	state.v2 ^= 0xff;
	mix(&state, 4);
	return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}
