/* Figures as entities of foxglove.SceneUpdate. Each entity is locked to the frame of a bone or
 * joint, so that it is written once and moved by transforms. */
#ifndef JC_RECORDING_DRAWING_ENTITIES_H
#define JC_RECORDING_DRAWING_ENTITIES_H

#include "drawing_body.h"
#include "jointcast_private/mcap_bytes.h"

/* A message under construction. */
struct jc_drawing_entities {
	struct jc_mcap_buffer *buffer; /* borrowed */
	uint64_t unix_ns;
	size_t count;
};

/* Begins a message that replaces all entities of its topic. */
void jc_drawing_entities_begin(
	struct jc_drawing_entities *entities, struct jc_mcap_buffer *buffer, uint64_t unix_ns);
void jc_drawing_entities_end(struct jc_drawing_entities *entities);

/* An entity for each part of the figure: SPACE/NAME/BONE, with a sphere at its joint, a cylinder
 * and a sphere to the joint of each part below; on the head also a sphere and the name. */
void jc_drawing_entities_put(
	struct jc_drawing_entities *entities, const struct jc_drawing_body *body);

#endif
