/* Section heads of a packet, and the sections without state: placement and states.
 * proto/BUNDLES.md, "Sections". */
#ifndef JC_CODEC_SECTION_H
#define JC_CODEC_SECTION_H

#include <stdbool.h>

#include "jointcast/packet.h"
#include "wire.h"

void jc_section_write_head(
	struct jc_wire_writer *writer, enum jc_section section, unsigned coding, size_t size);

/* The coding of a section that stands in its packet without a head: 1, or that of the stream. */
#define JC_CODING_OF_STREAM 16

/* Collects the sections of a stream for a packet. */
struct jc_section_set {
	unsigned coding;                /* of the chains */
	struct jc_wire_writer contents; /* one after the other */
	unsigned present;               /* bit = enum jc_section */
	size_t from[JC_SECTION_END], to[JC_SECTION_END];
	uint8_t bytes[JC_LIMIT_PACKET_BYTES];
};

void jc_section_set_init(struct jc_section_set *set, unsigned coding);
/* Bytes written between the two calls are the content of the section; an empty section is omitted.
 */
struct jc_wire_writer *jc_section_set_open(struct jc_section_set *set, enum jc_section section);
void jc_section_set_close(struct jc_section_set *set, enum jc_section section);
void jc_section_set_add(
	struct jc_section_set *set, enum jc_section section, const uint8_t *bytes, size_t length);
void jc_section_set_add_placement(struct jc_section_set *set, const struct jc_placement *placement);
void jc_section_set_add_states(struct jc_section_set *set, uint64_t known, uint64_t estimated);
/* Each returns the bytes written or JC_ERROR_SPACE. */
int jc_section_set_write_list(
	const struct jc_section_set *set, uint8_t *out_bytes, size_t capacity);
int jc_section_set_write(const struct jc_section_set *set, uint8_t *out_bytes, size_t capacity,
	enum jc_shape *out_shape); /* in the shape that takes the least */

/* One section as it stands in a payload. */
struct jc_section_view {
	unsigned section;
	unsigned coding; /* or JC_CODING_OF_STREAM */
	struct jc_wire_reader content;
};

/* Iterates over the sections of a payload. */
struct jc_section_walk {
	struct jc_wire_reader reader;
	enum jc_shape shape;
	unsigned seen; /* bit = section */
	unsigned left; /* remaining sections of the shape; not for a list */
};

struct jc_section_walk jc_section_walk_init(
	enum jc_shape shape, const uint8_t *bytes, size_t length);

/* Returns 1 and the next section, 0 at the end, or a negative error. */
int jc_section_next(struct jc_section_walk *walk, struct jc_section_view *out_view);

bool jc_section_position_is_valid(struct jc_vec3 position);
void jc_section_write_position(struct jc_wire_writer *writer, struct jc_vec3 position);
struct jc_vec3 jc_section_read_position(struct jc_wire_reader *reader);

/* The content of sections; the caller writes the heads. */
bool jc_section_placement_is_valid(const struct jc_placement *placement);
void jc_section_write_placement(
	struct jc_wire_writer *writer, const struct jc_placement *placement);
struct jc_placement jc_section_read_placement(struct jc_wire_reader *reader);

/* How well bones are known: masks with bit = enum jc_bone, `estimated` within
 * `known`. */
void jc_section_write_states(struct jc_wire_writer *writer, uint64_t known, uint64_t estimated);
int jc_section_read_states(
	struct jc_wire_reader *reader, uint8_t out_states[JC_BONE_COUNT]); /* enum jc_state */

#endif
