/* Streams: packets of coding 2. A stream is one body on one skeleton at one precision, encoded
 * once for all subscribers. Each tick has a payload for subscribers with the current state and,
 * on request, a rejoin payload that gives any subscriber the same state. proto/BUNDLES.md,
 * "Bundles", and proto/SMALL-PACKETS.md, "Streams with state".
 *
 * A chain is one section (body, face, hands, hips, channels or virtual transforms) of a stream.
 * Encoder and decoder hold the same state, in integers: for each bone its last place on a lattice
 * in the space of rotations, its last step and the recent prediction error. A packet holds the
 * difference to the prediction. */
#ifndef JOINTCAST_STREAM_H
#define JOINTCAST_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Maximum error of a decoded rotation, and of a coordinate of the hips. */
enum jc_precision {
	JC_PRECISION_FINE,     /* 0.06 degrees, 0.5 mm */
	JC_PRECISION_STANDARD, /* 0.25 degrees, 1 mm */
	JC_PRECISION_COARSE,   /* 1 degree, 4 mm */
	JC_PRECISION_COUNT
};

const char *jc_precision_name(enum jc_precision precision); /* "fine", … */
int jc_precision_find(const char *name);                    /* enum jc_precision, or -1 */
double jc_precision_degrees(enum jc_precision precision);   /* error of a rotation */
double jc_precision_metres(enum jc_precision precision);    /* error of a coordinate */
/* Error of the rotation of a bone in a stream of JC_CODING_MODEL_CHAIN, degrees: of the body in
 * model space, of the face and the hands relative to the parent. */
double jc_precision_bone_degrees(enum jc_precision precision, enum jc_bone bone);
double jc_precision_value(
	enum jc_precision precision); /* error of a channel value: 0.001, 0.0025, 0.01 */

/* The largest coordinate of hips and virtual transforms that a packet can carry, metres. */
double jc_precision_range(enum jc_precision precision);

/* Rounds a motion to a precision: each rotation to the nearest place of its lattice
 * (proto/SMALL-PACKETS.md, "Precisions"), each coordinate of the hips to the nearest multiple of
 * twice its error, in its own unit. The result depends on the rounded values alone, so that
 * repeated packets reveal no more than one. Values that are no rotations stay. */
void jc_precision_round(enum jc_precision precision, struct jc_quat rotations[JC_BONE_COUNT],
	struct jc_vec3 *hips_translation);

#define JC_CHAIN_ITEMS 30 /* maximum of a section */

/* State of one bone, the hips translation, three channel values, or the rotation or translation
 * of a virtual transform. */
struct jc_chain_item {
	int32_t place[3];    /* lattice coordinates */
	int32_t pace[3];     /* lately, 1/16 lattice unit a frame; coding 2: the last step */
	int32_t miss[3];     /* running mean of the prediction error, 1/64 lattice units */
	int32_t rounding[3]; /* from the place to where the bone probably is, 1/16 lattice unit;
				coding 2: 0 */
};

#define JC_CHAIN_LEG_JOINTS 9 /* hips; left and right hip joint, knee, ankle and toes */

/* Joints of the legs in the newest frame of an encoder, in the proportions of the built-in figure:
 * x and z in metres. */
struct jc_chain_legs {
	bool known;                           /* there is such a frame */
	double exact[JC_CHAIN_LEG_JOINTS][2]; /* as they are in the motion */
	double shown[JC_CHAIN_LEG_JOINTS][2]; /* as decoders show them */
};

/* State of one section; plain data that may be copied. All but `legs` is equal in encoder and
 * decoder. */
struct jc_chain {
	uint8_t section;   /* enum jc_section */
	uint8_t precision; /* enum jc_precision */
	uint8_t count;     /* items */
	bool started;      /* the state is valid */
	/* Identity of each item, ascending: enum jc_bone, or the index of a triple of values or of
	 * a virtual transform. */
	int8_t bones[JC_CHAIN_ITEMS];
	uint8_t coding; /* JC_CODING_CHAIN or JC_CODING_MODEL_CHAIN */
	struct jc_chain_legs legs;
	struct jc_chain_item items[JC_CHAIN_ITEMS];
};

