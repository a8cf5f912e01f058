/* Reads MCAP files with pread, and writes them. */
#include "base/mcap_file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static int read_at(void *context, uint64_t offset, void *bytes, size_t length)
{
	const int *descriptor = context;

	return jc_mcap_read_whole(*descriptor, pread, offset, bytes, length);
}

bool jc_mcap_file_input(int *descriptor, struct jc_mcap_input *out_input)
{
	struct stat status;

	if (fstat(*descriptor, &status) != 0) {
		return false;
	}
	if (!S_ISREG(status.st_mode)) {
		errno = EINVAL;
		return false;
	}
	*out_input = (struct jc_mcap_input){ read_at, descriptor, (uint64_t)status.st_size };
	return true;
}

static int write_bytes(void *context, const void *bytes, size_t length)
{
	const int *descriptor = context;

	return jc_file_write_all(*descriptor, bytes, length) ? JC_OK : JC_ERROR_SPACE;
}

struct jc_mcap_sink jc_mcap_file_sink(int *descriptor)
{
	return (struct jc_mcap_sink){ write_bytes, descriptor };
}
