/* Tests registered skeletons: finding, removing, and storing them, also with damaged files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "registry/registry.h"
#include "unit_test.h"

struct fixture {
	uv_loop_t loop;
	struct jc_skeleton_table skeleton_table;
	struct jc_log log;
	char folder[64];
	struct jc_registry_options options;
	struct jc_registry *registry;
};

static void open_registry(struct fixture *fixture)
{
	struct jc_diagnostic diagnostic;

	assert_int_equal(jc_skeleton_table_init(&fixture->skeleton_table, &diagnostic), JC_OK);
	assert_int_equal(jc_registry_create(&fixture->options, &fixture->registry), JC_OK);
}

static void close_registry(struct fixture *fixture)
{
	uv_run(&fixture->loop, UV_RUN_DEFAULT);
	jc_registry_destroy(fixture->registry);
	assert_int_equal(fixture->skeleton_table.count, 1);
	jc_skeleton_table_finish(&fixture->skeleton_table);
}

static void reopen(struct fixture *fixture)
{
	close_registry(fixture);
	open_registry(fixture);
}

static int setup(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){ .log.fd = -1, .folder = "/tmp/jointcast-registry-XXXXXX" };
	if (!mkdtemp(fixture.folder) || uv_loop_init(&fixture.loop) != 0) {
		return -1;
	}
	fixture.options = (struct jc_registry_options){ .state = fixture.folder,
		.skeleton_table = &fixture.skeleton_table,
		.log = &fixture.log,
		.loop = &fixture.loop,
		.quotas = { .subject = { 8, 1 << 20 },
			.connection = { 2, 1 << 20 },
			.address = { 3, 1 << 20 },
			.connections = { 4, 1 << 20 },
			.all = { 16, 1 << 20 } } };
	open_registry(&fixture);
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;
	char command[128];

	close_registry(fixture);
	assert_int_equal(uv_loop_close(&fixture->loop), 0);
	snprintf(command, sizeof(command), "rm -r '%s'", fixture->folder);
	return system(command);
}

/* A figure whose hips are so high, as a descriptor. */
static char *describe(double height)
{
	char *text;

	if (asprintf(&text,
		    "{\"name\":\"f\",\"nodes\":[{\"name\":\"h\",\"translation\":[0,%g,0]}],"
		    "\"bones\":{\"hips\":0}}",
		    height) < 0) {
		return NULL;
	}
	return text;
}

struct told {
	int count;
	int order; /* when, among all */
	enum jc_registry_outcome outcome;
	char hash[JC_SKELETON_HASH_LENGTH + 1];
	char what[256];
	bool is_stored;
	size_t findings;
};

static int told_in_all;

static void on_reported(void *context, const struct jc_registry_answer *answer)
{
	struct told *told = context;

	told->count++;
	told->order = ++told_in_all;
	told->outcome = answer->outcome;
	told->is_stored = answer->is_stored;
	told->findings = answer->lint ? answer->lint->count : 0;
	strcpy(told->hash, answer->asset ? answer->asset->hash : "");
	snprintf(told->what, sizeof(told->what), "%s", answer->diagnostic->what);
}

/* "#7@home": the connection 7 of the address "home"; else a subject. */
static struct jc_owner owner_of(const char *text)
{
	struct jc_owner owner = { .connection = 0 };

	if (text[0] == '#') {
		owner.connection = strtoull(text + 1, NULL, 10);
		strcpy(owner.address, strchr(text, '@') + 1);
	} else {
		strcpy(owner.subject, text);
	}
	return owner;
}

static int ask_bytes(struct fixture *fixture, const char *subject, const char *name, char *bytes,
	size_t length, struct told *told)
{
	const struct jc_owner owner = owner_of(subject);
	struct jc_registry_request spec = {
		.owner = &owner, .name = name, .bytes = bytes, .length = length
	};
	int status = jc_registry_ask(fixture->registry, &spec, on_reported, told);

	if (status != JC_OK) {
		free(bytes);
	}
	return status;
}

static void ask(struct fixture *fixture, const char *subject, const char *name, double height,
	struct told *told)
{
	char *text = height > 0.0 ? describe(height) : NULL;

	assert_int_equal(
		ask_bytes(fixture, subject, name, text, text ? strlen(text) : 0, told), JC_OK);
}

