/* Our own chains, one at each end. */
#include "bench_codec.h"
#include "jointcast/chain.h"

struct state {
	struct jc_chain encoder, decoder;
};

static uint64_t mask_of(const struct jc_bench_range *range)
{
	return ((UINT64_C(1) << range->count) - 1) << range->first;
}

/* The first frame is a rejoin section, as for everybody who joins. */
static int encode(const struct jc_bench_codec *codec, void *state, double hz,
	const struct jc_bench_range *range, const struct jc_bench_sample *sample,
	uint8_t *out_bytes, size_t capacity)
{
	struct jc_chain *chain = &((struct state *)state)->encoder;
	int error;

	(void)hz;
	if (chain->started) {
		return jc_chain_encode(
			chain, sample->rotations, &sample->hips, false, out_bytes, capacity);
	}
	error = jc_chain_start(chain, range->section, (enum jc_precision)codec->precision,
		mask_of(range), sample->rotations, &sample->hips);
	return error ? error : jc_chain_write_rejoin(chain, out_bytes, capacity);
}

static int decode(const struct jc_bench_codec *codec, void *state,
	const struct jc_bench_range *range, const uint8_t *bytes, size_t length,
	struct jc_quat out_rotations[JC_BONE_COUNT])
{
	struct jc_chain *chain = &((struct state *)state)->decoder;
	int result = 0;

	(void)codec;
	if (!chain->started) {
		result = jc_chain_read_rejoin(chain, range->section, bytes, length);
	} else if (length > 0) {
		result = jc_chain_decode(chain, bytes, length);
	} else {
		jc_chain_hold(chain);
	}
	if (result >= 0) {
		jc_chain_rotations(chain, out_rotations);
	}
	return result;
}

#define CHAIN(NAME, PRECISION)                                                                     \
	{                                                                                          \
		.name = NAME, .coding = JC_CODING_CHAIN, .precision = PRECISION,                   \
		.state_size = sizeof(struct state), .encode = encode, .decode = decode             \
	}

const struct jc_bench_codec jc_bench_chains[JC_PRECISION_COUNT] = {
	CHAIN("jointcast fine", JC_PRECISION_FINE),
	CHAIN("jointcast standard", JC_PRECISION_STANDARD),
	CHAIN("jointcast coarse", JC_PRECISION_COARSE),
};
