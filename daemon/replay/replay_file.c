/* Reads the pages of a recording: one job at a time reads the file on the thread pool; only the
 * loop uses the cached pages. */
#include "replay/replay_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/job.h"
#include "base/mcap_file.h"
#include "jointcast/mcap_recovery.h"
#include "maxima.h"
#include "replay/replay_skeletons.h"

#define PAGES  16u /* maximum in memory */
#define WANTED 8u  /* maximum of pages that wait to be read */

struct jc_replay_file {
	int fd; /* owned */
	struct jc_mcap_input input;
	struct jc_recording *recording; /* owned */
	struct jc_replay_skeletons assets;
	uv_loop_t *loop;              /* borrowed; NULL: pages are not read ahead */
	const struct jc_log *log;     /* borrowed; NULL: no log */
	struct jc_diagnostic problem; /* repaired damage, for the log */
	char name[64];                /* for the log */
	size_t page_count, page_bytes;
	struct {
		struct jc_recording_page *page; /* owned */
		uint64_t used;                  /* greater: used later */
	} pages[PAGES];
	uint64_t uses;
	size_t wanted_count;
	size_t wanted[WANTED];
	struct jc_job job;
	size_t reading;                 /* page that the job reads */
	struct jc_recording_page *read; /* result of the job */
};

static int write_repaired(void *context, const void *bytes, size_t length)
{
	return fwrite(bytes, 1, length, context) == length ? JC_OK : JC_ERROR_SPACE;
}

static int measure(struct jc_replay_file *file, struct jc_diagnostic *diagnostic)
{
	if (jc_mcap_file_input(&file->fd, &file->input)) {
		return JC_OK;
	}
	return errno == EINVAL
		       ? jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "is not a regular file")
		       : jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL, "%s", strerror(errno));
}

/* Replaces an unfinished file by a repaired copy in a temporary file. */
static int repair(struct jc_replay_file *file, struct jc_diagnostic *diagnostic)
{
	FILE *repaired = tmpfile();
	struct jc_mcap_sink sink = { write_repaired, repaired };
	struct jc_mcap_recovery recovery;
	int error;

	if (!repaired) {
		return jc_diagnose(diagnostic, JC_ERROR_SPACE, NULL, "%s", strerror(errno));
	}
	error = jc_mcap_recover(&file->input, "jointcastd", &sink, &recovery, diagnostic);
	if (!error && fflush(repaired) != 0) {
		error = jc_diagnose(diagnostic, JC_ERROR_SPACE, NULL, "%s", strerror(errno));
	}
	if (!error) {
		jc_diagnose(&file->problem, JC_ERROR_TRUNCATED, NULL,
			"is incomplete: replayed up to the damage, %s%.3f s lost",
			recovery.is_estimate ? "about " : "", (double)recovery.lost_ns * 1e-9);
		close(file->fd);
		file->fd = fcntl(fileno(repaired), F_DUPFD_CLOEXEC, 0);
		error = file->fd < 0 ? jc_diagnose(diagnostic, JC_ERROR_SPACE, NULL, "%s",
					       strerror(errno))
				     : measure(file, diagnostic);
	}
	fclose(repaired);
	return error;
}

static int open_recording(struct jc_replay_file *file, struct jc_diagnostic *diagnostic)
{
	int error = measure(file, diagnostic);

	error = error ? error : jc_recording_open(&file->input, &file->recording, diagnostic);
	if (error == JC_ERROR_TRUNCATED) {
		error = repair(file, diagnostic);
		error = error ? error
			      : jc_recording_open(&file->input, &file->recording, diagnostic);
	}
	error = error ? error : jc_recording_expect_bodies(file->recording, diagnostic);
	if (!error) {
		jc_replay_skeletons_read(file->recording, &file->assets);
	}
	return error;
}

static void destroy(void *data)
{
	struct jc_replay_file *file = data;

	for (size_t i = 0; i < file->page_count; i++) {
		jc_recording_page_destroy(file->pages[i].page);
	}
	jc_recording_page_destroy(file->read);
	jc_replay_skeletons_finish(&file->assets);
	jc_recording_close(file->recording);
	if (file->fd >= 0) {
		close(file->fd);
	}
	free(file);
}

int jc_replay_file_open_descriptor(int fd, const char *name, struct jc_replay_file **out_file,
	struct jc_diagnostic *diagnostic)
{
	struct jc_replay_file *file = calloc(1, sizeof(*file));
	int error;

	if (!file) {
		close(fd);
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	snprintf(file->name, sizeof(file->name), "%s", name);
	file->fd = fd;
	error = open_recording(file, diagnostic);
	if (error) {
		destroy(file);
		return error;
	}
	*out_file = file;
	return JC_OK;
}

int jc_replay_file_open(
	const char *path, struct jc_replay_file **out_file, struct jc_diagnostic *diagnostic)
{
	const char *slash = strrchr(path, '/');
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL, "%s", strerror(errno));
	}
	return jc_replay_file_open_descriptor(fd, slash ? slash + 1 : path, out_file, diagnostic);
}

