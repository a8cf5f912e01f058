/* Tests log lines and their limit. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "unit_test.h"

static void written(int pipe_end, const char *expected)
{
	char text[2048] = { 0 };

	assert_true(read(pipe_end, text, sizeof(text) - 1) > 0);
	assert_string_equal(text, expected);
}

static void line_names_the_program_and_the_error(void **)
{
	struct jc_log log;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	jc_log_init(&log, ends[1], NULL);
	jc_log_write(&log, JC_LOG_INFO, "listening on %s", "127.0.0.1:9871");
	written(ends[0], "jointcastd: listening on 127.0.0.1:9871\n");
	jc_log_write(&log, JC_LOG_ERROR, "no");
	written(ends[0], "jointcastd: error: no\n");
	close(ends[0]);
	close(ends[1]);
}

static void journal_line_has_the_level_as_prefix(void **)
{
	struct jc_log log;
	struct stat status;
	char stream[64];
	int ends[2];

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

static void text_cannot_begin_another_line(void **)
{
	struct jc_log log;
	char text[2000];
	char line[2048] = { 0 };
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	jc_log_init(&log, ends[1], NULL);
	jc_log_write(&log, JC_LOG_INFO, "hello '%s'", "a\nb\x1b[2J");
	written(ends[0], "jointcastd: hello 'a\\x0ab\\x1b[2J'\n");
	jc_log_write(&log, JC_LOG_INFO, "hello '%s'", "\u202e\u2066\u061c\ufeff\xff");
	written(ends[0], "jointcastd: hello '\\u202e\\u2066\\u061c\\ufeff\\xff'\n");
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	jc_log_write(&log, JC_LOG_INFO, "%s", text);
	assert_true(read(ends[0], line, sizeof(line)) <= 1024);
	assert_int_equal(line[strlen(line) - 1], '\n');
	close(ends[0]);
	close(ends[1]);
}

static char sent[512];

static bool take_entry(enum jc_log_level level, const char *text, const struct jc_log_about *about)
{
	snprintf(sent, sizeof(sent), "%d|%s|%s|%s|%s|%s", (int)level, text,
		about->space ? about->space : "-", about->body ? about->body : "-",
		about->source ? about->source : "-", about->state ? about->state : "-");
	return strstr(text, "as text") == NULL;
}

static void journal_entry_has_fields(void **)
{
	const struct jc_log_about about = { .space = "lobby", .source = "vmc", .state = "live" };
	struct jc_log log;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	jc_log_init(&log, ends[1], NULL);
	log.send = take_entry;
	jc_log_event(&log, JC_LOG_WARNING, &about, "vmc %d:\n%s", 39539, "a body comes in");
	assert_string_equal(sent, "4|vmc 39539:\\x0aa body comes in|lobby|-|vmc|live");
	jc_log_write(&log, JC_LOG_INFO, "ready");
	assert_string_equal(sent, "6|ready|-|-|-|-");
	jc_log_write(&log, JC_LOG_INFO, "as text, where it is not taken");
	written(ends[0], "jointcastd: as text, where it is not taken\n");
	close(ends[0]);
	close(ends[1]);
}

#define SECOND INT64_C(1000000000)

/* The number of lines of a kind that the limit allows at that time. */
static unsigned allowed_lines(
	struct jc_log_limit *limit, const char *format, int64_t now_ns, unsigned lines)
{
	unsigned count = 0;
	unsigned left_out;

	for (unsigned i = 0; i < lines; i++) {
		count += jc_log_limit_allows(limit, format, now_ns, &left_out);
	}
	return count;
}

static void limits_each_kind_of_line_separately(void **)
{
	static const char loud[] = "'%s' knocks", quiet[] = "stopping";
	struct jc_log_limit limit;
	unsigned left_out;

	assert_int_equal(jc_log_limit_init(&limit), 0);
	assert_int_equal(allowed_lines(&limit, loud, 7 * SECOND, 1000), JC_LOG_BURST);
	assert_int_equal(allowed_lines(&limit, quiet, 7 * SECOND, 1), 1);
	assert_int_equal(
		allowed_lines(&limit, loud, 8 * SECOND - 1, 1), 1); /* half a second each */
	assert_true(jc_log_limit_allows(&limit, loud, 8 * SECOND, &left_out));
	assert_int_equal(left_out, 0);
	assert_int_equal(allowed_lines(&limit, loud, 8 * SECOND, 50), 0);
	assert_true(jc_log_limit_allows(&limit, loud, 9 * SECOND, &left_out));
	assert_int_equal(left_out, 50);
	assert_int_equal(allowed_lines(&limit, loud, 1000 * SECOND, 1000), JC_LOG_BURST);
	jc_log_limit_finish(&limit);
}

static void logs_the_number_of_lines_left_out(void **)
{
	static const char format[] = "client '%s' sent hello";
	struct jc_log_limit limit;
	struct jc_log log;
	char text[512] = { 0 };
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(jc_log_limit_init(&limit), 0);
	jc_log_init(&log, ends[1], NULL);
	log.limit = &limit;
	jc_log_write(&log, JC_LOG_INFO, format, "a");
	written(ends[0], "jointcastd: client 'a' sent hello\n");
	limit.kinds[0].left_out = 3;
	jc_log_write(&log, JC_LOG_INFO, format, "b");
	assert_true(read(ends[0], text, sizeof(text) - 1) > 0);
	assert_string_equal(text, "jointcastd: 3 lines like the next one were left out\n"
				  "jointcastd: client 'b' sent hello\n");
	jc_log_limit_finish(&limit);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(line_names_the_program_and_the_error),
		cmocka_unit_test(journal_line_has_the_level_as_prefix),
		cmocka_unit_test(text_cannot_begin_another_line),
		cmocka_unit_test(journal_entry_has_fields),
		cmocka_unit_test(limits_each_kind_of_line_separately),
		cmocka_unit_test(logs_the_number_of_lines_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
