/* Bytes and errors of chains on clips: of rotations in local and in model space, and of the
 * positions of head, hands, feet, toes and fingertips of the built-in figure. */
#ifndef JC_TRAINING_ERRORS_H
#define JC_TRAINING_ERRORS_H

#include "clips.h"
#include "jointcast/stream.h"

struct series {
	double *values; /* owned */
	size_t count, room;
};

/* Sorts the series. part: 0 to 1. */
double series_percentile(struct series *series, double part);
double series_mean(const struct series *series);

struct errors {
	double bytes, frames;
	struct series ends;  /* mm; of fingers the last joints, relative to the hand */
	struct series model; /* degrees, of head, hands and feet in model space */
	struct series local; /* degrees, of all bones of the section */
};

/* Encodes at most `most` frames of a section of rotations and adds what it finds; the rejoin packet
 * of the first frame is not counted. Exits the process with a line when it cannot. */
void errors_measure(struct errors *errors, const struct clip *clip, unsigned coding,
	enum jc_section section, enum jc_precision precision, size_t most);
void errors_finish(struct errors *errors);

#endif
