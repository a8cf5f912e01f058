/* A recording over an open descriptor. */
#include "recording_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mcap_file.h"
#include "status.h"

bool jc_recording_file_is(const char *path)
{
	/* Without O_NONBLOCK a pipe of that name would wait for a writer. */
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	char magic[8];
	bool is = false;

	if (descriptor < 0) {
		return false;
	}
	if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
		is = pread(descriptor, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
		     jc_mcap_is(magic, sizeof(magic));
	}
	close(descriptor);
	return is;
}

int jc_recording_file_open(const char *path, struct jc_recording_file *file)
{
	struct jc_diagnostic diagnostic = { 0 };
	int error;

	file->descriptor = open(path, O_RDONLY | O_CLOEXEC);
	if (file->descriptor < 0) {
		return jc_report(JC_EXIT_IO, path, "%s", strerror(errno));
	}
	if (!jc_mcap_file_input(&file->descriptor, &file->input)) {
		jc_report(JC_EXIT_IO, path, "%s", strerror(errno));
		close(file->descriptor);
		return JC_EXIT_IO;
	}
	error = jc_recording_open(&file->input, &file->recording, &diagnostic);
	if (error) {
		close(file->descriptor);
		return jc_report_diagnostic(error, path, &diagnostic);
	}
	return JC_EXIT_DONE;
}

void jc_recording_file_close(struct jc_recording_file *file)
{
	jc_recording_close(file->recording);
	close(file->descriptor);
}
