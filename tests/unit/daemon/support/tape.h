/* Records a space of a test to a file. Nominal time 0 of ticks is server time 0. */
#ifndef JC_TEST_TAPE_H
#define JC_TEST_TAPE_H

#include <limits.h>
#include <stdbool.h>

#include "record/recorder.h"

struct tape {
	char folder[64];
	char path[PATH_MAX]; /* of the file, once it has ended */
	struct jc_clock clock;
	struct jc_log log;
	uv_loop_t loop;
	struct jc_recorder *recorder;
	bool has_ended;
};

/* From the next tick on, body frames too; packets: those as well. */
void tape_begin(struct tape *tape, struct jc_space *space, bool packets);

/* Between ticks: writes what waits. */
void tape_turn(struct tape *tape);

/* All is written, in one file. */
void tape_end(struct tape *tape);
void tape_remove(struct tape *tape);

#endif
