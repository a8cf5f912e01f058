/* One pose of a subscribed body as a line of JSON. */
#ifndef JC_CLI_POSE_LINE_H
#define JC_CLI_POSE_LINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "jointcast/skeleton.h"
#include "jointcast/stream.h"

struct jc_pose_line {
	int64_t time_us; /* server time of the capture */
	uint32_t body;
	const char *name;
	bool may_record;                     /* the person's consent to recording */
	const struct jc_skeleton *skeleton;  /* for which the frame is */
	const struct jc_stream_frame *frame; /* its placement is not used */
	struct jc_placement placement;
};

/* Writes the line: time, body, name, mayRecord, and of each bone of the skeleton its rotation and
 * position. The rotation is N (skeleton.h), relative to the next bone of the line above it; that of
 * the hips is relative to the space. The position is that of the joint in the space, metres.
 * Returns JC_OK or JC_ERROR_MEMORY, and then has written nothing. */
int jc_pose_line_write(FILE *stream, const struct jc_pose_line *line);

#endif
