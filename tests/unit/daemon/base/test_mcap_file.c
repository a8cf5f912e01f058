/* Tests reading of recordings from files. */
#include <stdio.h>
#include <unistd.h>

#include "base/mcap_file.h"
#include "jointcast/error.h"
#include "unit_test.h"

static void truncated_file_is_a_read_error(void **)
{
	FILE *file = tmpfile();
	struct jc_mcap_input input;
	char bytes[8];
	int descriptor;

	assert_non_null(file);
	descriptor = fileno(file);
	assert_int_equal(write(descriptor, "0123456789abcdef", 16), 16);
	assert_true(jc_mcap_file_input(&descriptor, &input));
	assert_int_equal(input.size, 16);
	assert_int_equal(input.read_at(input.context, 8, bytes, 8), JC_OK);
	assert_memory_equal(bytes, "89abcdef", 8);
	assert_int_equal(ftruncate(descriptor, 12), 0);
	assert_int_equal(input.read_at(input.context, 8, bytes, 8), JC_ERROR_READ);
	fclose(file);
	assert_int_equal(input.read_at(input.context, 0, bytes, 8), JC_ERROR_READ);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(truncated_file_is_a_read_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
