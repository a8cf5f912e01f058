/* Samples a motion and writes it into memory. */
#include "replay/motion_recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mcap_file.h"
#include "jointcast/emulation.h"
#include "jointcast/recording.h"
#include "jointcast/skeleton.h"
#include "jointcast/solver.h"
#include "maxima.h"
#include "replay/uploaded_recording.h"

/* Seconds between the two equal frames of a motion of one frame. */
#define STILL_SECONDS 1.0

#define WINDOW_US 100000

struct sampling {
	struct jc_solver solver;
	const struct jc_motion *motion;
	double frame_seconds;
};

static void sample(void *context, size_t index, struct jc_pose *out_pose)
{
	const struct sampling *sampling = context;

	jc_solver_sample(&sampling->solver, sampling->motion,
		(double)index * sampling->frame_seconds, out_pose);
}

/* All frames of the motion, the last one at its end. */
static int write_motion(const struct jc_motion *motion, const struct jc_skeleton *skeleton,
	struct jc_written *out_file, struct jc_diagnostic *diagnostic)
{
	const struct jc_motion_info *info = jc_motion_info(motion);
	bool is_still = info->frame_count < 2 || info->duration <= 0.0;
	struct sampling sampling = { .motion = motion };
	struct jc_clip clip = {
		.motion = motion,
		.skeleton = skeleton,
		.frame_count = is_still ? 2 : info->frame_count,
		.pose = sample,
		.context = &sampling,
	};

	clip.frame_seconds =
		is_still ? STILL_SECONDS : info->duration / (double)(clip.frame_count - 1);
	sampling.frame_seconds = clip.frame_seconds;
	if (clip.frame_count > JC_MAX_MOTION_FRAMES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "%zu frames, more than %u",
			clip.frame_count, JC_MAX_MOTION_FRAMES);
	}
	jc_solver_init_motion(&sampling.solver, motion);
	return jc_write_recording(&clip, out_file, NULL, diagnostic);
}

static int record_motion(const void *bytes, size_t length, struct jc_written *out_file,
	struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton *skeleton = NULL;
	struct jc_motion *motion = NULL;
	int status = jc_motion_read(bytes, length, 0, NULL, &motion, NULL, diagnostic);

	if (status == JC_OK && (jc_emulation_complete_motion(motion, 0.0f) ||
				       jc_skeleton_create_builtin(&skeleton))) {
		status = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	if (status == JC_OK) {
		status = write_motion(motion, skeleton, out_file, diagnostic);
	}
	jc_skeleton_destroy(skeleton);
	jc_motion_destroy(motion);
	return status;
}

/* A replay delivers what a tick covers at once, between the ticks of all spaces. */
static int check_density(const struct jc_recording *recording, struct jc_diagnostic *diagnostic)
{
	struct jc_recording_page *page;
	int64_t window = INT64_MIN;
	size_t messages = 0, bytes = 0;
	int status = JC_OK;

	for (size_t i = 0; status == JC_OK && i < jc_recording_page_count(recording); i++) {
		if (jc_recording_read_page(recording, i, &page) != JC_OK) {
			return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		}
		for (size_t k = 0; status == JC_OK && k < page->message_count; k++) {
			const struct jc_recorded_message *message = &page->messages[k];
			bool is_same = message->time_us / WINDOW_US == window;

			window = message->time_us / WINDOW_US;
			messages = is_same ? messages + 1 : 1;
			bytes = is_same ? bytes + message->length : message->length;
			if (messages > JC_MAX_MOTION_MESSAGES || bytes > JC_MAX_MOTION_BYTES) {
				status = jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
					"more than %u messages or %u MiB in 0.1 s",
					JC_MAX_MOTION_MESSAGES, JC_MAX_MOTION_BYTES >> 20);
			}
		}
		jc_recording_page_destroy(page);
	}
	return status;
}

static int keep_in_memory(const void *bytes, size_t length, const char *name,
	struct jc_replay_file **out_file, struct jc_diagnostic *diagnostic)
{
	int fd = memfd_create("jointcast-motion", MFD_CLOEXEC);
	struct jc_mcap_sink sink;

	if (fd < 0) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "%s", strerror(errno));
	}
	sink = jc_mcap_file_sink(&fd);
	if (sink.write(sink.context, bytes, length) != JC_OK) {
		close(fd);
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	struct jc_replay_file *file;
	int status = jc_replay_file_open_descriptor(fd, name, &file, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	status = check_density(jc_replay_file_recording(file), diagnostic);
	if (status != JC_OK) {
		jc_replay_file_close(file);
		return status;
	}
	*out_file = file;
	return JC_OK;
}

int jc_motion_recording_open(const void *bytes, size_t length, const char *name,
	struct jc_replay_file **out_file, struct jc_diagnostic *diagnostic)
{
	struct jc_written written;

	int status;

	if (jc_mcap_is(bytes, length)) {
		status = jc_uploaded_recording_check(
			bytes, length, JC_MAX_MOTION_UNPACKED, diagnostic);
		return status == JC_OK ? keep_in_memory(bytes, length, name, out_file, diagnostic)
				       : status;
	}
	status = record_motion(bytes, length, &written, diagnostic);

	if (status == JC_OK) {
		status = keep_in_memory(written.bytes, written.length, name, out_file, diagnostic);
		free(written.bytes);
	}
	return status;
}
