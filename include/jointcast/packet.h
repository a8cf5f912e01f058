/* Binary messages: bundles and the packets in them. Bit layout: proto/BUNDLES.md, "Bundles".
 * The payload (sections) belongs to the stream and is encoded once for all subscribers; the head
 * (age) belongs to the bundle. */
#ifndef JOINTCAST_PACKET_H
#define JOINTCAST_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "humanoid.h"
#include "limits.h"
#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The sections of a packet; proto/BUNDLES.md, "Sections". */
enum jc_section {
	JC_SECTION_BODY = 1,
	JC_SECTION_FACE = 2,
	JC_SECTION_HANDS = 3,
	JC_SECTION_HIPS = 4,
	JC_SECTION_PLACEMENT = 5,
	JC_SECTION_STATES = 6,
	JC_SECTION_CHANNELS = 7,
	JC_SECTION_VIRTUALS = 8, /* virtual transforms */
	JC_SECTION_PACE = 10,    /* of the stream: ticks between its packets */
	JC_SECTION_END
};

/* Codings are numbered per section; proto/BUNDLES.md, "Sections", lists them. */
enum { JC_CODING_SMALLEST_THREE = 1 }; /* rotation sections, at most 0.01 degrees off */
enum { JC_CODING_MILLIMETRES = 1 };    /* hips and placement */
enum { JC_CODING_MASKS = 1 };          /* states */
enum { JC_CODING_TICKS = 1 };          /* pace */
enum { JC_CODING_CHAIN = 2 };          /* sections of a stream with state; stream.h */
enum { JC_CODING_MODEL_CHAIN = 3 };    /* the same, errors bounded in model space */

/* The space and the tick of a bundle. */
struct jc_bundle_head {
	uint32_t space; /* id from `roster`; names one epoch of one space */
	uint32_t tick;  /* of the space */
};

/* Position of a body in its space; its motion is relative to it. */
struct jc_placement {
	struct jc_vec3 position; /* metres, space coordinates */
	float yaw;               /* radians about +Y */
};

/* Arrangement of the sections in a packet. */
enum jc_shape {
	JC_SHAPE_LIST,      /* each section with its own head */
	JC_SHAPE_BODY,      /* one step of the body chain only */
	JC_SHAPE_HIP_BODY,  /* one byte of the hips chain, then the body chain */
	JC_SHAPE_HIPS_BODY, /* the hips chain with its size, then the body chain */
	JC_SHAPE_MASK,      /* a mask of sections, each in the coding of streams */
};

#define JC_SEQUENCE_MASK 0x0fu /* sequence counts modulo 16 */

/* The head of a packet: its body, its stream, and how to decode the payload. */
struct jc_packet_head {
	uint32_t body;          /* short id within the space */
	uint8_t incarnation;    /* of the stream, 0..7 */
	uint8_t sequence;       /* of the stream, counts packets, 0..15 */
	bool cut;               /* do not interpolate from the previous packet */
	bool needs_state;       /* needs the previous packets; stream.h */
	enum jc_shape shape;    /* JC_SHAPE_LIST if and only if !needs_state */
	int32_t capture_age_us; /* the tick's nominal time minus capture time; stored in 100 us */
	uint32_t relay_age_us;  /* added by hops, 0 at the origin; stored in 100 us */
};

/* Decoded sections of a packet. */
struct jc_payload {
	uint64_t rotation_mask;                  /* bones with a rotation; others are at rest */
	struct jc_quat rotations[JC_BONE_COUNT]; /* R */
	bool has_hips;                           /* the next field is set */
	struct jc_vec3 hips_translation;         /* metres */
	bool has_placement;                      /* the next field is set */
	struct jc_placement placement;           /* new place of the body */
	bool has_states;                         /* the next field is set */
	uint8_t states[JC_BONE_COUNT];           /* enum jc_state */
};

/* Writes the sections of one stream. Bones at rest after quantisation and empty sections are
 * omitted. placement may be NULL.
 * Returns the number of bytes, JC_ERROR_INVALID when a rotation is not finite
 * or not unit within 1e-3 or a length lies beyond JC_LIMIT_COORDINATE, or
 * JC_ERROR_SPACE. */
