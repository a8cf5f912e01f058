/* Tests a machine without a runtime, with and without a loader: the source lives, reports the
 * reason, and ends at once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "source/openxr/openxr_source.h"
#include "unit_test.h"

static void waits_without_a_runtime_and_reports_the_reason(void **)
{
	int pipe_of_log[2];
	char line[256] = "";
	struct jc_log log;
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_source *source;
	struct jc_source_status status;
	struct jc_source_sample sample;

	assert_int_equal(pipe(pipe_of_log), 0);
	jc_log_init(&log, pipe_of_log[1], NULL);
	setenv("XR_RUNTIME_JSON", "/nonexistent/runtime.json", 1);
	const struct jc_openxr_source_options options = { .profile = -1, .log = &log };

	assert_int_equal(jc_openxr_source_create(&options, &source, &diagnostic), JC_OK);
	/* Straight ahead in OpenXR's spaces is -Z, and on one's spot +Z. */
	assert_true(fabsf(source->start_yaw - 3.14159265f) < 1e-6f);
	do {
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
		source->ops->sample(source, jc_clock_now_ns(), &sample);
		source->ops->status(source, &status);
	} while (!status.detail[0]);
	assert_string_equal(status.kind, "openxr");
	assert_int_equal(status.condition, JC_SOURCE_WAITING);
	assert_memory_equal(status.detail, "no OpenXR ", 10);
	assert_int_equal(status.frames, 0);
	assert_int_equal(status.losses, 0);
	assert_false(sample.live);
	source->ops->destroy(source);

	ssize_t length = read(pipe_of_log[0], line, sizeof(line) - 1);

	assert_true(length > 0);
	assert_non_null(strstr(line, "openxr: waiting: no OpenXR "));
	/* One line it is. */
	assert_ptr_equal(strchr(line, '\n'), line + length - 1);
	close(pipe_of_log[0]);
	close(pipe_of_log[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_without_a_runtime_and_reports_the_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