/* height 0: removes it */
static struct told settle(
	struct fixture *fixture, const char *subject, const char *name, double height)
{
	struct told told = { 0 };

	ask(fixture, subject, name, height, &told);
	assert_int_equal(told.count, 0);
	uv_run(&fixture->loop, UV_RUN_DEFAULT);
	assert_int_equal(told.count, 1);
	return told;
}

static struct jc_skeleton_asset *find_hash(
	struct fixture *fixture, const char *subject, const char *hash)
{
	const struct jc_owner owner = owner_of(subject);

	return jc_registry_find(fixture->registry, &owner, hash);
}

static struct jc_registration *find(
	const struct fixture *fixture, const char *subject, const char *name)
{
	const struct jc_owner owner = owner_of(subject);

	return jc_registrations_find(jc_registry_registrations(fixture->registry), &owner, name);
}

/* The subject's folder and the name as they stand on disk. */
static const char *path_of(const struct fixture *fixture, const char *owner, const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/skeletons/%s/%s", fixture->folder, owner, name);
	return path;
}

static bool is_file(const struct fixture *fixture, const char *owner, const char *name)
{
	return access(path_of(fixture, owner, name), F_OK) == 0;
}

static char *read_whole(const char *path, size_t *out_length)
{
	FILE *file = fopen(path, "r");
	char *bytes = calloc(1, 65536);

	assert_non_null(file);
	*out_length = fread(bytes, 1, 65535, file);
	fclose(file);
	return bytes;
}

static void write_whole(const char *path, const char *bytes, size_t length)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	fclose(file);
}

static void only_the_owner_can_use_a_skeleton(void **state)
{
	struct fixture *fixture = *state;
	struct told told = settle(fixture, "ada", "avatar", 1.0);
	struct jc_skeleton_asset *asset = find_hash(fixture, "ada", told.hash);

	assert_int_equal(told.outcome, JC_REGISTRY_NEW);
	assert_true(told.is_stored);
	assert_non_null(asset);
	assert_float_equal(jc_skeleton_hips_height(asset->skeleton), 1.0f, 0.0f);
	assert_false(asset->is_common);
	assert_null(find_hash(fixture, "bob", told.hash));
	assert_null(find_hash(fixture, "", told.hash));
	assert_null(find_hash(fixture, "ada", "0"));
}

static void returns_the_number_of_findings(void **state)
{
	assert_true(settle(*state, "ada", "avatar", 1.0).findings > 0);
}

