/* Tests that an upload that is not entered leaves nothing on the disk, and the time of the last use
 * of an avatar. */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "avatars/avatar_store.h"
#include "avatars/avatar_use.h"
#include "moderation/moderation.h"
#include "unit_test.h"

#define DAY_NS (INT64_C(86400) * 1000000000)

static const char figure[] =
	"{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRMC_vrm\"],"
	"\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
	"\"nodes\":[{\"name\":\"h\",\"translation\":[0,1,0]}],\"extensions\":{\"VRMC_vrm\":"
	"{\"specVersion\":\"1.0\",\"humanoid\":{\"humanBones\":{\"hips\":{\"node\":0}}}}}}";

static const struct jc_avatar_policy policy = { .upload = true,
	.max_bytes = 10000,
	.quota_bytes = 10000,
	.total_bytes = 100000,
	.keep_days = 30 };

static struct {
	uv_loop_t loop;
	struct jc_log log;
	char folder[64];
	struct jc_moderation *moderation;
	struct jc_spaces spaces;
	struct jc_avatars avatars;
	struct jc_avatar_store *store;
	bool is_answered;
	enum jc_avatar_outcome outcome;
	char reason[256];
	unsigned files;
} fixture;

static int setup(void **)
{
	const struct jc_moderation_options moderation = { .loop = &fixture.loop,
		.log = &fixture.log };
	struct jc_diagnostic diagnostic;

	memset(&fixture, 0, sizeof(fixture));
	strcpy(fixture.folder, "/tmp/jointcast-avatars-XXXXXX");
	jc_log_init(&fixture.log, -1, NULL);
	if (!mkdtemp(fixture.folder) || uv_loop_init(&fixture.loop) != 0 ||
		jc_spaces_init(&fixture.spaces, &diagnostic) != JC_OK ||
		jc_moderation_create(&moderation, &fixture.moderation, &diagnostic) != JC_OK) {
		return -1;
	}
	const struct jc_avatar_store_options options = { .state = fixture.folder,
		.policy = &policy,
		.avatars = &fixture.avatars,
		.spaces = &fixture.spaces,
		.moderation = fixture.moderation,
		.log = &fixture.log,
		.loop = &fixture.loop };

	return jc_avatar_store_create(&options, &fixture.store);
}

static int teardown(void **)
{
	char command[96];

	uv_run(&fixture.loop, UV_RUN_DEFAULT);
	jc_avatar_store_destroy(fixture.store);
	jc_avatars_finish(&fixture.avatars);
	jc_spaces_finish(&fixture.spaces);
	jc_moderation_destroy(fixture.moderation);
	snprintf(command, sizeof(command), "rm -r '%s'", fixture.folder);
	return uv_loop_close(&fixture.loop) || system(command);
}

static void on_result(void *context, const struct jc_avatar_answer *answer)
{
	(void)context;
	fixture.is_answered = true;
	fixture.outcome = answer->outcome;
	snprintf(fixture.reason, sizeof(fixture.reason), "%s", answer->diagnostic->what);
}

static void begin_upload(const char *subject)
{
	const struct jc_avatar_upload upload = { .subject = subject,
		.licence = "CC0-1.0",
		.bytes = strdup(figure),
		.length = strlen(figure) };

	fixture.is_answered = false;
	assert_int_equal(jc_avatar_store_put(fixture.store, &upload, on_result, NULL), JC_OK);
}

static enum jc_avatar_outcome end_upload(void)
{
	uv_run(&fixture.loop, UV_RUN_DEFAULT);
	assert_true(fixture.is_answered);
	return fixture.outcome;
}

static enum jc_avatar_outcome put(const char *subject)
{
	begin_upload(subject);
	return end_upload();
}

static int count_file(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)path;
	(void)status;
	(void)place;
	fixture.files += type == FTW_F;
	return 0;
}

static unsigned files_on_disk(void)
{
	fixture.files = 0;
	assert_int_equal(nftw(fixture.folder, count_file, 8, 0), 0);
	return fixture.files;
}

/* The path of a file below STATE/avatars. */
static const char *path_of(const char *owner, const char *end)
{
	static char path[256];
	struct jc_avatar_file file = { .path = NULL };
	struct jc_diagnostic diagnostic;

	assert_int_equal(
		jc_avatar_file_check(figure, strlen(figure), &file, NULL, &diagnostic), JC_OK);
	snprintf(path, sizeof(path), "%s/avatars/%s/%s%s", fixture.folder, owner, file.worn.hash,
		end);
	return path;
}

