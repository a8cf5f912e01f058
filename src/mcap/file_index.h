/* Reads the summary of a file, complete or not. */
#ifndef JC_MCAP_FILE_INDEX_H
#define JC_MCAP_FILE_INDEX_H

#include "jointcast/mcap_reader.h"

/* Reads the summary only and checks its CRC; profile and library stay empty. */
int jc_mcap_index_read_summary(const struct jc_mcap_input *input, struct jc_mcap_index **out_index,
	struct jc_diagnostic *diagnostic);

#endif
