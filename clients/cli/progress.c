/* Prints the percentage of work on standard error when it changes. */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

struct jc_progress jc_progress_begin(const char *work, size_t count)
{
	return (struct jc_progress){
		.work = work, .count = count, .is_shown = isatty(STDERR_FILENO)
	};
}

void jc_progress_step(struct jc_progress *progress, size_t index)
{
	int percent = (int)(100.0 * (double)index / (double)progress->count);

	if (progress->is_shown && percent != progress->percent) {
		fprintf(stderr, "\r%s: %d %%", progress->work, percent);
		progress->percent = percent;
	}
}

void jc_progress_end(const struct jc_progress *progress)
{
	if (progress->is_shown) {
		fputs("\r\033[K", stderr);
	}
}