int jc_payload_encode(const struct jc_skeleton_pose *pose, const struct jc_placement *placement,
	uint8_t *out_bytes, size_t capacity);

/* Reads the sections of a packet of that shape; unknown sections and codings are skipped. Omitted
 * bones are at rest; rotations are unit within single precision. Returns length or a negative
 * error: JC_ERROR_TRUNCATED, JC_ERROR_INVALID (a repeated section, surplus bytes, an overlong
 * varint, padding that is not 0, components that are not a rotation) or
 * JC_ERROR_LIMIT (more than JC_LIMIT_PACKET_BYTES). */
int jc_payload_decode(
	enum jc_shape shape, const uint8_t *bytes, size_t length, struct jc_payload *out_payload);

/* Finds a section in a payload: *out_bytes is its content without the section head. Returns the
 * number of bytes, 0 if the section is absent or the payload is damaged before it. */
size_t jc_payload_find(enum jc_shape shape, const uint8_t *bytes, size_t length,
	enum jc_section section, const uint8_t **out_bytes);

#define JC_BUNDLE_HEAD_BYTES 11  /* maximum of a head */
#define JC_BUNDLE_REACH      127 /* maximum ticks from a bundle to one with a short head */

/* Build a bundle in place: head, then packets. Each function returns the bytes written at
 * out_bytes or a negative error, and never writes past capacity. A short head is one byte; it is
 * for subscribers whose previous bundle was of the same space and at most JC_BUNDLE_REACH ticks
 * earlier. */
int jc_bundle_begin(const struct jc_bundle_head *head, uint8_t *out_bytes, size_t capacity);
uint8_t jc_bundle_short_head(uint32_t tick);
int jc_bundle_append(const struct jc_packet_head *head, const uint8_t *payload,
	size_t payload_length, uint8_t *out_bytes, size_t capacity);

/* Removes the size of the last packet of a bundle, which starts at `packet` and ends at `end`.
 * Returns its new end. */
uint8_t *jc_bundle_finish(uint8_t *packet, uint8_t *end);

/* Read a bundle: its head, then packet by packet. Both return the bytes consumed. The payload is
 * the out_length bytes at out_payload, inside bytes. before is the head of the previous bundle on
 * the same connection, NULL for the first. Unknown flag bits are ignored. Errors:
 * JC_ERROR_TRUNCATED, JC_ERROR_INVALID (also a short head without a previous bundle),
 * JC_ERROR_LIMIT (JC_LIMIT_BUNDLE_BYTES,
 * JC_LIMIT_PACKET_BYTES, an age past 32 bits of microseconds) or, for another
 * kind or version of message, JC_ERROR_UNSUPPORTED. The caller counts packets
 * against JC_LIMIT_BUNDLE_PACKETS. */
int jc_bundle_read_head(const uint8_t *bytes, size_t length, const struct jc_bundle_head *before,
	struct jc_bundle_head *out_head);
int jc_bundle_read_packet(const uint8_t *bytes, size_t length, struct jc_packet_head *out_head,
	const uint8_t **out_payload, size_t *out_length);

#define JC_PAIR_HEAD_BYTES 4 /* maximum of what stands before a pair of bundles */

/* Writes what stands before two bundles of one message, the first of which has first_length bytes:
 * proto/BUNDLES.md, "Two ticks in a message". Returns the bytes written, or JC_ERROR_SPACE. */
int jc_bundle_pair(size_t first_length, uint8_t *out_bytes, size_t capacity);

/* Finds the bundles of a message, whose heads refer to each other in order. Returns their number, 1
 * or 2: a message that is no pair is one, whatever it contains. Errors: JC_ERROR_TRUNCATED,
 * JC_ERROR_INVALID (an overlong varint), JC_ERROR_LIMIT (JC_LIMIT_BUNDLE_BYTES). */
int jc_bundle_split(
	const uint8_t *bytes, size_t length, const uint8_t *out_bundles[2], size_t out_lengths[2]);

#ifdef __cplusplus
}
#endif

#endif
