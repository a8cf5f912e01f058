/* The interface of the codecs under measurement. Each codec encodes the rotations of one section
 * and decodes its own output, so errors are measured on decoded data. */
#ifndef JC_CLI_BENCH_CODEC_H
#define JC_CLI_BENCH_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/bench_clip.h"
#include "jointcast/packet.h"

/* Enough for the largest section: 30 bones in OSC. */
#define JC_BENCH_SECTION_BYTES 8192

struct jc_bench_range {
	enum jc_section section;
	unsigned first; /* enum jc_bone */
	unsigned count;
};

extern const struct jc_bench_range jc_bench_body, jc_bench_face, jc_bench_hands;

struct jc_bench_codec {
	const char *name;
	unsigned coding;   /* of its sections */
	int precision;     /* enum jc_precision of chains, else -1 */
	bool datagrams;    /* its bytes are whole packets */
	uint64_t lacks;    /* bones that it cannot encode, bit = enum jc_bone */
	uint64_t hinges;   /* bones that it rotates about fewer than three axes */
	size_t state_size; /* of one section, encoder and decoder; starts cleared */

	/* Returns the bytes of the section, 0 when it is left out, or a negative error. Frames come
	 * in order; hz is their rate. */
	int (*encode)(const struct jc_bench_codec *codec, void *state, double hz,
		const struct jc_bench_range *range, const struct jc_bench_sample *sample,
		uint8_t *out_bytes, size_t capacity);

	/* Fills the entries of the range except those that the codec lacks. */
	int (*decode)(const struct jc_bench_codec *codec, void *state,
		const struct jc_bench_range *range, const uint8_t *bytes, size_t length,
		struct jc_quat out_rotations[JC_BONE_COUNT]);
};

/* Four float32 per bone. */
extern const struct jc_bench_codec jc_bench_raw;

/* Overte, libraries/avatars: joint data of AvatarData::toByteArray. */
extern const struct jc_bench_codec jc_bench_overte;

/* VMC protocol 3.1: one /VMC/Ext/Bone/Pos per bone, all in one OSC bundle. */
extern const struct jc_bench_codec jc_bench_vmc;

/* Coding 1 of this protocol, see packet.h. */
extern const struct jc_bench_codec jc_bench_smallest_three;

/* Basis, packet format 52, quality High, see bench_basis.c. */
extern const struct jc_bench_codec jc_bench_basis_keyframes, jc_bench_basis_deltas;

/* Codings 2 and then 3 of this protocol, see bench_chain.h; each by enum jc_precision. */
extern const struct jc_bench_codec jc_bench_chains[6];

#endif
