/* Tests tables of numbers, valid and invalid. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast_private/csv.h"
#include "unit_test.h"

static struct jc_csv *read_table(const char *text)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_csv *csv = NULL;

	if (jc_csv_read(text, strlen(text), &csv, &diagnostic)) {
		fail_msg("%s: %s", diagnostic.where, diagnostic.what);
	}
	return csv;
}

static void assert_refused(const char *text, int error, const char *what, const char *where)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_csv *csv;

	assert_int_equal(jc_csv_read(text, strlen(text), &csv, &diagnostic), error);
	assert_string_equal(diagnostic.what, what);
	assert_string_equal(diagnostic.where, where);
}

static void cells_are_numbers_or_empty(void **)
{
	struct jc_csv *csv = read_table("# about\n#\n a , b,c\n1,-2.5e-1,\n ,0.125 ,3\n");

	assert_int_equal(csv->column_count, 3);
	assert_int_equal(csv->row_count, 2);
	assert_string_equal(csv->names[0], "a");
	assert_string_equal(csv->names[2], "c");
	assert_true(csv->values[0] == 1.0 && csv->values[1] == -0.25 && isnan(csv->values[2]));
	assert_true(isnan(csv->values[3]) && csv->values[4] == 0.125 && csv->values[5] == 3.0);
	jc_csv_destroy(csv);
}

static void removes_quotes_around_names(void **)
{
	struct jc_csv *csv = read_table("\"a\", \"b\"\n1,\n");

	assert_string_equal(csv->names[0], "a");
	assert_string_equal(csv->names[1], "b");
	assert_true(csv->values[0] == 1.0 && isnan(csv->values[1]));
	jc_csv_destroy(csv);
	assert_refused("\"\"\n1\n", JC_ERROR_SYNTAX, "no name of a column: ''", "line 1");
}

static void accepts_line_ends_of_every_system(void **)
{
	struct jc_csv *csv = read_table("\xef\xbb\xbf"
					"t,u\r\n1,2\r\n\r\n3,4");

	assert_int_equal(csv->row_count, 2);
	assert_string_equal(csv->names[0], "t");
	assert_true(csv->values[3] == 4.0);
	jc_csv_destroy(csv);
}

static void rejects_invalid_tables_with_the_line(void **)
{
	assert_refused("", JC_ERROR_SYNTAX, "no name of a column: ''", "line 1");
	assert_refused("a,b\n", JC_ERROR_TRUNCATED, "the table has no row", "");
	assert_refused("a,a\n1,2\n", JC_ERROR_INVALID, "a second column 'a'", "line 1");
	assert_refused("a,,b\n1,2,3\n", JC_ERROR_SYNTAX, "no name of a column: ''", "line 1");
	assert_refused(
		"a,b\n1,2\n3\n", JC_ERROR_SYNTAX, "the row has no cell in column 'b'", "line 3");
	assert_refused("a\n1\n2,3\n", JC_ERROR_SYNTAX, "the row has more cells than columns: '3'",
		"line 3");
	assert_refused("a\n1x\n", JC_ERROR_SYNTAX, "no number: '1x'", "line 2");
	assert_refused("a\n0x10\n", JC_ERROR_SYNTAX, "no number: '0x10'", "line 2");
	assert_refused("a\nnan\n", JC_ERROR_SYNTAX, "no number: 'nan'", "line 2");
	assert_refused("a\n1e400\n", JC_ERROR_SYNTAX, "no number: '1e400'", "line 2");
	assert_refused("a\n\"1\"\n", JC_ERROR_SYNTAX, "no number: '\"1\"'", "line 2");
}

static void rejects_columns_beyond_the_limit(void **)
{
	const size_t count = JC_LIMIT_CSV_COLUMNS + 1;
	struct jc_diagnostic diagnostic = { .what = "" };
	char *text = calloc(count, 8);
	struct jc_csv *csv;
	size_t length = 0;

	assert_non_null(text);
	for (size_t i = 0; i < count; i++) {
		length += (size_t)sprintf(text + length, "c%zu,", i);
	}
	assert_int_equal(jc_csv_read(text, length - 1, &csv, &diagnostic), JC_ERROR_LIMIT);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_are_numbers_or_empty),
		cmocka_unit_test(removes_quotes_around_names),
		cmocka_unit_test(accepts_line_ends_of_every_system),
		cmocka_unit_test(rejects_invalid_tables_with_the_line),
		cmocka_unit_test(rejects_columns_beyond_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