#define JC_STREAM_CHAINS 6   /* body, face, hands, hips, channels, virtual transforms */
#define JC_STREAM_BYTES  960 /* maximum of a payload of either kind */

/* The bit of a section in a set of sections. */
#define JC_STREAM_SECTION(section) (1u << ((section)-1))
/* All sections except virtual transforms, which only clients without the skeleton need. */
#define JC_STREAM_ALL                                                                              \
	(JC_STREAM_SECTION(JC_SECTION_BODY) | JC_STREAM_SECTION(JC_SECTION_FACE) |                 \
		JC_STREAM_SECTION(JC_SECTION_HANDS) | JC_STREAM_SECTION(JC_SECTION_HIPS) |         \
		JC_STREAM_SECTION(JC_SECTION_CHANNELS))

/* The posed skeleton at one instant. */
struct jc_stream_frame {
	struct jc_quat rotations[JC_BONE_COUNT]; /* N; jc_skeleton_normalized */
	uint8_t states[JC_BONE_COUNT];           /* enum jc_state */
	struct jc_vec3 hips_translation;         /* metres */
	bool has_placement;                      /* the next field is set */
	struct jc_placement placement;           /* place of the body in its space */
	/* As many as the stream carries: channel values, -1 to 1; virtual transforms in model
	 * space. */
	size_t value_count, virtual_count;
	float values[JC_LIMIT_STREAM_VALUES];
	struct jc_quat virtual_rotations[JC_LIMIT_STREAM_VIRTUALS];
	struct jc_vec3 virtual_positions[JC_LIMIT_STREAM_VIRTUALS]; /* metres */
};

/* Encoder; plain data, about 9 KB. */
struct jc_stream {
	enum jc_precision precision;       /* of all sections */
	unsigned requested;                /* JC_STREAM_SECTION bits: requested sections */
	unsigned sections;                 /* requested sections that are not empty */
	uint64_t bones;                    /* bit = enum jc_bone: those of the skeleton */
	uint8_t pace;                      /* packets are sent in ticks divisible by it */
	uint8_t coding;                    /* of its chains: jc_stream_use */
	size_t value_count, virtual_count; /* jc_stream_carry */
	bool started;                      /* a packet was made since the chains were restarted */
	uint8_t sequence;                  /* of the newest packet; identifies the state after it */
	uint64_t known, estimated;         /* as last sent */
	bool has_placement;                /* a placement was sent */
	struct jc_placement placement;     /* as last sent */
	struct jc_chain chains[JC_STREAM_CHAINS]; /* by section */
};

/* Output of one tick. */
struct jc_stream_packet {
	bool is_sent;                    /* false: nothing moved; send nothing */
	bool needs_state;                /* of bytes; rejoin never needs state */
	enum jc_shape shape;             /* of bytes; that of rejoin is JC_SHAPE_LIST */
	uint8_t sequence;                /* of both payloads */
	size_t length, rejoin_length;    /* of the payloads; 0: not made */
	uint8_t bytes[JC_STREAM_BYTES];  /* for subscribers with the current state */
	uint8_t rejoin[JC_STREAM_BYTES]; /* decodable without state */
};

/* sections: JC_STREAM_SECTION bits. bones: mask, bit = enum jc_bone. A section without bones has
 * no chain. */
void jc_stream_init(
	struct jc_stream *stream, enum jc_precision precision, unsigned sections, uint64_t bones);

/* Sets the number of channel values and virtual transforms, initially 0; values past the limits
 * are not transmitted. Restarts the chains; call it also when the channels change. */
void jc_stream_carry(struct jc_stream *stream, size_t value_count, size_t virtual_count);

