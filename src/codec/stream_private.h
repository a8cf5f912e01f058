/* Shared by the encoder and the decoder of streams: the rejoin payload. */
#ifndef JC_CODEC_STREAM_PRIVATE_H
#define JC_CODEC_STREAM_PRIVATE_H

#include "jointcast/stream.h"

/* The sections of the chains, in their order in encoder and decoder. */
extern const enum jc_section jc_stream_chain_sections[JC_STREAM_CHAINS];

/* Contents of a rejoin payload. */
struct jc_stream_state {
	const struct jc_chain *chains;        /* JC_STREAM_CHAINS; borrowed */
	unsigned coding;                      /* of the chains */
	unsigned sections;                    /* JC_STREAM_SECTION bits: chains of the stream */
	const struct jc_placement *placement; /* borrowed; NULL: none */
	uint64_t known, estimated;            /* bit = enum jc_bone */
	uint8_t pace;
};

/* Returns the bytes or JC_ERROR_SPACE. */
int jc_stream_write_rejoin(
	const struct jc_stream_state *state, uint8_t *out_bytes, size_t capacity);

#endif
