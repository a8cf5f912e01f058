/* Writes lines to a reader that may be slow or may stop. The writer waits at most a millisecond for
 * the reader to go on. One batch of lines is held at most: the owner makes the next batch when this
 * one is written. */
#ifndef JC_CLI_LINE_OUTPUT_H
#define JC_CLI_LINE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct jc_line_output {
	int file;       /* borrowed */
	FILE *stream;   /* of the batch that is made; owned, NULL: none */
	char *bytes;    /* of the batch that is written; owned */
	size_t length;  /* of the batch */
	size_t written; /* bytes of it */
};

void jc_line_output_init(struct jc_line_output *output, int file);

/* Drops the lines that wait. A line that was begun is completed first, unless the file accepts
 * nothing for a second. */
void jc_line_output_finish(struct jc_line_output *output);

/* Whether all lines are written. */
bool jc_line_output_is_idle(const struct jc_line_output *output);

/* Begins a batch; needs an idle output. Returns the stream for its lines, NULL if memory is
 * short. */
FILE *jc_line_output_begin(struct jc_line_output *output);

/* Ends the batch. Returns false if memory was short; the batch is then lost. */
bool jc_line_output_end(struct jc_line_output *output);

/* Writes until the file accepts nothing for a millisecond. Returns 0 or an errno; EPIPE if the
 * reader has closed its end, also when there is nothing to write. */
int jc_line_output_flush(struct jc_line_output *output);

#endif
