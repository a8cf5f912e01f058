/* Motions for training, as normalised rotations at or below their captured rate. */
#ifndef JC_TRAINING_CLIPS_H
#define JC_TRAINING_CLIPS_H

#include <stddef.h>

#include "jointcast/humanoid.h"

#define RATE_COUNT 3
extern const int rates[RATE_COUNT]; /* Hz */

struct clip {
	const char *name; /* borrowed: the argument */
	int rate;         /* index */
	size_t count;
	struct jc_quat (*frames)[JC_BONE_COUNT]; /* owned */
	struct jc_vec3 *hips; /* owned: translations of the built-in figure, metres */
};

/* name is a file, "demo:NAME", or either after "noise:", which adds noise of trackers. Clips are
 * appended for each rate; exits the process with a line when it cannot. */
void clips_load(const char *name, struct clip *clips, size_t *count, size_t capacity);

#endif
