/* The progress of long work, as a line that a terminal overwrites. */
#ifndef JC_CLI_PROGRESS_H
#define JC_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct jc_progress {
	const char *work; /* "converting"; borrowed */
	size_t count;     /* of all steps */
	bool is_shown;    /* standard error is a terminal */
	int percent;      /* that the terminal shows */
};

struct jc_progress jc_progress_begin(const char *work, size_t count);
void jc_progress_step(struct jc_progress *progress, size_t index);
void jc_progress_end(const struct jc_progress *progress);

#endif
