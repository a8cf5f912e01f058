/* Tests the figures of a process: the text of proc(5) with hostile names of programs, and the
 * test's own figures against other sources. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"
#include "jointcast/error.h"
#include "unit_test.h"

/* Fields 4 to 52 as Linux 6.1 writes them: user 250, system 150, start 123456, size 8192000 bytes,
 * 300 pages. */
#define FIELDS                                                                                     \
	" S 1 1 1 0 -1 4194560 10 0 0 0 250 150 0 0 20 0 5 0 123456 8192000 300 "                  \
	"18446744073709551615 1 1 0 0 0 0 0 16781312 134217730 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 "  \
	"0 0\n"

static void reads_the_fields_behind_any_name(void **)
{
	static const char *const names[] = { "(jointcastd)", "(a b)", "())", "() S 1 1)", "(\n)",
		"((x) R 9 9 9)" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char text[512];
		struct jc_process_use use;

		snprintf(text, sizeof(text), "42 %s" FIELDS, names[i]);
		assert_int_equal(jc_process_parse(text, 4096, 100, &use), JC_OK);
		assert_true(use.cpu_seconds == 4.0);
		assert_true(use.started_boot_s == 1234.56);
		assert_int_equal(use.virtual_bytes, 8192000);
		assert_int_equal(use.resident_bytes, 300 * 4096);
	}
}

static void refuses_other_texts(void **)
{
	static const char *const texts[] = { "", "42", "42 (a", "42 (a)", "42 (a) S 1",
		"42 (a) S 1 1 1 0 -1 4194560 10 0 0 0 x 150 0 0 20 0 5 0 123456 8192000 300",
		"42 (a) S 1 1 1 0 -1 4194560 10 0 0 0 250 150 0 0 20 0 5 0 123456 8192000 -1" };
	struct jc_process_use use;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(jc_process_parse(texts[i], 4096, 100, &use), JC_ERROR_INVALID);
	assert_int_equal(jc_process_parse("1 (a)" FIELDS, 0, 100, &use), JC_ERROR_INVALID);
	assert_int_equal(jc_process_parse("1 (a)" FIELDS, 4096, 0, &use), JC_ERROR_INVALID);
}

static void counts_what_the_process_uses(void **)
{
	struct jc_process_use before, after;
	struct rlimit limit;
	volatile char *block;
	size_t size = 32 << 20;
	int fds[5];

	assert_int_equal(jc_process_read(&before), JC_OK);
	for (int i = 0; i < 5; i++)
		fds[i] = open("/dev/null", O_RDONLY);
	block = malloc(size);
	assert_non_null(block);
	for (size_t i = 0; i < size; i += 1024)
		block[i] = 1;
	/* Until the processor time, which has a resolution of a tick, has grown. */
	do
		assert_int_equal(jc_process_read(&after), JC_OK);
	while (after.cpu_seconds <= before.cpu_seconds);
	assert_int_equal(after.open_files, before.open_files + 5);
	assert_true(after.resident_bytes >= before.resident_bytes + size / 2);
	assert_true(after.virtual_bytes >= after.resident_bytes);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_true(after.max_files == limit.rlim_cur);
	assert_true(after.started_boot_s == before.started_boot_s);
	for (int i = 0; i < 5; i++)
		close(fds[i]);
	free((void *)block);
}

static void started_within_the_last_hour(void **)
{
	double started = jc_process_started_s();

	assert_true(started <= (double)time(NULL) + 1.0);
	assert_true(started > (double)time(NULL) - 3600.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_fields_behind_any_name),
		cmocka_unit_test(refuses_other_texts),
		cmocka_unit_test(counts_what_the_process_uses),
		cmocka_unit_test(started_within_the_last_hour),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
