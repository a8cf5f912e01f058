/* Lines of the log. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"

static void written(int pipe_end, const char *expected)
{
	char text[2048] = { 0 };

	assert_true(read(pipe_end, text, sizeof(text) - 1) > 0);
	assert_string_equal(text, expected);
}

static void a_line_names_the_daemon_and_what_went_wrong(void **state)
{
	struct jc_log log;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	jc_log_init(&log, ends[1], NULL);
	jc_log_write(&log, JC_LOG_INFO, "listening on %s", "127.0.0.1:9871");
	written(ends[0], "jointcastd: listening on 127.0.0.1:9871\n");
	jc_log_write(&log, JC_LOG_ERROR, "no");
	written(ends[0], "jointcastd: error: no\n");
	close(ends[0]);
	close(ends[1]);
}

static void the_journal_gets_the_level_as_a_prefix(void **state)
{
	struct jc_log log;
	struct stat status;
	char stream[64];
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(fstat(ends[1], &status), 0);
	snprintf(stream, sizeof(stream), "%ju:%ju", (uintmax_t)status.st_dev,
		(uintmax_t)status.st_ino);
	jc_log_init(&log, ends[1], stream);
	jc_log_write(&log, JC_LOG_WARNING, "no viewer");
	written(ends[0], "<4>no viewer\n");
	jc_log_init(&log, ends[1], "1:2");
	assert_false(log.journal);
	close(ends[0]);
	close(ends[1]);
}

static void nothing_in_a_line_makes_another(void **state)
{
	struct jc_log log;
	char text[2000];
	char line[2048] = { 0 };
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	jc_log_init(&log, ends[1], NULL);
	jc_log_write(&log, JC_LOG_INFO, "hello '%s'", "a\nb\x1b[2J");
	written(ends[0], "jointcastd: hello 'a?b?[2J'\n");
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	jc_log_write(&log, JC_LOG_INFO, "%s", text);
	assert_true(read(ends[0], line, sizeof(line)) <= 1024);
	assert_int_equal(line[strlen(line) - 1], '\n');
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_names_the_daemon_and_what_went_wrong),
		cmocka_unit_test(the_journal_gets_the_level_as_a_prefix),
		cmocka_unit_test(nothing_in_a_line_makes_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