static void repeated_registration_changes_nothing(void **state)
{
	struct fixture *fixture = *state;
	struct stat before, after;

	settle(fixture, "ada", "avatar", 1.0);
	assert_int_equal(stat(path_of(fixture, "ada", "avatar.jsonl"), &before), 0);
	assert_int_equal(settle(fixture, "ada", "avatar", 1.0).outcome, JC_REGISTRY_SAME);
	assert_int_equal(stat(path_of(fixture, "ada", "avatar.jsonl"), &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_int_equal(find(fixture, "ada", "avatar")->asset->keepers, 1);
}

static void registration_replaces_a_skeleton_of_the_same_name(void **state)
{
	struct fixture *fixture = *state;
	struct told first = settle(fixture, "ada", "avatar", 1.0);
	struct told second = settle(fixture, "ada", "avatar", 1.5);

	assert_int_equal(second.outcome, JC_REGISTRY_CHANGED);
	assert_null(find_hash(fixture, "ada", first.hash));
	assert_non_null(find_hash(fixture, "ada", second.hash));
	assert_int_equal(fixture->skeleton_table.count, 2);
	reopen(fixture);
	assert_string_equal(find(fixture, "ada", "avatar")->asset->hash, second.hash);
}

static void names_are_separate_for_each_owner(void **state)
{
	struct fixture *fixture = *state;
	struct told ada = settle(fixture, "ada", "me", 1.0);
	struct told bob = settle(fixture, "bob", "me", 1.5);
	struct told nobody = settle(fixture, "", "me", 1.0);

	assert_int_equal(bob.outcome, JC_REGISTRY_NEW);
	assert_int_equal(settle(fixture, "bob", "me", 0).outcome, JC_REGISTRY_ENDED);
	assert_string_equal(find(fixture, "ada", "me")->asset->hash, ada.hash);
	assert_string_equal(find(fixture, "", "me")->asset->hash, nobody.hash);
	/* The same content lies there once. */
	assert_ptr_equal(find(fixture, "ada", "me")->asset, find(fixture, "", "me")->asset);
	assert_string_equal(ada.hash, nobody.hash);
}

static void registrations_survive_a_restart(void **state)
{
	struct fixture *fixture = *state;
	struct told ada = settle(fixture, "ada", "../../etc/passwd", 1.0);
	struct told local = settle(fixture, "", "\xc3\x84 b", 1.25);
	struct told other = settle(fixture, "@local", "x", 1.5);

	reopen(fixture);
	assert_int_equal(jc_registry_registrations(fixture->registry)->count, 3);
	assert_string_equal(find(fixture, "ada", "../../etc/passwd")->asset->hash, ada.hash);
	assert_string_equal(find(fixture, "", "\xc3\x84 b")->asset->hash, local.hash);
	assert_string_equal(find(fixture, "@local", "x")->asset->hash, other.hash);
	assert_true(is_file(fixture, "ada", "%2E%2E%2F%2E%2E%2Fetc%2Fpasswd.jsonl"));
	assert_true(is_file(fixture, "@local", "%C3%84%20b.jsonl"));
	assert_true(is_file(fixture, "%40local", "x.jsonl"));
}

static void stores_nothing_without_a_directory(void **state)
{
	struct fixture *fixture = *state;

	fixture->options.state = NULL;
	reopen(fixture);
	assert_false(settle(fixture, "ada", "avatar", 1.0).is_stored);
	assert_non_null(find(fixture, "ada", "avatar"));
	reopen(fixture);
	assert_null(find(fixture, "ada", "avatar"));
}

static void sets_aside_a_truncated_file(void **state)
{
	struct fixture *fixture = *state;
	char path[256];
	size_t length;

	settle(fixture, "ada", "torn", 1.0);
	settle(fixture, "ada", "whole", 1.5);
	strcpy(path, path_of(fixture, "ada", "torn.jsonl"));
	char *bytes = read_whole(path, &length);

	/* The last byte is a line feed and not significant. */
	for (size_t cut = 0; cut + 1 < length; cut++) {
		close_registry(fixture);
		write_whole(path, bytes, cut);
		open_registry(fixture);
		assert_null(find(fixture, "ada", "torn"));
		assert_non_null(find(fixture, "ada", "whole"));
		assert_false(is_file(fixture, "ada", "torn.jsonl"));
		assert_true(is_file(fixture, "ada", "torn.jsonl.damaged"));
	}
	free(bytes);
	assert_int_equal(settle(fixture, "ada", "torn", 1.0).outcome, JC_REGISTRY_NEW);
}

static void sets_aside_a_file_with_other_content(void **state)
{
	struct fixture *fixture = *state;
	char path[256];
	size_t length;

	settle(fixture, "ada", "a", 1.25);
	strcpy(path, path_of(fixture, "ada", "a.jsonl"));
	char *bytes = read_whole(path, &length);
	char *number = strstr(strstr(bytes, "translation"), "1.25");

	close_registry(fixture);
	/* In another's place: names on disk are no proof. */
	write_whole(path_of(fixture, "ada", "b.jsonl"), bytes, length);
	/* A value that is as good as the one that was there. */
	assert_non_null(number);
	number[0] = '2';
	write_whole(path, bytes, length);
	free(bytes);
	write_whole(path_of(fixture, "ada", "c.jsonl.new"), "{", 1);
	write_whole(path_of(fixture, "ada", "d.jsonl"), "\n", 1);
	write_whole(path_of(fixture, "ada", "e"), "mine", 4);
	mkdir(path_of(fixture, "ada", "f.jsonl"), 0700);
	open_registry(fixture);
	assert_int_equal(jc_registry_registrations(fixture->registry)->count, 0);
	assert_true(is_file(fixture, "ada", "a.jsonl.damaged"));
	assert_true(is_file(fixture, "ada", "b.jsonl.damaged"));
	assert_false(is_file(fixture, "ada", "c.jsonl.new"));
	assert_true(is_file(fixture, "ada", "d.jsonl.damaged"));
	assert_true(is_file(fixture, "ada", "e"));
	assert_true(is_file(fixture, "ada", "f.jsonl.damaged"));
}

static void failed_write_prevents_the_registration(void **state)
{
	struct fixture *fixture = *state;
	char path[128];

	snprintf(path, sizeof(path), "%s/skeletons", fixture->folder);
	write_whole(path, "", 0);

	struct told told = settle(fixture, "ada", "avatar", 1.0);

	assert_int_equal(told.outcome, JC_REGISTRY_FAILED);
	assert_string_equal(told.hash, "");
	/* The answer does not contain paths of the server. */
	assert_string_equal(told.what, "the disk does not take it");
	assert_null(find(fixture, "ada", "avatar"));
	assert_int_equal(fixture->skeleton_table.count, 1);
	unlink(path);
	assert_int_equal(settle(fixture, "ada", "avatar", 1.0).outcome, JC_REGISTRY_NEW);
}

static void failed_deletion_keeps_the_registration(void **state)
{
	struct fixture *fixture = *state;
	char path[256];

	settle(fixture, "ada", "avatar", 1.0);
	strcpy(path, path_of(fixture, "ada", "avatar.jsonl"));
	unlink(path);
	mkdir(path, 0700); /* no file, and so not removed as one */

	assert_int_equal(settle(fixture, "ada", "avatar", 0).outcome, JC_REGISTRY_FAILED);
	assert_non_null(find(fixture, "ada", "avatar"));
	rmdir(path);
	assert_int_equal(settle(fixture, "ada", "avatar", 0).outcome, JC_REGISTRY_ENDED);
	assert_null(find(fixture, "ada", "avatar"));
}

static void over_quota_the_least_recently_used_skeleton_is_replaced(void **state)
{
	struct fixture *fixture = *state;

	fixture->options.quotas.subject.count = 3;
	reopen(fixture);
	settle(fixture, "bob", "z", 3.0);
	settle(fixture, "ada", "a", 1.0);
	settle(fixture, "ada", "b", 1.25);
	settle(fixture, "ada", "c", 1.5);
	jc_skeleton_asset_unuse(jc_skeleton_asset_use(find(fixture, "ada", "a")->asset));
	/* It is remembered over a start. */
	reopen(fixture);
	assert_int_equal(settle(fixture, "ada", "d", 1.75).outcome, JC_REGISTRY_NEW);
	assert_null(find(fixture, "ada", "b"));
	assert_false(is_file(fixture, "ada", "b.jsonl"));
	assert_int_equal(settle(fixture, "ada", "e", 2.0).outcome, JC_REGISTRY_NEW);
	assert_null(find(fixture, "ada", "c"));
	assert_non_null(find(fixture, "ada", "a"));
	/* The quota of one owner does not affect another. */
	assert_non_null(find(fixture, "bob", "z"));
	assert_int_equal(fixture->skeleton_table.count, 1 + 4);
}

static void never_displaces_a_skeleton_in_use(void **state)
{
	struct fixture *fixture = *state;

	fixture->options.quotas.subject.count = 2;
	reopen(fixture);
	settle(fixture, "ada", "a", 1.0);
	settle(fixture, "ada", "b", 1.25);
	struct jc_skeleton_asset *a = jc_skeleton_asset_use(find(fixture, "ada", "a")->asset);
	struct jc_skeleton_asset *b = jc_skeleton_asset_use(find(fixture, "ada", "b")->asset);

	assert_int_equal(settle(fixture, "ada", "c", 1.5).outcome, JC_REGISTRY_FULL);
	assert_null(find(fixture, "ada", "c"));
	assert_false(is_file(fixture, "ada", "c.jsonl"));
	/* The next skeleton of that name has room, and bodies keep the removed one. */
	assert_int_equal(settle(fixture, "ada", "a", 1.75).outcome, JC_REGISTRY_CHANGED);
	assert_float_equal(jc_skeleton_hips_height(a->skeleton), 1.0f, 0.0f);
	jc_skeleton_asset_unuse(b);
	assert_int_equal(settle(fixture, "ada", "c", 1.5).outcome, JC_REGISTRY_NEW);
	jc_skeleton_asset_unuse(a);
}

static void enforces_the_common_quota(void **state)
{
	struct fixture *fixture = *state;

	fixture->options.quotas.all.count = 2;
	reopen(fixture);
	settle(fixture, "ada", "a", 1.0);
	settle(fixture, "bob", "b", 1.25);
	settle(fixture, "cleo", "c", 1.5);
	assert_null(find(fixture, "ada", "a"));
	assert_non_null(find(fixture, "bob", "b"));
	fixture->options.quotas.all.count = 1;
	reopen(fixture);
	assert_null(find(fixture, "bob", "b"));
	assert_false(is_file(fixture, "bob", "b.jsonl"));
	assert_non_null(find(fixture, "cleo", "c"));
}

static void enforces_the_quota_of_bytes(void **state)
{
	struct fixture *fixture = *state;

	settle(fixture, "ada", "a", 1.0);
	size_t bytes = find(fixture, "ada", "a")->asset->descriptor_length;

	fixture->options.quotas.subject.bytes = 2 * bytes;
	reopen(fixture);
	settle(fixture, "ada", "b", 2.0);
	assert_int_equal(jc_registry_registrations(fixture->registry)->count, 2);
	settle(fixture, "ada", "c", 3.0);
	assert_int_equal(jc_registry_registrations(fixture->registry)->count, 2);
	fixture->options.quotas.subject.bytes = bytes - 1;
	reopen(fixture);
	assert_int_equal(settle(fixture, "ada", "d", 4.0).outcome, JC_REGISTRY_FULL);
}

static void used_skeleton_remains_after_its_registration_ends(void **state)
{
	struct fixture *fixture = *state;
	struct told told = settle(fixture, "ada", "a", 1.0);
	struct jc_skeleton_asset *asset =
		jc_skeleton_asset_use(find_hash(fixture, "ada", told.hash));

	assert_int_equal(settle(fixture, "ada", "a", 0).outcome, JC_REGISTRY_ENDED);
	assert_false(is_file(fixture, "ada", "a.jsonl"));
	assert_null(find_hash(fixture, "ada", told.hash));
	assert_ptr_equal(jc_skeleton_table_find(&fixture->skeleton_table, told.hash), asset);
	jc_skeleton_asset_unuse(asset);
	assert_null(jc_skeleton_table_find(&fixture->skeleton_table, told.hash));
	assert_int_equal(settle(fixture, "ada", "a", 0).outcome, JC_REGISTRY_UNKNOWN);
}

static struct told settle_bytes(struct fixture *fixture, char *bytes, size_t length)
{
	struct told told = { 0 };

	assert_int_equal(ask_bytes(fixture, "ada", "x", bytes, length, &told), JC_OK);
	uv_run(&fixture->loop, UV_RUN_DEFAULT);
	assert_int_equal(told.count, 1);
	assert_int_equal(told.outcome, JC_REGISTRY_UNUSABLE);
	assert_int_equal(jc_registry_registrations(fixture->registry)->count, 0);
	assert_int_equal(fixture->skeleton_table.count, 1);
	return told;
}

static void rejects_invalid_files_with_a_one_line_reason(void **state)
{
	struct fixture *fixture = *state;
	char *large = calloc(1, JC_MAX_UPLOAD_TEXT_BYTES + 1);

	assert_non_null(strstr(settle_bytes(fixture, strdup(""), 0).what, "empty"));
	assert_non_null(
		strstr(settle_bytes(fixture, strdup("{\"nodes\":[]}"), 12).what, "missing"));
	assert_non_null(strstr(settle_bytes(fixture, strdup("\x1f\x8b"), 2).what, "gzip"));
	assert_non_null(
		strstr(settle_bytes(fixture, large, JC_MAX_UPLOAD_TEXT_BYTES + 1).what, "8 MiB"));
	assert_false(is_file(fixture, "ada", "x.jsonl"));
}

static void completes_requests_in_order(void **state)
{
	struct fixture *fixture = *state;
	struct told told[8] = { { 0 } };

	for (int i = 0; i < 8; i++) {
		ask(fixture, "ada", "a", i == 5 ? 0 : 1.0 + i, &told[i]);
	}
	uv_run(&fixture->loop, UV_RUN_DEFAULT);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(told[i].count, 1);
		assert_int_equal(told[i].order, told[0].order + i);
		assert_int_equal(told[i].outcome, i == 5             ? JC_REGISTRY_ENDED
						  : i == 0 || i == 6 ? JC_REGISTRY_NEW
								     : JC_REGISTRY_CHANGED);
	}
	assert_string_equal(find(fixture, "ada", "a")->asset->hash, told[7].hash);
}

static void does_not_answer_a_client_that_left(void **state)
{
	struct fixture *fixture = *state;
	struct told told[2] = { { 0 } };

	ask(fixture, "ada", "a", 1.0, &told[0]);
	ask(fixture, "ada", "b", 1.25, &told[1]);
	jc_registry_forget(fixture->registry, &told[0], 1);
	uv_run(&fixture->loop, UV_RUN_DEFAULT);
	assert_int_equal(told[0].count, 0);
	assert_int_equal(told[1].count, 1);
	assert_non_null(find(fixture, "ada", "a"));
}

static size_t count_of(const struct fixture *fixture, const char *who)
{
	const struct jc_owner owner = owner_of(who);
	struct jc_registration *const *entries;

	return jc_registrations_of(jc_registry_registrations(fixture->registry), &owner, &entries);
}

static void skeletons_of_connections_are_separate_and_not_stored(void **state)
{
	struct fixture *fixture = *state;
	struct told one = settle(fixture, "#1@home", "a", 1.0);
	struct told other = settle(fixture, "#2@home", "a", 1.5);

	assert_int_equal(one.outcome, JC_REGISTRY_NEW);
	assert_int_equal(other.outcome, JC_REGISTRY_NEW);
	assert_false(one.is_stored);
	assert_int_equal(count_of(fixture, "#1@home"), 1);
	assert_non_null(find_hash(fixture, "#1@home", one.hash));
	assert_null(find_hash(fixture, "#2@home", one.hash));
	assert_null(find_hash(fixture, "", one.hash));
	assert_int_equal(settle(fixture, "#2@home", "b", 0).outcome, JC_REGISTRY_UNKNOWN);
	assert_int_equal(settle(fixture, "#2@home", "a", 0).outcome, JC_REGISTRY_ENDED);
	assert_non_null(find(fixture, "#1@home", "a"));
	assert_false(is_file(fixture, "@local", "a.jsonl"));
	reopen(fixture);
	assert_int_equal(jc_registry_registrations(fixture->registry)->count, 0);
}

static void skeletons_of_a_connection_end_with_the_connection(void **state)
{
	struct fixture *fixture = *state;
	struct told worn = settle(fixture, "#1@home", "worn", 1.0);
	struct told idle = settle(fixture, "#1@home", "idle", 1.25);
	struct jc_skeleton_asset *asset =
		jc_skeleton_asset_use(find_hash(fixture, "#1@home", worn.hash));

	settle(fixture, "#2@home", "a", 1.5);
	settle(fixture, "", "a", 1.75);
	jc_registry_forget(fixture->registry, fixture, 1);
	assert_int_equal(count_of(fixture, "#1@home"), 0);
	assert_int_equal(count_of(fixture, "#2@home"), 1);
	assert_int_equal(count_of(fixture, ""), 1);
	assert_null(jc_skeleton_table_find(&fixture->skeleton_table, idle.hash));
	/* A body goes on wearing it. */
	assert_ptr_equal(jc_skeleton_table_find(&fixture->skeleton_table, worn.hash), asset);
	jc_skeleton_asset_unuse(asset);
	assert_null(jc_skeleton_table_find(&fixture->skeleton_table, worn.hash));
}

/* The first is in the pool, the others wait. */
static void registers_nothing_for_a_closed_connection(void **state)
{
	struct fixture *fixture = *state;
	struct told of_one = { 0 };
	struct told of_two = { 0 };

	ask(fixture, "#1@home", "a", 1.0, &of_one);
	ask(fixture, "#1@home", "b", 1.25, &of_one);
	ask(fixture, "#2@home", "b", 1.5, &of_two);
	ask(fixture, "#1@home", "a", 0, &of_one);
	jc_registry_forget(fixture->registry, &of_one, 1);
	uv_run(&fixture->loop, UV_RUN_DEFAULT);
	assert_int_equal(of_one.count, 0);
	assert_int_equal(of_two.outcome, JC_REGISTRY_NEW);
	assert_int_equal(count_of(fixture, "#1@home"), 0);
	assert_int_equal(count_of(fixture, "#2@home"), 1);
	assert_int_equal(fixture->skeleton_table.count, 2);
	/* The queue is whole, and holds nothing. */
	assert_true(jc_registry_has_room(fixture->registry, JC_MAX_UPLOADS_LARGE));
	assert_int_equal(settle(fixture, "ada", "a", 1.0).outcome, JC_REGISTRY_NEW);
}

/* Its client shows a token: it is there, and gets an answer to each message. */
static void answers_waiting_requests_when_the_connection_ends(void **state)
{
	struct fixture *fixture = *state;
	struct told told[3] = { { 0 } };

	ask(fixture, "#1@home", "a", 1.0, &told[0]);
	ask(fixture, "#1@home", "b", 1.25, &told[1]);
	ask(fixture, "ada", "b", 1.25, &told[2]);
	jc_registry_end_connection(fixture->registry, 1);
	assert_int_equal(told[1].outcome, JC_REGISTRY_FAILED);
	uv_run(&fixture->loop, UV_RUN_DEFAULT);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(told[i].count, 1);
	}
	assert_int_equal(told[0].outcome, JC_REGISTRY_FAILED);
	assert_non_null(strstr(told[0].what, "has a token"));
	assert_int_equal(told[2].outcome, JC_REGISTRY_NEW);
	assert_int_equal(jc_registry_registrations(fixture->registry)->count, 1);
}

