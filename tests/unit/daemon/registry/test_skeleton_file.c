/* Tests the files of registered skeletons that another version of the daemon wrote. */
#include "registry/skeleton_file.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit_test.h"

#define FIGURE                                                                                     \
	"{\"name\":\"f\",\"nodes\":[{\"name\":\"h\",\"translation\":[0,1,0]}],\"bones\":{"         \
	"\"hips\":0}"

struct fixture {
	struct jc_log log;
	char folder[64];
	struct jc_skeleton_file *files;
	size_t count;
};

static int setup(void **state)
{
	static struct fixture fixture;
	char path[128];

	fixture = (struct fixture){ .log.fd = -1, .folder = "/tmp/jointcast-skeleton-XXXXXX" };
	*state = &fixture;
	if (!mkdtemp(fixture.folder)) {
		return -1;
	}
	snprintf(path, sizeof(path), "%s/skeletons", fixture.folder);
	mkdir(path, 0700);
	strcat(path, "/ada");
	return mkdir(path, 0700);
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;
	char command[128];

	while (fixture->count > 0) {
		jc_skeleton_asset_destroy(fixture->files[--fixture->count].asset);
	}
	free(fixture->files);
	snprintf(command, sizeof(command), "rm -r '%s'", fixture->folder);
	return system(command);
}

static void path_of(const struct fixture *fixture, const char *name, char out_path[128])
{
	snprintf(out_path, 128, "%s/skeletons/ada/%s", fixture->folder, name);
}

/* Writes a skeleton "x" of "ada", as a version does that has `members` in the head. */
static void write_file(
	const struct fixture *fixture, const char *name, const char *members, const char *text)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned size = 0;
	char path[128];

	assert_int_equal(EVP_Digest(text, strlen(text), digest, &size, EVP_sha256(), NULL), 1);
	path_of(fixture, name, path);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fprintf(file,
		"{\"jointcast\":\"skeleton\",%s\"subject\":\"ada\",\"name\":\"%.*s\","
		"\"hash\":\"",
		members, (int)strcspn(name, "."), name);
	for (unsigned i = 0; i < size; i++) {
		fprintf(file, "%02x", digest[i]);
	}
	fprintf(file, "\"}\n%s\n", text);
	fclose(file);
}

static void load(struct fixture *fixture)
{
	assert_int_equal(jc_skeleton_files_load(fixture->folder, 8, &fixture->log, &fixture->files,
				 &fixture->count),
		JC_OK);
}

static bool is_there(const struct fixture *fixture, const char *name)
{
	char path[128];

	path_of(fixture, name, path);
	return access(path, F_OK) == 0;
}

static void members_of_another_version_are_no_damage(void **state)
{
	struct fixture *fixture = *state;

	write_file(fixture, "old.jsonl", "", FIGURE "}");
	write_file(fixture, "new.jsonl", "\"version\":1,\"tags\":[1],",
		FIGURE ",\"springs\":[{\"node\":0}]}");
	load(fixture);
	assert_int_equal(fixture->count, 2);
	/* Both hashes are those of this version's descriptor: the figures are the same. */
	assert_string_equal(fixture->files[0].asset->hash, fixture->files[1].asset->hash);
	assert_true(is_there(fixture, "old.jsonl") && is_there(fixture, "new.jsonl"));
}

static void only_damaged_files_are_set_aside(void **state)
{
	struct fixture *fixture = *state;
	char path[128];

	write_file(fixture, "later.jsonl", "\"version\":2,", FIGURE "}");
	write_file(fixture, "strange.jsonl", "\"version\":1,",
		"{\"nodes\":[{\"name\":\"h\"}],\"bones\":{\"hips\":{\"node\":0}}}");
	write_file(fixture, "torn.jsonl", "\"version\":1,", FIGURE "}");
	path_of(fixture, "torn.jsonl", path);
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(truncate(path, status.st_size - 5), 0);
	load(fixture);
	assert_int_equal(fixture->count, 0);
	assert_true(is_there(fixture, "later.jsonl") && is_there(fixture, "strange.jsonl"));
	assert_true(is_there(fixture, "torn.jsonl.damaged"));
}

static void file_of_this_version_states_its_version(void **state)
{
	struct fixture *fixture = *state;
	struct jc_diagnostic diagnostic;
	char text[512] = "";
	char path[128];

	write_file(fixture, "a.jsonl", "", FIGURE "}");
	load(fixture);
	assert_int_equal(jc_skeleton_file_save(
				 fixture->folder, "ada", "b", fixture->files[0].asset, &diagnostic),
		JC_OK);
	path_of(fixture, "b.jsonl", path);
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
	fclose(file);
	assert_non_null(strstr(text, "{\"jointcast\":\"skeleton\",\"version\":1,"));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(members_of_another_version_are_no_damage),
		TEST(only_damaged_files_are_set_aside),
		TEST(file_of_this_version_states_its_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
