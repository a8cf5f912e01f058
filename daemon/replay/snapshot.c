/* Copies a rewind buffer and makes a recording of the copy. */
#include "replay/snapshot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mcap_file.h"
#include "record/record_queue.h"

struct jc_snapshot {
	struct jc_record_queue entries;
	int64_t from_us;
	char space[JC_MAX_SPACE_NAME];
	char epoch[24];
	uint32_t hz;
	uint64_t epoch_unix_ns;
};

int jc_snapshot_create(const struct jc_space *space, const struct jc_clock *clock, int64_t from_us,
	struct jc_snapshot **out_snapshot)
{
	const struct jc_space_options *options = jc_space_options(space);
	struct jc_snapshot *snapshot = calloc(1, sizeof(*snapshot));

	if (!snapshot) {
		return JC_ERROR_MEMORY;
	}
	jc_record_queue_init(&snapshot->entries);
	snapshot->from_us = from_us;
	snapshot->hz = options->hz;
	snapshot->epoch_unix_ns = (uint64_t)clock->wall_us * 1000;
	snprintf(snapshot->space, sizeof(snapshot->space), "%s", options->name);
	snprintf(snapshot->epoch, sizeof(snapshot->epoch), "%" PRIx64, options->epoch);
	*out_snapshot = snapshot;
	return JC_OK;
}

bool jc_snapshot_put(
	struct jc_snapshot *snapshot, const struct jc_record_entry *entry, int64_t time_us)
{
	struct jc_record_entry head = *entry;

	head.time_us = time_us;
	return jc_record_queue_put(&snapshot->entries, &head, entry->bytes);
}

void jc_snapshot_destroy(struct jc_snapshot *snapshot)
{
	struct jc_record_entry *entry;

	if (!snapshot) {
		return;
	}
	while ((entry = jc_record_queue_take(&snapshot->entries)) != NULL) {
		free(entry);
	}
	free(snapshot);
}

static int write_recording(struct jc_snapshot *snapshot, int fd)
{
	const struct jc_recording_options options = {
		.library = "jointcastd",
		.space = snapshot->space,
		.epoch = snapshot->epoch,
		.tick_hz = snapshot->hz,
		.epoch_unix_ns = snapshot->epoch_unix_ns,
		.level = 1,
	};
	struct jc_mcap_sink sink = jc_mcap_file_sink(&fd);
	struct jc_recording_writer *writer;
	struct jc_record_entry *entry;
	int error = jc_recording_create(&options, snapshot->from_us, &sink, &writer);

	if (error) {
		return error;
	}
	while ((entry = jc_record_queue_take(&snapshot->entries)) != NULL) {
		error = error ? error
			      : jc_recording_write(writer, entry->topic, entry->time_us,
					entry->bytes, entry->length);
		free(entry);
	}
	error = error ? error : jc_recording_end(writer);
	jc_recording_destroy(writer);
	return error;
}

int jc_snapshot_open(struct jc_snapshot *snapshot, struct jc_replay_file **out_file,
	struct jc_diagnostic *diagnostic)
{
	int fd = memfd_create("jointcast-rewind", MFD_CLOEXEC);
	int error;

	if (fd < 0) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "%s", strerror(errno));
	}
	error = write_recording(snapshot, fd);
	if (error) {
		close(fd);
		return jc_diagnose(diagnostic, error, NULL, "%s", jc_error_name(error));
	}
	return jc_replay_file_open_descriptor(fd, "rewind", out_file, diagnostic);
}
