/* What the codecs under measurement have in common: each writes the rotations
 * of one section and reads back what it wrote, so that its error is that of a
 * decoder and not a claim. */
#ifndef JC_CLI_BENCH_CODEC_H
#define JC_CLI_BENCH_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/bench_clip.h"
#include "jointcast/packet.h"

/* Enough for the largest section of any codec, OSC's 30 bones. */
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
	bool datagrams;    /* its bytes are packets already, nothing is put around them */
	uint64_t lacks;    /* bones that it has no place for, bit = enum jc_bone */
	uint64_t hinges;   /* bones that it bends about fewer than three axes */
	size_t state_size; /* of one section at both ends; starts cleared */

	/* Returns the bytes of the section, 0 for one that is left out, or a
	 * negative error. Frames come in order; hz is their rate. */
	int (*encode)(const struct jc_bench_codec *codec, void *state, double hz,
		const struct jc_bench_range *range, const struct jc_bench_sample *sample,
		uint8_t *out_bytes, size_t capacity);

	/* Fills the entries of the range, all but those that the codec lacks. */
	int (*decode)(const struct jc_bench_codec *codec, void *state,
		const struct jc_bench_range *range, const uint8_t *bytes, size_t length,
		struct jc_quat out_rotations[JC_BONE_COUNT]);
};

/* Four float32 a bone. */
extern const struct jc_bench_codec jc_bench_raw;

/* Overte, libraries/avatars: AvatarData::toByteArray, joint data. */
extern const struct jc_bench_codec jc_bench_overte;

/* VMC protocol 3.1: one /VMC/Ext/Bone/Pos a bone, all in one OSC bundle. */
extern const struct jc_bench_codec jc_bench_vmc;

/* Coding 1 of this protocol, packet.h. */
extern const struct jc_bench_codec jc_bench_smallest_three;

/* Basis, packet format 52, quality High; see bench_basis.c. */
extern const struct jc_bench_codec jc_bench_basis_keyframes, jc_bench_basis_deltas;

/* Coding 2 of this protocol, bench_chain.h, by enum jc_precision. */
extern const struct jc_bench_codec jc_bench_chains[3];

#endif
