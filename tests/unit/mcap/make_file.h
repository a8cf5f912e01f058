/* Small MCAP files for tests. */
#ifndef JC_TEST_MAKE_FILE_H
#define JC_TEST_MAKE_FILE_H

#include "jointcast/mcap_writer.h"
#include "memory_sink.h"

/* Ten messages a chunk in `chunks` chunks: every `period` nanoseconds one, from
 * `period` on, on channel 1 ("/a") and 2 ("/b") in turn, each with its number as
 * a text of the given length. An attachment and metadata stand at the end. */
struct file_plan {
	unsigned parts;
	enum jc_mcap_compression compression;
	unsigned chunks;
	size_t data_length; /* 64 at most */
	uint64_t period;
	bool closed;
};

void make_file(const struct file_plan *plan, struct memory_sink *out_file);

#endif