/* Of a connection 2, of an address 3, of all connections 4: see setup. */
static void connections_displace_only_their_own_skeletons(void **state)
{
	struct fixture *fixture = *state;

	settle(fixture, "#1@home", "a", 1.0);
	settle(fixture, "#1@home", "b", 1.25);
	assert_int_equal(settle(fixture, "#1@home", "c", 1.5).outcome, JC_REGISTRY_NEW);
	assert_null(find(fixture, "#1@home", "a"));
	assert_int_equal(count_of(fixture, "#1@home"), 2);
	settle(fixture, "#2@home", "a", 1.75);
	struct told told = settle(fixture, "#3@home", "a", 2.0);

	assert_int_equal(told.outcome, JC_REGISTRY_FULL);
	assert_non_null(strstr(told.what, "without a token"));
	assert_int_equal(count_of(fixture, "#1@home"), 2);
	/* A skeleton may replace one of the same name. */
	assert_int_equal(settle(fixture, "#2@home", "b", 2.0).outcome, JC_REGISTRY_NEW);
	assert_int_equal(count_of(fixture, "#2@home"), 1);
	assert_int_equal(settle(fixture, "#4@away", "a", 2.25).outcome, JC_REGISTRY_NEW);
	assert_int_equal(settle(fixture, "#5@third", "a", 2.5).outcome, JC_REGISTRY_FULL);
	jc_registry_end_connection(fixture->registry, 1);
	assert_int_equal(settle(fixture, "#5@third", "a", 2.5).outcome, JC_REGISTRY_NEW);
}

