/* Writes a recording again record by record; a function writes its messages. */
#ifndef JC_RECORDING_REWRITING_H
#define JC_RECORDING_REWRITING_H

#include "jointcast/mcap_reader.h"
#include "jointcast/mcap_writer.h"

/* Creates a writer for a copy of the file with this index, with its profile. */
int jc_rewriting_create_writer(const struct jc_mcap_index *index, const char *library,
	const struct jc_mcap_sink *sink, struct jc_mcap_writer **out_writer);

/* Copies all records of the input to the writer and ends it. `pass` writes what shall stay of a
 * message, or returns a negative enum jc_error. */
int jc_rewriting_run(const struct jc_mcap_input *input, struct jc_mcap_writer *writer,
	int (*pass)(void *context, const struct jc_mcap_message *message,
		struct jc_diagnostic *diagnostic),
	void *context, struct jc_diagnostic *diagnostic);

#endif