/* Sets the coding of the chains, initially JC_CODING_CHAIN: with JC_CODING_MODEL_CHAIN packets are
 * smaller, and the bound of a precision holds for the model-space rotation of a bone
 * (jc_precision_bone_degrees). Restarts the chains. */
void jc_stream_use(struct jc_stream *stream, unsigned coding);

/* The stream sends packets every pace-th tick, initially 1. Rejoin payloads contain the pace. */
void jc_stream_pace(struct jc_stream *stream, uint8_t pace);

/* Encodes the next frame. The frame has as many values and virtual transforms as the stream
 * carries. alive: make a packet even if nothing moved. rejoin: make both payloads, and round the
 * state so that the rejoin payload is small. The first packet, and one that would be too long,
 * restarts the chains and needs no state. Returns JC_OK; JC_ERROR_INVALID for a rotation that is
 * not finite or not unit within 1e-3, or a value out of range; or JC_ERROR_SPACE. After an error
 * the stream is unchanged. */
int jc_stream_encode(struct jc_stream *stream, const struct jc_stream_frame *frame, bool alive,
	bool rejoin, struct jc_stream_packet *out_packet);

/* Decoder. Initialise with zeros. */
struct jc_stream_decoder {
	bool started;                  /* false: waits for a packet that needs no state */
	bool is_partial;               /* the stream has sections that this library skips */
	uint8_t incarnation, sequence; /* of the newest packet */
	uint8_t pace;                  /* of the stream, 1 or more */
	uint8_t states[JC_BONE_COUNT]; /* enum jc_state */
	bool has_placement;            /* a packet had a placement */
	struct jc_placement placement; /* the newest one */
	struct jc_chain chains[JC_STREAM_CHAINS]; /* by section */
};

/* Decodes one packet. Returns length; JC_ERROR_ABSENT if the packet needs a state that the decoder
 * does not have (a packet was lost, or the stream restarted), the packet is then ignored;
 * JC_ERROR_TRUNCATED, JC_ERROR_INVALID or JC_ERROR_LIMIT for damage; JC_ERROR_UNSUPPORTED for
 * another table. After any error the decoder needs a rejoin. Unknown sections and codings are
 * skipped. */
int jc_stream_decode(struct jc_stream_decoder *decoder, const struct jc_packet_head *head,
	const uint8_t *bytes, size_t length);

/* Writes the rejoin payload of a decoder's state (proto/SMALL-PACKETS.md, "Streams with state"), so
 * that a hop can let subscribers begin without the encoder. It belongs into a packet of shape
 * JC_SHAPE_LIST that needs no state and has the decoder's incarnation and sequence. A decoder that
 * reads it has the same state. Returns the bytes, at most JC_LIMIT_PACKET_BYTES, or:
 * JC_ERROR_ABSENT if the decoder is not started; JC_ERROR_UNSUPPORTED if the stream has sections or
 * codings that the decoder skipped; JC_ERROR_INVALID if the placement is beyond
 * JC_LIMIT_COORDINATE; JC_ERROR_SPACE beyond capacity or JC_LIMIT_PACKET_BYTES. A moving body
 * of 55 bones takes about 700 bytes and each channel value 8 more; far more values and virtual
 * transforms do not fit. A rejoin packet of the encoder, which rounds its state for it, always
 * does. */
int jc_stream_decoder_rejoin(
	const struct jc_stream_decoder *decoder, uint8_t *out_bytes, size_t capacity);

/* The decoded frame. To pose the nodes of a skeleton with it: jc_skeleton_relative,
 * jc_skeleton_locals, and jc_skeleton_split_spine, without which H-Anim figures bend at four
 * joints only (skeleton.h). Bones without a chain have identity; bones without a state are absent.
 * Returns the mask of bones with a chain. */
uint64_t jc_stream_frame(
	const struct jc_stream_decoder *decoder, struct jc_stream_frame *out_frame);

#ifdef __cplusplus
}
#endif

#endif
