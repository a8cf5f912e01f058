/* read_at on a descriptor. */
#include "base/mcap_file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_at(void *context, uint64_t offset, void *bytes, size_t length)
{
	const int *descriptor = context;
	char *at = bytes;

	while (length > 0) {
		ssize_t count = pread(*descriptor, at, length, (off_t)offset);

		if (count < 0 && errno == EINTR) {
			continue;
		}
		if (count <= 0) {
			return JC_ERROR_READ;
		}
		at += count;
		offset += (uint64_t)count;
		length -= (size_t)count;
	}
	return JC_OK;
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