static void file_and_record_end_with_the_owner(void **)
{
	struct stat status;

	assert_int_equal(put("ada"), JC_AVATAR_NEW);
	assert_int_equal(put("bob"), JC_AVATAR_NEW);
	assert_int_equal(files_on_disk(), 3);
	assert_int_equal(
		jc_avatar_store_remove(fixture.store, fixture.avatars.list[0], NULL, NULL), JC_OK);
	uv_run(&fixture.loop, UV_RUN_DEFAULT);
	assert_int_equal(files_on_disk(), 2);
	assert_int_equal(stat(path_of("bob", ".jsonl"), &status), 0);
	char folder[256];

	snprintf(folder, sizeof(folder), "%s/avatars/ada", fixture.folder);
	assert_int_not_equal(stat(folder, &status), 0);
}

static void full_table_of_skeletons_leaves_nothing(void **)
{
	static struct jc_skeleton_asset *full[JC_MAX_SKELETON_ASSETS];
	struct jc_skeleton_table *table = &fixture.spaces.skeleton_table;
	const struct jc_skeleton_table own = *table;

	for (size_t i = 0; i < JC_MAX_SKELETON_ASSETS; i++) {
		full[i] = table->humanoid;
	}
	table->assets = full;
	table->count = table->capacity = JC_MAX_SKELETON_ASSETS;
	enum jc_avatar_outcome outcome = put("ada");

	*table = own;
	assert_int_equal(outcome, JC_AVATAR_FULL);
	assert_string_equal(fixture.reason, "there are too many skeletons");
	assert_int_equal(fixture.avatars.count, 0);
	assert_int_equal(files_on_disk(), 0);
	assert_int_equal(put("ada"), JC_AVATAR_NEW);
}

/* The configuration may add avatars while the disk is written. */
static void full_table_of_avatars_leaves_nothing(void **)
{
	static struct jc_avatar other;
	static struct jc_avatar *full[JC_MAX_AVATARS];
	const struct jc_avatars own = fixture.avatars;

	for (size_t i = 0; i < JC_MAX_AVATARS; i++) {
		full[i] = &other;
	}
	begin_upload("ada");
	/* One job of the pool, that of the check, has ended; the next one has begun. */
	uv_run(&fixture.loop, UV_RUN_ONCE);
	assert_false(fixture.is_answered);
	fixture.avatars = (struct jc_avatars){
		.count = JC_MAX_AVATARS, .capacity = JC_MAX_AVATARS, .list = full
	};
	enum jc_avatar_outcome outcome = end_upload();

	fixture.avatars = own;
	assert_int_equal(outcome, JC_AVATAR_FULL);
	assert_string_equal(fixture.reason, "there are too many avatars");
	assert_int_equal(files_on_disk(), 0);
	assert_int_equal(put("ada"), JC_AVATAR_NEW);
}

/* A folder in place of the new record: not even root can write it. */
static void failing_disk_leaves_nothing_but_what_others_have(void **)
{
	char folder[256];

	snprintf(folder, sizeof(folder), "%s/avatars", fixture.folder);
	assert_int_equal(mkdir(folder, 0700), 0);
	strcat(folder, "/ada");
	assert_int_equal(mkdir(folder, 0700), 0);
	assert_int_equal(mkdir(path_of("ada", ".jsonl.new"), 0700), 0);
	assert_int_equal(put("ada"), JC_AVATAR_FAILED);
	assert_string_equal(fixture.reason, "the disk does not take it");
	assert_int_equal(files_on_disk(), 0);
	assert_int_equal(put("bob"), JC_AVATAR_NEW);
	assert_int_equal(put("ada"), JC_AVATAR_FAILED);
	assert_int_equal(files_on_disk(), 2);
}

static void last_use_is_the_latest(void **)
{
	struct jc_avatar_claim claim = { .used_ns = 40 * DAY_NS };

	jc_avatar_use_note(&claim, 2 * DAY_NS); /* the clock was set back */
	assert_int_equal(claim.used_ns, 40 * DAY_NS);
	jc_avatar_use_note(&claim, 41 * DAY_NS);
	assert_int_equal(claim.used_ns, 41 * DAY_NS);
	assert_int_equal(jc_avatar_use_end(&claim, 30), 71 * 86400);
	assert_false(jc_avatar_use_has_ended(&claim, 30, 71 * DAY_NS));
	assert_true(jc_avatar_use_has_ended(&claim, 30, 71 * DAY_NS + 1000000000));
	/* The greatest keep_days of the configuration. */
	assert_false(jc_avatar_use_has_ended(&claim, 3650, INT64_C(315360000) * 1000000000));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(file_and_record_end_with_the_owner),
		CASE(full_table_of_skeletons_leaves_nothing),
		CASE(full_table_of_avatars_leaves_nothing),
		CASE(failing_disk_leaves_nothing_but_what_others_have),
		cmocka_unit_test(last_use_is_the_latest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
