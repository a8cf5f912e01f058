/* Long files take their time: a line says how far it is. */
#include "mcap_watch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "jointcast/mcap_reader.h"
#include "status.h"

static int read_watched(void *context, uint64_t offset, void *bytes, size_t length)
{
	struct jc_mcap_watch *watch = context;
	int percent = (int)(100.0 * (double)offset / (double)watch->file.size);

	if (watch->is_shown && percent != watch->percent) {
		fprintf(stderr, "\r%s: %d %%", watch->label, percent);
		watch->percent = percent;
	}
	return watch->file.read_at(watch->file.context, offset, bytes, length);
}

bool jc_mcap_watch_begin(struct jc_mcap_watch *watch, int *descriptor, const char *label)
{
	*watch = (struct jc_mcap_watch){
		.label = label, .is_shown = isatty(STDERR_FILENO), .percent = -1
	};
	if (!jc_mcap_file_input(descriptor, &watch->file)) {
		return false;
	}
	watch->input = (struct jc_mcap_input){ read_watched, watch, watch->file.size };
	return true;
}

void jc_mcap_watch_end(struct jc_mcap_watch *watch)
{
	if (watch->is_shown) {
		fputs("\r\033[K", stderr);
	}
}

static int write_output(void *context, const void *bytes, size_t length)
{
	struct jc_mcap_output *output = context;

	output->status = jc_replacement_write(output->replacement, bytes, length);
	return output->status == JC_EXIT_DONE ? JC_OK : JC_ERROR_SPACE;
}

struct jc_mcap_sink jc_mcap_output_sink(struct jc_mcap_output *output)
{
	return (struct jc_mcap_sink){ write_output, output };
}

int jc_mcap_watch_check(const char *name, int *descriptor)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_mcap_scanner *scanner;
	struct jc_mcap_record record;
	struct jc_mcap_watch watch;
	int error;

	if (!jc_mcap_watch_begin(&watch, descriptor, "checking")) {
		return jc_report(JC_EXIT_IO, name, "%s", strerror(errno));
	}
	error = jc_mcap_scanner_create(&watch.input, &scanner, &diagnostic);
	if (!error) {
		do {
			error = jc_mcap_scanner_next(scanner, &record, &diagnostic);
		} while (!error);
		jc_mcap_scanner_destroy(scanner);
	}
	jc_mcap_watch_end(&watch);
	if (error == JC_ERROR_ABSENT) {
		return JC_EXIT_DONE;
	}
	jc_report_diagnostic(error, name, &diagnostic);
	return JC_EXIT_IO;
}