void jc_replay_file_attach(struct jc_replay_file *file, uv_loop_t *loop, const struct jc_log *log)
{
	const struct jc_recording_session *session = jc_recording_session(file->recording);

	file->loop = loop;
	file->log = log;
	if (log && file->problem.what[0]) {
		jc_log_diagnostic(log, file->name, &file->problem);
	}
	if (log && session->damage_count > 0) {
		jc_log_diagnostic(log, file->name, &session->damage);
	}
	if (log && file->assets.unusable > 0) {
		jc_log_diagnostic(log, file->name, &file->assets.problem);
	}
}

void jc_replay_file_keep_skeletons(
	struct jc_replay_file *file, struct jc_skeleton_table *skeleton_table)
{
	jc_replay_skeletons_keep(&file->assets, skeleton_table);
}

const char *jc_replay_file_name(const struct jc_replay_file *file)
{
	return file->name;
}

void jc_replay_file_close(struct jc_replay_file *file)
{
	if (!file) {
		return;
	}
	jc_replay_skeletons_finish(&file->assets);
	if (!jc_job_abandon(&file->job)) {
		destroy(file);
	}
}

const struct jc_recording *jc_replay_file_recording(const struct jc_replay_file *file)
{
	return file->recording;
}

static void evict(struct jc_replay_file *file)
{
	size_t oldest = 0;

	for (size_t i = 1; i < file->page_count; i++) {
		if (file->pages[i].used < file->pages[oldest].used) {
			oldest = i;
		}
	}
	file->page_bytes -= file->pages[oldest].page->bytes;
	jc_recording_page_destroy(file->pages[oldest].page);
	file->pages[oldest] = file->pages[--file->page_count];
}

/* Stores a page; drops the least recently used pages. */
static void keep(struct jc_replay_file *file, struct jc_recording_page *page)
{
	while (file->page_count == PAGES ||
		(file->page_count >= JC_REPLAY_FILE_PAGES &&
			file->page_bytes + page->bytes > JC_MAX_REPLAY_CACHE)) {
		evict(file);
	}
	file->page_bytes += page->bytes;
	file->pages[file->page_count].page = page;
	file->pages[file->page_count++].used = ++file->uses;
	if (page->error && file->log) {
		int64_t from_us = jc_recording_session(file->recording)->from_us;

		jc_log_write(file->log, JC_LOG_WARNING, "recording '%s': damaged at %.3f s: %s, %s",
			file->name,
			(double)(jc_recording_page_from(file->recording, page->index) - from_us) *
				1e-6,
			page->problem.what, page->problem.where);
	}
}

static size_t find(const struct jc_replay_file *file, size_t index)
{
	size_t i = 0;

	while (i < file->page_count && file->pages[i].page->index != index) {
		i++;
	}
	return i;
}

static void work(void *data)
{
	struct jc_replay_file *file = data;

	if (jc_recording_read_page(file->recording, file->reading, &file->read) != JC_OK) {
		file->read = NULL;
	}
}

static void begin(struct jc_replay_file *file);

static void on_worked(void *data)
{
	struct jc_replay_file *file = data;

	if (file->read) {
		keep(file, file->read);
		file->read = NULL;
	}
	begin(file);
}

static const struct jc_job_ops reading = { .work = work, .done = on_worked, .destroy = destroy };

/* Starts a job that reads the first wanted page. */
static void begin(struct jc_replay_file *file)
{
	if (jc_job_is_running(&file->job) || file->wanted_count == 0) {
		return;
	}
	file->reading = file->wanted[0];
	file->wanted_count--;
	memmove(file->wanted, file->wanted + 1, file->wanted_count * sizeof(file->wanted[0]));
	jc_job_start(&file->job, file->loop, &reading, file);
}

static bool is_wanted(const struct jc_replay_file *file, size_t index)
{
	for (size_t i = 0; i < file->wanted_count; i++) {
		if (file->wanted[i] == index) {
			return true;
		}
	}
	return jc_job_is_running(&file->job) && file->reading == index;
}

/* Adds a page to the wanted ones; `first` puts it at the front and may drop the last one. */
static void want(struct jc_replay_file *file, size_t index, bool first)
{
	if (is_wanted(file, index) || (!first && file->wanted_count == WANTED)) {
		return;
	}
	file->wanted_count -= file->wanted_count == WANTED;
	if (first) {
		memmove(file->wanted + 1, file->wanted,
			file->wanted_count * sizeof(file->wanted[0]));
	}
	file->wanted[first ? 0 : file->wanted_count] = index;
	file->wanted_count++;
	begin(file);
}

static const struct jc_recording_page *read_now(struct jc_replay_file *file, size_t index)
{
	struct jc_recording_page *page;

	if (jc_recording_read_page(file->recording, index, &page) != JC_OK) {
		return NULL;
	}
	keep(file, page);
	return page;
}

const struct jc_recording_page *jc_replay_file_page(struct jc_replay_file *file, size_t index)
{
	size_t place = find(file, index);

	if (place < file->page_count) {
		file->pages[place].used = ++file->uses;
		return file->pages[place].page;
	}
	if (!file->loop) {
		return read_now(file, index);
	}
	want(file, index, true);
	return NULL;
}

void jc_replay_file_expect(struct jc_replay_file *file, size_t index)
{
	if (file->loop && index < jc_recording_page_count(file->recording) &&
		find(file, index) == file->page_count) {
		want(file, index, false);
	}
}
