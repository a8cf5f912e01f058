/* Opens recordings as inputs and shows the progress of long passes over them. */
#include "files/recording_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error_report.h"
#include "jointcast/mcap_reader.h"

static int read_at(void *context, uint64_t offset, void *bytes, size_t length)
{
	const int *descriptor = context;

	return jc_mcap_read_whole(*descriptor, pread, offset, bytes, length);
}

/* False, with errno, unless the descriptor belongs to a regular file. */
static bool open_input(int *descriptor, struct jc_mcap_input *out_input)
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

bool jc_recording_file_is(const char *path)
{
	/* Without O_NONBLOCK, opening a pipe would wait for a writer. */
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
	if (!open_input(&file->descriptor, &file->input)) {
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

static int read_watched(void *context, uint64_t offset, void *bytes, size_t length)
{
	struct jc_recording_progress *progress = context;
	int percent = (int)(100.0 * (double)offset / (double)progress->file.size);

	if (progress->is_shown && percent != progress->percent) {
		fprintf(stderr, "\r%s: %d %%", progress->label, percent);
		progress->percent = percent;
	}
	return progress->file.read_at(progress->file.context, offset, bytes, length);
}

bool jc_recording_progress_begin(
	struct jc_recording_progress *progress, int *descriptor, const char *label)
{
	*progress = (struct jc_recording_progress){
		.label = label, .is_shown = isatty(STDERR_FILENO), .percent = -1
	};
	if (!open_input(descriptor, &progress->file)) {
		return false;
	}
	progress->input = (struct jc_mcap_input){ read_watched, progress, progress->file.size };
	return true;
}

void jc_recording_progress_end(struct jc_recording_progress *progress)
{
	if (progress->is_shown) {
		fputs("\r\033[K", stderr);
	}
}

static int write_output(void *context, const void *bytes, size_t length)
{
	struct jc_recording_output *output = context;

	output->status = jc_output_file_write(output->file, bytes, length);
	return output->status == JC_EXIT_DONE ? JC_OK : JC_ERROR_SPACE;
}

struct jc_mcap_sink jc_recording_output_sink(struct jc_recording_output *output)
{
	return (struct jc_mcap_sink){ write_output, output };
}

int jc_recording_file_check(const char *name, int *descriptor)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_mcap_scanner *scanner;
	struct jc_mcap_record record;
	struct jc_recording_progress progress;
	int error;

	if (!jc_recording_progress_begin(&progress, descriptor, "checking")) {
		return jc_report(JC_EXIT_IO, name, "%s", strerror(errno));
	}
	error = jc_mcap_scanner_create(&progress.input, &scanner, &diagnostic);
	if (!error) {
		do {
			error = jc_mcap_scanner_next(scanner, &record, &diagnostic);
		} while (!error);
		jc_mcap_scanner_destroy(scanner);
	}
	jc_recording_progress_end(&progress);
	if (error == JC_ERROR_ABSENT) {
		return JC_EXIT_DONE;
	}
	jc_report_diagnostic(error, name, &diagnostic);
	return JC_EXIT_IO;
}

/* One pass from an open file to another. */
static int rewrite_open(const char *in, int *descriptor, struct jc_output_file *out_file,
	const char *label,
	int (*rewrite)(void *context, const struct jc_mcap_input *input,
		const struct jc_mcap_sink *sink, struct jc_diagnostic *diagnostic),
	void *context)
{
	struct jc_recording_output output = { .file = out_file, .status = JC_EXIT_DONE };
	struct jc_mcap_sink sink = jc_recording_output_sink(&output);
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_recording_progress progress;
	int error;

	if (!jc_recording_progress_begin(&progress, descriptor, label)) {
		return jc_report(JC_EXIT_IO, in, "%s", strerror(errno));
	}
	error = rewrite(context, &progress.input, &sink, &diagnostic);
	jc_recording_progress_end(&progress);
	if (!error) {
		return jc_recording_file_check(out_file->path, &out_file->file);
	}
	return output.status != JC_EXIT_DONE ? output.status
					     : jc_report_diagnostic(error, in, &diagnostic);
}

int jc_recording_file_rewrite(const char *in, const char *out, const char *label,
	int (*rewrite)(void *context, const struct jc_mcap_input *input,
		const struct jc_mcap_sink *sink, struct jc_diagnostic *diagnostic),
	void *context)
{
	struct jc_output_file out_file;
	int descriptor = open(in, O_RDONLY | O_CLOEXEC);
	int status;

	if (descriptor < 0) {
		return jc_report(JC_EXIT_IO, in, "%s", strerror(errno));
	}
	status = jc_output_file_begin(out, &out_file);
	if (status == JC_EXIT_DONE) {
		status = rewrite_open(in, &descriptor, &out_file, label, rewrite, context);
		if (status == JC_EXIT_DONE) {
			status = jc_output_file_commit(&out_file);
		} else {
			jc_output_file_cancel(&out_file);
		}
	}
	close(descriptor);
	return status;
}