static void subjects_displace_connections_and_never_the_reverse(void **state)
{
	struct fixture *fixture = *state;

	fixture->options.quotas.all.count = 2;
	reopen(fixture);
	settle(fixture, "#1@home", "a", 1.0);
	settle(fixture, "ada", "a", 1.25);
	assert_int_equal(settle(fixture, "#2@away", "a", 1.5).outcome, JC_REGISTRY_FULL);
	assert_int_equal(settle(fixture, "ada", "b", 1.75).outcome, JC_REGISTRY_NEW);
	assert_int_equal(count_of(fixture, "#1@home"), 0);
	assert_int_equal(count_of(fixture, "ada"), 2);
	assert_int_equal(settle(fixture, "#2@away", "a", 1.5).outcome, JC_REGISTRY_FULL);
	assert_int_equal(count_of(fixture, "ada"), 2);
}

static void stop_completes_the_running_request_and_fails_the_others(void **state)
{
	struct fixture *fixture = *state;
	struct told told[3] = { { 0 } };

	for (int i = 0; i < 3; i++) {
		ask(fixture, "ada", "a", 1.0 + i, &told[i]);
	}
	jc_registry_stop(fixture->registry);
	assert_int_equal(told[1].outcome, JC_REGISTRY_FAILED);
	assert_int_equal(told[2].outcome, JC_REGISTRY_FAILED);
	uv_run(&fixture->loop, UV_RUN_DEFAULT);
	assert_int_equal(told[0].outcome, JC_REGISTRY_NEW);
	assert_string_equal(find(fixture, "ada", "a")->asset->hash, told[0].hash);
}

