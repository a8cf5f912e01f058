/* A stream of packets of coding 2: one figure in one variant (precision and
 * sections), encoded once whoever listens. Each tick has a payload for all who
 * have followed so far and, when somebody needs it, one that brings anybody to
 * the same state. PROTOCOL.md sections 4 and 7. */
#ifndef JOINTCAST_STREAM_H
#define JOINTCAST_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet.h"

/* The most that a decoded rotation is off, and a coordinate of the hips. */
enum jc_precision {
	JC_PRECISION_FINE,     /* 0.06 degrees, 0.5 mm */
	JC_PRECISION_STANDARD, /* 0.25 degrees, 1 mm */
	JC_PRECISION_COARSE,   /* 1 degree, 4 mm */
	JC_PRECISION_COUNT
};

const char *jc_precision_name(enum jc_precision precision); /* "fine", … */
int jc_precision_find(const char *name);                    /* enum jc_precision, or -1 */
double jc_precision_degrees(enum jc_precision precision);
double jc_precision_metres(enum jc_precision precision);
double jc_precision_value(enum jc_precision precision); /* of a channel: 0.001, 0.0025, 0.01 */

#define JC_CHAIN_ITEMS 30 /* of a section, at most */

/* One bone, the hips' translation, three values of channels, or of a virtual
 * transform the rotation or the translation. */
struct jc_chain_item {
	int32_t place[3]; /* on the lattice */
	int32_t step[3];  /* of the last frame */
	int32_t miss[3];  /* running mean of what was mispredicted, 1/64 lattice units */
};

/* What both ends know; plain data, copy it freely. */
struct jc_chain {
	uint8_t section; /* enum jc_section */
	uint8_t precision;
	uint8_t count; /* items */
	bool started;  /* there is a state */
	/* What each item is of, ascending: enum jc_bone; triples of values or virtual
	 * transforms, counted from 0. */
	int8_t bones[JC_CHAIN_ITEMS];
	struct jc_chain_item items[JC_CHAIN_ITEMS];
};

#define JC_STREAM_CHAINS 6   /* body, face, hands, hips, channels, virtual transforms */
#define JC_STREAM_BYTES  960 /* most of a payload of either kind */

#define JC_STREAM_SECTION(section) (1u << ((section)-1))
/* All but virtual transforms, which are for who does not evaluate skeletons. */
#define JC_STREAM_ALL                                                                              \
	(JC_STREAM_SECTION(JC_SECTION_BODY) | JC_STREAM_SECTION(JC_SECTION_FACE) |                 \
		JC_STREAM_SECTION(JC_SECTION_HANDS) | JC_STREAM_SECTION(JC_SECTION_HIPS) |         \
		JC_STREAM_SECTION(JC_SECTION_CHANNELS))

/* How a figure stands at one instant. */
struct jc_stream_frame {
	struct jc_quat rotations[JC_BONE_COUNT]; /* N; jc_skeleton_normalized */
	uint8_t states[JC_BONE_COUNT];           /* enum jc_state */
	struct jc_vec3 hips_translation;         /* metres */
	bool has_placement;
	struct jc_placement placement;
	/* As many as the stream carries: values of channels, -1 to 1; where virtual
	 * transforms stand in model space. */
	size_t value_count, virtual_count;
	float values[JC_LIMIT_STREAM_VALUES];
	struct jc_quat virtual_rotations[JC_LIMIT_STREAM_VIRTUALS];
	struct jc_vec3 virtual_positions[JC_LIMIT_STREAM_VIRTUALS]; /* metres */
};

/* Plain data, about 8 KB. */
struct jc_stream {
	enum jc_precision precision;
	unsigned wished;   /* JC_STREAM_SECTION bits */
	unsigned sections; /* those of them that have something in them */
	uint64_t bones;    /* bit = enum jc_bone: those of the skeleton */
	uint8_t pace;      /* it has packets in ticks that this divides */
	size_t value_count, virtual_count;
	bool started;
	uint8_t sequence;          /* of the newest packet; names the state after it */
	uint64_t known, estimated; /* as last told */
	bool has_placement;
	struct jc_placement placement;
	struct jc_chain chains[JC_STREAM_CHAINS];
};

/* What one tick says. */
struct jc_stream_packet {
	bool is_sent;        /* false: nothing moved, send nothing */
	bool needs_state;    /* of the common payload */
	enum jc_shape shape; /* likewise; the other's is JC_SHAPE_LIST */
	uint8_t sequence;    /* of either */
	size_t length, rejoin_length;
	uint8_t bytes[JC_STREAM_BYTES];
	uint8_t rejoin[JC_STREAM_BYTES]; /* that needs no state */
};

/* sections and bones may name what the other lacks: that has no chain. */
void jc_stream_init(
	struct jc_stream *stream, enum jc_precision precision, unsigned sections, uint64_t bones);

/* How many values and virtual transforms there are from now on, 0 at first; those
 * past the limits are not carried. The chains start anew, as they must where values
 * are of other channels than before. */
void jc_stream_carry(struct jc_stream *stream, size_t value_count, size_t virtual_count);

/* It will have packets in every n-th tick, 1 at first; whoever rejoins is told. */
void jc_stream_pace(struct jc_stream *stream, uint8_t pace);

/* Moves the stream on. The frame has as many values and virtual transforms as the
 * stream carries. `alive`: a packet even when nothing moved. `rejoin`: both
 * payloads, made small. The first packet, and one that would be too long, starts
 * the chains anew and needs no state. Returns JC_OK, JC_ERROR_INVALID for a value
 * that is none (chain.h, packet.h) or JC_ERROR_SPACE; the stream is then as it
 * was. */
int jc_stream_encode(struct jc_stream *stream, const struct jc_stream_frame *frame, bool alive,
	bool rejoin, struct jc_stream_packet *out_packet);

/* Follows a stream. Begins as all zeros. */
struct jc_stream_decoder {
	bool started; /* false: it needs a packet that needs no state */
	uint8_t incarnation, sequence;
	uint8_t pace;                  /* of the stream, 1 or more */
	uint8_t states[JC_BONE_COUNT]; /* enum jc_state */
	bool has_placement;
	struct jc_placement placement;
	struct jc_chain chains[JC_STREAM_CHAINS];
};

/* Takes one packet in. Returns length; JC_ERROR_ABSENT for one that needs a state
 * which is not there (a packet was missed, or the stream began anew): nothing is
 * taken from it; JC_ERROR_TRUNCATED, JC_ERROR_INVALID or JC_ERROR_LIMIT for
 * damage, JC_ERROR_UNSUPPORTED for another table. After any error the decoder
 * needs a rejoin. Unknown sections and codings are skipped. */
int jc_stream_decode(struct jc_stream_decoder *decoder, const struct jc_packet_head *head,
	const uint8_t *bytes, size_t length);

/* How the figure stands; bones that are in no chain have identity, those whose
 * state was not said are absent. Returns the mask of bones in chains. */
uint64_t jc_stream_frame(
	const struct jc_stream_decoder *decoder, struct jc_stream_frame *out_frame);

#endif
