/* Runs the real recorder on a loop that the test turns. */
#include "tape.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "unit_test.h"

static void on_ended(void *context, struct jc_recorder *recorder)
{
	((struct tape *)context)->has_ended = true;
	jc_recorder_destroy(recorder);
}

void tape_begin(struct tape *tape, struct jc_space *space, bool packets)
{
	struct jc_record_settings settings = JC_RECORD_DEFAULTS;

	*tape = (struct tape){ .folder = "/tmp/jointcast-tape-XXXXXX",
		.clock = { .wall_us = INT64_C(1700000000000000) } };
	assert_non_null(mkdtemp(tape->folder));
	assert_int_equal(uv_loop_init(&tape->loop), 0);
	jc_log_init(&tape->log, STDERR_FILENO, NULL);
	snprintf(settings.folder, sizeof(settings.folder), "%s", tape->folder);
	settings.raw = true;
	settings.packets = packets;
	const struct jc_recorder_options options = { .settings = &settings,
		.name = "lobby",
		.space = space,
		.loop = &tape->loop,
		.clock = &tape->clock,
		.log = &tape->log,
		.disk = &jc_record_real_disk,
		.on_ended = on_ended,
		.context = tape };

	assert_int_equal(jc_recorder_create(&options, &tape->recorder), JC_OK);
}

void tape_turn(struct tape *tape)
{
	uv_run(&tape->loop, UV_RUN_NOWAIT);
}

void tape_end(struct tape *tape)
{
	char pattern[sizeof(tape->folder) + 8];
	glob_t files;

	jc_recorder_stop(tape->recorder);
	uv_run(&tape->loop, UV_RUN_DEFAULT);
	assert_true(tape->has_ended);
	assert_int_equal(uv_loop_close(&tape->loop), 0);
	snprintf(pattern, sizeof(pattern), "%s/*.mcap", tape->folder);
	assert_int_equal(glob(pattern, 0, NULL, &files), 0);
	assert_int_equal(files.gl_pathc, 1);
	snprintf(tape->path, sizeof(tape->path), "%s", files.gl_pathv[0]);
	globfree(&files);
}

void tape_remove(struct tape *tape)
{
	unlink(tape->path);
	rmdir(tape->folder);
}