/* So many bytes of a .glb, none of which is text; or of text. */
static int ask_much(
	struct fixture *fixture, const char *name, bool is_glb, size_t length, struct told *told)
{
	char *bytes = calloc(1, length);

	if (is_glb) {
		memcpy(bytes, "glTF", 4);
	}
	return ask_bytes(fixture, "ada", name, bytes, length, told);
}

static void limits_the_bytes_of_waiting_requests(void **state)
{
	struct fixture *fixture = *state;
	struct told told[4] = { { 0 } };

	assert_int_equal(ask_much(fixture, "a", true, 32 << 20, &told[0]), JC_OK);
	assert_int_equal(ask_much(fixture, "b", true, 24 << 20, &told[1]), JC_OK);
	assert_int_equal(ask_much(fixture, "c", true, 2 << 20, &told[2]), JC_ERROR_LIMIT);
	/* Small requests do not wait for room. */
	ask(fixture, "ada", "d", 1.0, &told[3]);
	uv_run(&fixture->loop, UV_RUN_DEFAULT);
	assert_int_equal(told[0].outcome, JC_REGISTRY_UNUSABLE);
	assert_int_equal(told[1].outcome, JC_REGISTRY_UNUSABLE);
	assert_int_equal(told[2].count, 0);
	assert_int_equal(told[3].outcome, JC_REGISTRY_NEW);
	assert_true(jc_registry_has_room(fixture->registry, JC_MAX_UPLOADS_LARGE));
}

