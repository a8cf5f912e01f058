/* jointcast forget: removes a person from recordings. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "error_report.h"
#include "files/output_file.h"
#include "files/recording_file.h"
#include "jointcast/recording.h"
#include "terminal_text.h"

static const char help[] =
	"usage: jointcast forget BODY FILE.mcap|FOLDER…\n"
	"\n"
	"Removes the bodies named BODY from recordings: their motion, their entries in rosters,\n"
	"events about them, and skeletons that no other body wears. The text of markers stays;\n"
	"markers that contain the name are counted.\n"
	"\n"
	"Each file is written again and replaces the old file after it has been read back\n"
	"completely. A file without the name does not change. A damaged file does not change\n"
	"either; repair it first with 'jointcast recover'. For a folder, all recordings in it are\n"
	"processed, but not those in its subfolders.\n"
	"\n"
	"options:\n"
	"  -h, --help  print this text\n"
	"\n"
	"exit status 0: none of the files contains the name; 1: a file may still contain it, or\n"
	"no file contained it\n";

#define ENDING  ".mcap"
#define WRITING ".mcap.part"

struct forgetting {
	const char *name;
	size_t files; /* that contained the body */
	int status;   /* of the first file that failed */
};

static void fail(struct forgetting *forgetting, int status)
{
	forgetting->status = forgetting->status ? forgetting->status : status;
}

static const char *plural(uint64_t count, const char *one, const char *more)
{
	return count == 1 ? one : more;
}

static void print_removed(const char *path, const struct jc_forgotten *forgotten)
{
	jc_terminal_write(stdout, path);
	printf(": %zu %s, %" PRIu64 " %s and %zu %s taken out\n", forgotten->bodies,
		plural(forgotten->bodies, "body", "bodies"), forgotten->captures,
		plural(forgotten->captures, "capture", "captures"), forgotten->skeletons,
		plural(forgotten->skeletons, "skeleton", "skeletons"));
	if (forgotten->markers > 0) {
		jc_terminal_write(stdout, path);
		printf(": %zu %s the name\n", forgotten->markers,
			plural(forgotten->markers, "marker has", "markers have"));
	}
	fflush(stdout);
}

/* Copies the recording without the bodies of that name. Returns 0, JC_ERROR_ABSENT if no body
 * has the name, or another error. *out_status is the exit status of the command. */
static int strip(const struct forgetting *forgetting, const char *path, int *in,
	struct jc_output_file *out_file, struct jc_forgotten *out_forgotten, int *out_status)
{
	struct jc_recording_output output = { .file = out_file, .status = JC_EXIT_DONE };
	struct jc_mcap_sink sink = jc_recording_output_sink(&output);
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_recording_progress progress;
	int error;

	if (!jc_recording_progress_begin(&progress, in, path)) {
		*out_status = jc_report(JC_EXIT_IO, path, "%s", strerror(errno));
		return JC_ERROR_INVALID;
	}
	error = jc_recording_forget(&progress.input, forgetting->name, "jointcast " JC_VERSION,
		&sink, out_forgotten, &diagnostic);
	jc_recording_progress_end(&progress);
	*out_status = output.status;
	if (!error) {
		*out_status = jc_recording_file_check(path, &out_file->file);
	} else if (error != JC_ERROR_ABSENT && output.status == JC_EXIT_DONE) {
		*out_status = jc_report_diagnostic(error, path, &diagnostic);
	}
	return error;
}

static void forget_in(struct forgetting *forgetting, const char *path, int in)
{
	struct jc_output_file out_file;
	struct jc_forgotten forgotten;
	int status = jc_output_file_begin(path, &out_file);
	int error;

	if (status != JC_EXIT_DONE) {
		fail(forgetting, status);
		return;
	}
	error = strip(forgetting, path, &in, &out_file, &forgotten, &status);
	if (error || status != JC_EXIT_DONE) {
		jc_output_file_cancel(&out_file);
		fail(forgetting, status);
		return;
	}
	status = jc_output_file_commit(&out_file);
	if (status == JC_EXIT_DONE) {
		forgetting->files++;
		print_removed(path, &forgotten);
	}
	fail(forgetting, status);
}

static void forget_file(struct forgetting *forgetting, const char *path)
{
	int in = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (in < 0) {
		fail(forgetting, jc_report(JC_EXIT_IO, path, "%s", strerror(errno)));
		return;
	}
	if (flock(in, LOCK_SH | LOCK_NB) != 0) {
		fail(forgetting, jc_report(JC_EXIT_INPUT, path, "is being written"));
	} else {
		forget_in(forgetting, path, in);
	}
	close(in);
}

static bool ends_with(const char *name, const char *ending)
{
	size_t length = strlen(name);

	return length > strlen(ending) && strcmp(name + length - strlen(ending), ending) == 0;
}

static int is_listed(const struct dirent *entry)
{
	return ends_with(entry->d_name, ENDING) || ends_with(entry->d_name, WRITING);
}

static void forget_entry(struct forgetting *forgetting, const char *folder, const char *name)
{
	size_t length = strlen(folder) + strlen(name) + 2;
	char *path = malloc(length);

	if (!path) {
		fail(forgetting, jc_report(JC_EXIT_IO, folder, "out of memory"));
		return;
	}
	snprintf(path, length, "%s/%s", folder, name);
	if (ends_with(name, WRITING)) {
		fail(forgetting, jc_report(JC_EXIT_INPUT, path, "is not complete and was skipped"));
	} else {
		forget_file(forgetting, path);
	}
	free(path);
}

static void forget_folder(struct forgetting *forgetting, const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_listed, alphasort);

	if (count < 0) {
		fail(forgetting, jc_report(JC_EXIT_IO, folder, "%s", strerror(errno)));
		return;
	}
	for (int i = 0; i < count; i++) {
		forget_entry(forgetting, folder, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
}

static int run(int argc, char **argv)
{
	struct forgetting forgetting = { .status = JC_EXIT_DONE };
	int status =
		jc_command_read(&jc_command_forget, argc, argv, &(struct jc_option){ 0 }, NULL);

	if (status != JC_EXIT_DONE) {
		return status;
	}
	if (argc - optind < 2 || !argv[optind][0]) {
		return jc_command_misuse(
			&jc_command_forget, "needs the name of a body, and recordings or folders");
	}
	forgetting.name = argv[optind];
	for (int i = optind + 1; i < argc; i++) {
		struct stat at;

		if (stat(argv[i], &at) == 0 && S_ISDIR(at.st_mode)) {
			forget_folder(&forgetting, argv[i]);
		} else {
			forget_file(&forgetting, argv[i]);
		}
	}
	if (forgetting.files == 0 && forgetting.status == JC_EXIT_DONE) {
		return jc_report(JC_EXIT_INPUT, argv[optind + 1],
			"no recording contains the body '%.80s'", argv[optind]);
	}
	return forgetting.status;
}

const struct jc_command jc_command_forget = {
	.name = "forget",
	.summary = "remove a person from recordings",
	.help = help,
	.run = run,
};
