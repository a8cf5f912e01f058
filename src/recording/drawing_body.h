/* A body of a drawing: its names in JSON, its place, its newest capture and its figure. */
#ifndef JC_RECORDING_DRAWING_BODY_H
#define JC_RECORDING_DRAWING_BODY_H

#include "drawing_figure.h"
#include "jointcast/recording.h"

struct jc_drawing_body {
	uint32_t id;
	char *frame; /* owned: SPACE/NAME, as JSON has it between quotes */
	char *label; /* owned: the displayed name, as JSON has it between quotes */
	struct jc_placement placement;
	enum jc_profile profile;
	uint8_t *capture; /* owned: JC_CAPTURE_BYTES */
	size_t capture_length;
	bool is_fresh;      /* the capture was not packed yet */
	uint64_t packed_ns; /* when it was packed first */
	bool is_drawn;      /* it was packed once: the figure is known */
	struct jc_drawing_figure figure;
};

#endif
