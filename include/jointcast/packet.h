/* The binary half of the protocol: bundles and the packets in them. Layout,
 * bit by bit: proto/PROTOCOL.md, "Bundles". Encoding is split so that a stream
 * is encoded once whoever listens: the payload (sections) belongs to the
 * stream, the head (age) to the bundle. */
#ifndef JOINTCAST_PACKET_H
#define JOINTCAST_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "humanoid.h"
#include "limits.h"
#include "skeleton.h"

enum jc_section {
	JC_SECTION_BODY = 1,
	JC_SECTION_FACE = 2,
	JC_SECTION_HANDS = 3,
	JC_SECTION_HIPS = 4,
	JC_SECTION_PLACEMENT = 5,
	JC_SECTION_STATES = 6,
	JC_SECTION_CHANNELS = 7,
	JC_SECTION_VIRTUALS = 8, /* virtual transforms */
	JC_SECTION_PACE = 10,    /* of the stream, for who has to know when nothing moves */
	JC_SECTION_END
};

/* Codings are numbered per section; PROTOCOL.md lists them. */
enum { JC_CODING_SMALLEST_THREE = 1 }; /* rotation sections, at most 0.01 degrees off */
enum { JC_CODING_MILLIMETRES = 1 };    /* hips and placement */
enum { JC_CODING_MASKS = 1 };          /* states */
enum { JC_CODING_TICKS = 1 };          /* pace */
enum { JC_CODING_CHAIN = 2 };          /* whatever a stream keeps state of; chain.h */

struct jc_bundle_head {
	uint32_t space; /* id from `roster`; names one epoch of one space */
	uint32_t tick;
};

/* Where a body stands in its space; its motion comes on top. */
struct jc_placement {
	struct jc_vec3 position; /* metres, space coordinates */
	float yaw;               /* radians about +Y */
};

/* How the sections of a packet stand in it. */
enum jc_shape {
	JC_SHAPE_LIST,      /* one after the other, each with its head */
	JC_SHAPE_BODY,      /* a step of the body's chain and nothing else */
	JC_SHAPE_HIP_BODY,  /* one of the hips' chain, of one byte, and one of the body's */
	JC_SHAPE_HIPS_BODY, /* the same, that of the hips with its size */
	JC_SHAPE_MASK,      /* a mask says which, each in the coding that streams have */
};

#define JC_SEQUENCE_MASK 0x0fu /* sequence counts modulo 16 */

struct jc_packet_head {
	uint32_t body;          /* short id within the space */
	uint8_t incarnation;    /* of the stream, 0..7 */
	uint8_t sequence;       /* of the stream, one more each packet, 0..15 */
	bool cut;               /* do not interpolate from the packet before */
	bool needs_state;       /* cannot be decoded without those before it; stream.h */
	enum jc_shape shape;    /* of its sections; JC_SHAPE_LIST unless it needs state, then not */
	int32_t capture_age_us; /* the tick's nominal time minus capture time; stored in 100 us */
	uint32_t relay_age_us;  /* added by hops, 0 at the origin; stored in 100 us */
};

/* What a packet's sections say. */
struct jc_payload {
	uint64_t rotation_mask; /* bones whose rotation was carried; others are at rest */
	struct jc_quat rotations[JC_BONE_COUNT]; /* R */
	bool has_hips;
	struct jc_vec3 hips_translation; /* metres */
	bool has_placement;
	struct jc_placement placement;
	bool has_states;
	uint8_t states[JC_BONE_COUNT]; /* enum jc_state */
};

/* Writes the sections of one stream. A bone at rest to the last quantised bit
 * is left out; sections with nothing in them too. placement may be NULL.
 * Returns the number of bytes, JC_ERROR_INVALID when a rotation is not finite
 * or not unit within 1e-3 or a length lies beyond JC_LIMIT_COORDINATE, or
 * JC_ERROR_SPACE. */
int jc_payload_encode(const struct jc_skeleton_pose *pose, const struct jc_placement *placement,
	uint8_t *out_bytes, size_t capacity);

/* Reads sections of that shape; unknown sections and codings are skipped. Absent
 * bones come out at rest, rotations unit to single precision. Returns length or a negative
 * error: JC_ERROR_TRUNCATED, JC_ERROR_INVALID (a section twice, bytes left over,
 * a varint too long, padding set, components that are no rotation) or
 * JC_ERROR_LIMIT (more than JC_LIMIT_PACKET_BYTES). */
int jc_payload_decode(
	enum jc_shape shape, const uint8_t *bytes, size_t length, struct jc_payload *out_payload);

/* Where a section of a payload lies, its head left out: its bytes and their
 * number, 0 where it is not there or the payload is damaged before it. */
size_t jc_payload_find(enum jc_shape shape, const uint8_t *bytes, size_t length,
	enum jc_section section, const uint8_t **out_bytes);

#define JC_BUNDLE_HEAD_BYTES 11  /* most of a head */
#define JC_BUNDLE_REACH      127 /* ticks from one bundle to one with a short head, at most */

/* Builds a bundle in place: head, then packets. Each returns the bytes written
 * at out_bytes or a negative error; nothing is written past capacity. A short
 * head, one byte, tells the tick to whoever got a bundle of this space last, at
 * most JC_BUNDLE_REACH ticks before. */
int jc_bundle_begin(const struct jc_bundle_head *head, uint8_t *out_bytes, size_t capacity);
uint8_t jc_bundle_short_head(uint32_t tick);
int jc_bundle_append(const struct jc_packet_head *head, const uint8_t *payload,
	size_t payload_length, uint8_t *out_bytes, size_t capacity);

/* Makes the packet at `packet`, which ends at `end`, the last of its bundle: it
 * needs no size then. Returns its new end. */
uint8_t *jc_bundle_finish(uint8_t *packet, uint8_t *end);

/* Walks a bundle. jc_bundle_read_head returns the bytes consumed; jc_bundle_read_packet
 * returns the bytes consumed, the payload being out_payload..+out_length inside
 * bytes. before is the head of the bundle that came before on the same connection,
 * NULL for the first. Unknown flag bits are ignored. Negative errors for anything
 * malformed: JC_ERROR_TRUNCATED, JC_ERROR_INVALID (a short head without a bundle
 * before it too), JC_ERROR_LIMIT (JC_LIMIT_BUNDLE_BYTES,
 * JC_LIMIT_PACKET_BYTES, an age past 32 bits of microseconds) or, for another
 * kind or version of message, JC_ERROR_UNSUPPORTED. The caller counts packets
 * against JC_LIMIT_BUNDLE_PACKETS. */
int jc_bundle_read_head(const uint8_t *bytes, size_t length, const struct jc_bundle_head *before,
	struct jc_bundle_head *out_head);
int jc_bundle_read_packet(const uint8_t *bytes, size_t length, struct jc_packet_head *out_head,
	const uint8_t **out_payload, size_t *out_length);

#endif
