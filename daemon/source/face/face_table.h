/* The channels of a tracked face and the presets that follow from its shapes: the tables of
 * proto/face.json, which states their sources. */
#ifndef JC_FACE_TABLE_H
#define JC_FACE_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum {
	JC_FACE_SHAPES = 52,  /* blend shapes of ARKit, the first channels */
	JC_FACE_PRESETS = 16, /* presets of VRM 1.0, the channels after them */
	JC_FACE_CHANNELS = JC_FACE_SHAPES + JC_FACE_PRESETS,
};

/* channel `to` += weight * operand `from` */
struct jc_face_term {
	uint8_t to, from;
	float weight;
};

/* Terms of weighted sums, grouped by ascending `to`. */
struct jc_face_sums {
	const struct jc_face_term *terms;
	size_t count;
};

extern const char *const jc_face_channel_names[JC_FACE_CHANNELS]; /* "expression/…" */

/* Presets from channels with a lower index. */
extern const struct jc_face_sums jc_face_presets;

#endif
