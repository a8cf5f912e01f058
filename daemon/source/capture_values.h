/* The values of channels in the captures of a body: of the source itself, and those that another
 * source lends, such as the face that a phone sees. */
#ifndef JC_CAPTURE_VALUES_H
#define JC_CAPTURE_VALUES_H

#include <stddef.h>
#include <stdint.h>

#include "jointcast/capture.h"
#include "jointcast/limits.h"
#include "source/source.h"

/* Channels that another source lends to a body. */
struct jc_capture_loan {
	const void *lender; /* identifies a lender */
	size_t count;       /* of channels */
	const char *const *names;
	const float *values; /* of all of them */
};

/* The channels of one body; all zeros at first. */
struct jc_capture_values {
	float newest[JC_LIMIT_CAPTURE_VALUES];
	size_t count; /* of values of all channels */
	size_t channel_count;
	char *names[JC_LIMIT_MOTION_CHANNELS];     /* owned */
	size_t at[JC_LIMIT_MOTION_CHANNELS];       /* index of the first value of each channel */
	size_t own_count;                          /* channels of the source itself, */
	uint16_t own[JC_LIMIT_MOTION_CHANNELS];    /* which these are */
	const void *lender;                        /* NULL: no channels are lent */
	int64_t lent_ns;                           /* time of the last loan */
	size_t lent_count;                         /* lent channels, */
	uint16_t lent[JC_LIMIT_STREAM_VALUES];     /* which these are, */
	float lent_values[JC_LIMIT_STREAM_VALUES]; /* and their values */
};

void jc_capture_values_finish(struct jc_capture_values *values);

/* Appends a channel of the source itself. Returns 0, JC_ERROR_LIMIT or JC_ERROR_MEMORY. */
int jc_capture_values_add(
	struct jc_capture_values *values, struct jc_source *source, const char *name);

/* As jc_capture_intake_lend. */
int jc_capture_values_lend(struct jc_capture_values *values, struct jc_source *source,
	const struct jc_capture_loan *loan, int64_t now_ns);

/* Gives a capture of that time its values. own: of the source's own channels, or NULL: they stay as
 * they are. */
void jc_capture_values_fill(const struct jc_capture_values *values, const float *own,
	int64_t time_ns, struct jc_capture *capture);

/* Takes the values of a capture, if it has any. */
void jc_capture_values_take(struct jc_capture_values *values, const struct jc_capture *capture);

#endif
