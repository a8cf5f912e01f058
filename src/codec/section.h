/* The sections of a packet as such, and those of them that need no state:
 * placement and states. PROTOCOL.md section 4, "Sections". */
#ifndef JC_CODEC_SECTION_H
#define JC_CODEC_SECTION_H

#include <stdbool.h>

#include "jointcast/packet.h"
#include "wire.h"

void jc_section_write_head(
	struct jc_wire_writer *writer, enum jc_section section, unsigned coding, size_t size);

/* One section as it stands in a payload. */
struct jc_section_view {
	unsigned section;
	unsigned coding;
	struct jc_wire_reader content;
};

/* Reads the next section; `seen` has a bit for each that stood before and begins
 * as 0. Returns JC_OK or the error that the payload has. */
int jc_section_read(
	struct jc_wire_reader *reader, unsigned *seen, struct jc_section_view *out_view);

bool jc_section_position_is_valid(struct jc_vec3 position);
void jc_section_write_position(struct jc_wire_writer *writer, struct jc_vec3 position);
struct jc_vec3 jc_section_read_position(struct jc_wire_reader *reader);

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