static void text_counts_by_the_memory_that_it_needs(void **state)
{
	struct fixture *fixture = *state;
	struct told told[3] = { { 0 } };

	assert_int_equal(ask_much(fixture, "a", false, 8 << 20, &told[0]), JC_OK);
	assert_int_equal(ask_much(fixture, "b", false, 8 << 20, &told[1]), JC_ERROR_LIMIT);
	assert_int_equal(ask_much(fixture, "c", false, 6 << 20, &told[2]), JC_OK);
	uv_run(&fixture->loop, UV_RUN_DEFAULT);
	assert_int_equal(told[2].outcome, JC_REGISTRY_UNUSABLE);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(only_the_owner_can_use_a_skeleton),
		CASE(returns_the_number_of_findings),
		CASE(repeated_registration_changes_nothing),
		CASE(registration_replaces_a_skeleton_of_the_same_name),
		CASE(names_are_separate_for_each_owner),
		CASE(registrations_survive_a_restart),
		CASE(stores_nothing_without_a_directory),
		CASE(sets_aside_a_truncated_file),
		CASE(sets_aside_a_file_with_other_content),
		CASE(failed_write_prevents_the_registration),
		CASE(failed_deletion_keeps_the_registration),
		CASE(over_quota_the_least_recently_used_skeleton_is_replaced),
		CASE(never_displaces_a_skeleton_in_use),
		CASE(enforces_the_common_quota),
		CASE(enforces_the_quota_of_bytes),
		CASE(used_skeleton_remains_after_its_registration_ends),
		CASE(rejects_invalid_files_with_a_one_line_reason),
		CASE(completes_requests_in_order),
		CASE(does_not_answer_a_client_that_left),
		CASE(skeletons_of_connections_are_separate_and_not_stored),
		CASE(skeletons_of_a_connection_end_with_the_connection),
		CASE(registers_nothing_for_a_closed_connection),
		CASE(answers_waiting_requests_when_the_connection_ends),
		CASE(connections_displace_only_their_own_skeletons),
		CASE(subjects_displace_connections_and_never_the_reverse),
		CASE(stop_completes_the_running_request_and_fails_the_others),
		CASE(limits_the_bytes_of_waiting_requests),
		CASE(text_counts_by_the_memory_that_it_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
