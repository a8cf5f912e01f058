/* The cost of a recording that a client sends, known before anything of it is unpacked: a few
 * kilobytes can be compressed from gigabytes. */
#ifndef JC_UPLOADED_RECORDING_H
#define JC_UPLOADED_RECORDING_H

#include <stddef.h>
#include <stdint.h>

#include "jointcast/error.h"

/* Checks the records of an MCAP file, which begins with the magic: the file ends with a footer, its
 * chunks unpack to at most `most` bytes together, and its summary lists each chunk at most once. A
 * file that was not closed is refused: a repair writes more than the file has. Returns 0, or a
 * negative enum jc_error with the diagnostic filled: JC_ERROR_LIMIT for too many bytes. */
int jc_uploaded_recording_check(
	const void *bytes, size_t length, uint64_t most, struct jc_diagnostic *diagnostic);

#endif
