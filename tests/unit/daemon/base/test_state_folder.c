/* Tests that the folder of an owner ends with its last file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/state_folder.h"
#include "unit_test.h"

static char state[64];

static int setup(void **)
{
	strcpy(state, "/tmp/jointcast-state-XXXXXX");
	return mkdtemp(state) ? 0 : -1;
}

static int teardown(void **)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -r '%s'", state);
	return system(command);
}

static void write_file(const char *path)
{
	struct jc_diagnostic diagnostic;

	assert_int_equal(jc_state_folder_make(state, "things", path, &diagnostic), JC_OK);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fclose(file);
}

static bool exists(const char *name)
{
	char path[96];
	struct stat status;

	snprintf(path, sizeof(path), "%s/things/%s", state, name);
	return stat(path, &status) == 0;
}

static void folder_of_an_owner_ends_with_its_last_file(void **)
{
	char one[PATH_MAX], other[PATH_MAX];
	struct jc_diagnostic diagnostic;

	assert_true(jc_state_folder_path(state, "things", "ada", "one", one));
	assert_true(jc_state_folder_path(state, "things", "ada", "other", other));
	write_file(one);
	write_file(other);
	assert_int_equal(jc_state_folder_remove(one, &diagnostic), JC_OK);
	assert_false(exists("ada/one.jsonl"));
	assert_true(exists("ada/other.jsonl"));
	assert_int_equal(jc_state_folder_remove(one, &diagnostic), JC_OK);
	assert_true(exists("ada/other.jsonl"));
	assert_int_equal(jc_state_folder_remove(other, &diagnostic), JC_OK);
	assert_false(exists("ada"));
	assert_true(exists(""));
	assert_int_equal(jc_state_folder_remove(other, &diagnostic), JC_OK);
	write_file(one);
	assert_true(exists("ada/one.jsonl"));
}

static int on_file(void *context, const char *path)
{
	assert_non_null(strstr(path, "/things/ada/one.jsonl"));
	++*(int *)context;
	return JC_OK;
}

/* A walk removes the folders that an earlier version left empty. */
static void walk_removes_empty_folders(void **)
{
	char one[PATH_MAX], incomplete[PATH_MAX], empty[PATH_MAX];
	int count = 0;

	assert_true(jc_state_folder_path(state, "things", "ada", "one", one));
	assert_true(jc_state_folder_path(state, "things", "bob", "two", incomplete));
	strcat(incomplete, ".new");
	write_file(one);
	write_file(incomplete);
	snprintf(empty, sizeof(empty), "%s/things/eve", state);
	assert_int_equal(mkdir(empty, 0700), 0);
	assert_int_equal(jc_state_folder_walk(state, "things", on_file, &count), JC_OK);
	assert_int_equal(count, 1);
	assert_true(exists("ada/one.jsonl"));
	assert_false(exists("bob"));
	assert_false(exists("eve"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			folder_of_an_owner_ends_with_its_last_file, setup, teardown),
		cmocka_unit_test_setup_teardown(walk_removes_empty_folders, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
