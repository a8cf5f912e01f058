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
};

/* Codings are numbered per section; PROTOCOL.md lists them. */
enum { JC_CODING_SMALLEST_THREE = 1 }; /* rotation sections, at most 0.01 degrees off */
enum { JC_CODING_MILLIMETRES = 1 };    /* hips and placement */
enum { JC_CODING_MASKS = 1 };          /* states */

struct jc_bundle_head {
	uint32_t space; /* id from `roster`; names one epoch of one space */
	uint32_t tick;
	int32_t offset_us; /* server time minus the tick's nominal time */
};

/* Where a body stands in its space; its motion comes on top. */
struct jc_placement {
	struct jc_vec3 position; /* metres, space coordinates */
	float yaw;               /* radians about +Y */
};

struct jc_packet_head {
	uint32_t body;           /* short id within the space */
	uint8_t incarnation;     /* of the stream, 0..7 */
	uint8_t sequence;        /* of the stream, one more each packet */
	bool cut;                /* do not interpolate from the packet before */
	bool needs_state;        /* cannot be decoded without those before it; stream.h */
	uint32_t capture_age_us; /* server time minus capture time; stored in 100 us */
	uint32_t relay_age_us;   /* added by hops, 0 at the origin; stored in 100 us */
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

/* Reads sections; unknown sections and codings are skipped. Absent bones come
 * out at rest, rotations unit to single precision. Returns length or a negative
 * error: JC_ERROR_TRUNCATED, JC_ERROR_INVALID (a section twice, bytes left over,
 * a varint too long, padding set, components that are no rotation) or
 * JC_ERROR_LIMIT (more than JC_LIMIT_PACKET_BYTES). */
int jc_payload_decode(const uint8_t *bytes, size_t length, struct jc_payload *out_payload);

/* Builds a bundle in place: head, then packets. Each returns the bytes written
 * at out_bytes or a negative error; nothing is written past capacity. */
int jc_bundle_begin(const struct jc_bundle_head *head, uint8_t *out_bytes, size_t capacity);
int jc_bundle_append(const struct jc_packet_head *head, const uint8_t *payload,
	size_t payload_length, uint8_t *out_bytes, size_t capacity);

/* Walks a bundle. jc_bundle_read_head returns the bytes consumed; jc_bundle_read_packet
 * returns the bytes consumed, the payload being out_payload..+out_length inside
 * bytes. Unknown flag bits are ignored. Negative errors for anything malformed:
 * JC_ERROR_TRUNCATED, JC_ERROR_INVALID, JC_ERROR_LIMIT (JC_LIMIT_BUNDLE_BYTES,
 * JC_LIMIT_PACKET_BYTES, an age past 32 bits of microseconds) or, for another
 * kind or version of message, JC_ERROR_UNSUPPORTED. The caller counts packets
 * against JC_LIMIT_BUNDLE_PACKETS. */
int jc_bundle_read_head(const uint8_t *bytes, size_t length, struct jc_bundle_head *out_head);
int jc_bundle_read_packet(const uint8_t *bytes, size_t length, struct jc_packet_head *out_head,
	const uint8_t **out_payload, size_t *out_length);

#endif
