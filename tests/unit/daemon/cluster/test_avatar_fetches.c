/* Tests the files of avatars at an edge: fetched in parts, once for all who wait, verified, and
 * kept within a quota. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/sha256.h"
#include "cluster/avatar/avatar_fetches.h"
#include "cluster/avatar/avatar_message.h"
#include "fake_link.h"
#include "jointcast/error.h"
#include "unit_test.h"

#define SECOND     INT64_C(1000000000)
#define FILE_BYTES (JC_AVATAR_PART + 1000u)

struct scene {
	struct jc_nats_link link;
	struct jc_avatar_fetches *fetches;
	char file[FILE_BYTES], hash[JC_HASH_TEXT];
	unsigned answers;
	int status; /* of the last answer */
	uint64_t length;
	bool is_binary, is_right; /* its bytes are those of the file */
};

static int setup(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	*state = scene;
	if (!scene) {
		return -1;
	}
	scene->fetches = jc_avatar_fetches_create(&scene->link);
	for (size_t i = 0; i < FILE_BYTES; i++) {
		scene->file[i] = (char)(i * 7);
	}
	memcpy(scene->file, "glTF", 4);
	return scene->fetches && jc_sha256_hex(scene->file, FILE_BYTES, scene->hash) ? 0 : -1;
}

static int teardown(void **state)
{
	struct scene *scene = *state;

	jc_avatar_fetches_destroy(scene->fetches);
	free(scene);
	return 0;
}

static void on_avatar(void *context, int status, const struct jc_fetched_file *file)
{
	struct scene *scene = context;

	scene->answers++;
	scene->status = status;
	assert_int_equal(file != NULL, status == 200);
	if (file) {
		char *bytes = calloc(1, FILE_BYTES);

		assert_non_null(bytes);
		scene->length = file->length;
		scene->is_binary = file->is_binary;
		scene->is_right = pread(file->fd, bytes, FILE_BYTES, 0) == FILE_BYTES &&
				  memcmp(bytes, scene->file, FILE_BYTES) == 0;
		free(bytes);
		close(file->fd);
	}
}

static void get(struct scene *scene)
{
	assert_int_equal(jc_avatar_fetches_get(scene->fetches, "jc.lobby.c", scene->hash,
				 FILE_BYTES, on_avatar, scene),
		JC_OK);
}

/* Answers the open request for the part at an offset with count bytes of a file of that length. */
static void give(struct scene *scene, uint32_t at, size_t count, uint32_t length)
{
	static uint8_t bytes[JC_AVATAR_MESSAGE_HEAD + JC_AVATAR_PART];
	struct fake_request *request = fake_link_find(&scene->link, "\"avatar\"");
	char part[40];

	assert_non_null(request);
	snprintf(part, sizeof(part), "\"at\":%u}", (unsigned)at);
	assert_non_null(strstr(request->text, part));
	jc_avatar_message_write(&(struct jc_avatar_message){ .at = at, .length = length }, bytes);
	memcpy(bytes + JC_AVATAR_MESSAGE_HEAD, scene->file + at, count);
	fake_link_answer(&scene->link, request->reply, bytes, JC_AVATAR_MESSAGE_HEAD + count);
}

static void fetches_a_file_once_for_all_who_wait(void **state)
{
	struct scene *scene = *state;

	get(scene);
	get(scene);
	give(scene, 0, JC_AVATAR_PART, FILE_BYTES);
	assert_int_equal(scene->answers, 0);
	give(scene, JC_AVATAR_PART, 1000, FILE_BYTES);
	assert_int_equal(scene->answers, 2);
	assert_int_equal(scene->status, 200);
	assert_true(scene->is_right && scene->is_binary);
	assert_int_equal(scene->length, FILE_BYTES);
	get(scene);
	assert_int_equal(scene->answers, 3);
	assert_int_equal(scene->link.count, 2);
}

static void refuses_a_file_that_does_not_have_its_hash(void **state)
{
	struct scene *scene = *state;

	get(scene);
	give(scene, 0, JC_AVATAR_PART, FILE_BYTES);
	scene->file[JC_AVATAR_PART]++;
	give(scene, JC_AVATAR_PART, 1000, FILE_BYTES);
	assert_int_equal(scene->status, 404);
	/* It is not kept. */
	scene->file[JC_AVATAR_PART]--;
	get(scene);
	assert_int_equal(scene->answers, 1);
	give(scene, 0, JC_AVATAR_PART, FILE_BYTES - 1); /* another length than in the roster */
	assert_int_equal(scene->answers, 2);
	assert_int_equal(scene->status, 404);
}

static void asks_again_for_a_part_that_is_lost(void **state)
{
	struct scene *scene = *state;

	get(scene);
	for (int i = 0; i < 3; i++) {
		struct fake_request *request = fake_link_find(&scene->link, "\"avatar\"");

		assert_int_equal(scene->answers, 0);
		assert_non_null(request);
		fake_link_answer(&scene->link, request->reply, NULL, 0);
	}
	assert_int_equal(scene->answers, 1);
	assert_int_equal(scene->status, 503);
}

static void a_refusal_of_the_origin_ends_it(void **state)
{
	static const char refusal[] = "{\"error\":\"no body of the space wears such an avatar\"}";
	struct scene *scene = *state;

	get(scene);
	fake_link_answer(&scene->link, fake_link_find(&scene->link, "\"avatar\"")->reply, refusal,
		sizeof(refusal) - 1);
	assert_int_equal(scene->status, 404);
}

static bool is_worn(const void *context, const char *hash)
{
	(void)hash;
	return *(const bool *)context;
}

static void a_file_that_nobody_wears_is_dropped(void **state)
{
	struct scene *scene = *state;
	bool worn = true;

	get(scene);
	give(scene, 0, JC_AVATAR_PART, FILE_BYTES);
	give(scene, JC_AVATAR_PART, 1000, FILE_BYTES);
	jc_avatar_fetches_sweep(scene->fetches, is_worn, &worn, SECOND);
	worn = false;
	jc_avatar_fetches_sweep(scene->fetches, is_worn, &worn, 2 * SECOND);
	jc_avatar_fetches_sweep(
		scene->fetches, is_worn, &worn, (JC_MAX_UNWORN_SECONDS + 1) * SECOND);
	get(scene);
	assert_int_equal(scene->answers, 2);
	jc_avatar_fetches_sweep(
		scene->fetches, is_worn, &worn, (JC_MAX_UNWORN_SECONDS + 2) * SECOND);
	get(scene);
	assert_int_equal(scene->answers, 2);
}

static void files_make_way_within_the_quota(void **state)
{
	struct jc_avatar_cache *cache = calloc(1, sizeof(*cache));
	struct jc_cached_avatar avatar = { .bytes = JC_MAX_CACHED_AVATAR_BYTES / 2 };

	(void)state;
	assert_non_null(cache);
	for (const char *name = "abc"; *name; name++) {
		avatar.hash[0] = *name;
		avatar.fd = memfd_create("test", MFD_CLOEXEC);
		jc_avatar_cache_add(cache, &avatar);
		assert_non_null(jc_avatar_cache_find(cache, "a"));
	}
	assert_int_equal(cache->bytes, JC_MAX_CACHED_AVATAR_BYTES);
	assert_null(jc_avatar_cache_find(cache, "b")); /* used longest ago */
	assert_non_null(jc_avatar_cache_find(cache, "c"));
	jc_avatar_cache_finish(cache);
	free(cache);
}

static void parts_beyond_the_file_are_refused(void **state)
{
	uint8_t bytes[JC_AVATAR_MESSAGE_HEAD + 4] = { 3, 1, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0 };
	struct jc_avatar_message message;

	(void)state;
	assert_int_equal(jc_avatar_message_read(bytes, sizeof(bytes), &message), JC_OK);
	assert_int_equal(message.at, 4);
	assert_int_equal(message.length, 8);
	assert_int_equal(message.count, 4);
	assert_int_equal(
		jc_avatar_message_read(bytes, sizeof(bytes) - 4, &message), JC_ERROR_INVALID);
	assert_int_equal(jc_avatar_message_read(bytes, 11, &message), JC_ERROR_TRUNCATED);
	bytes[4] = 5;
	assert_int_equal(jc_avatar_message_read(bytes, sizeof(bytes), &message), JC_ERROR_INVALID);
	bytes[4] = 0;
	bytes[11] = 0xff;
	assert_int_equal(jc_avatar_message_read(bytes, sizeof(bytes), &message), JC_ERROR_INVALID);
	bytes[1] = 2;
	assert_int_equal(
		jc_avatar_message_read(bytes, sizeof(bytes), &message), JC_ERROR_UNSUPPORTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			fetches_a_file_once_for_all_who_wait, setup, teardown),
		cmocka_unit_test_setup_teardown(
			refuses_a_file_that_does_not_have_its_hash, setup, teardown),
		cmocka_unit_test_setup_teardown(
			asks_again_for_a_part_that_is_lost, setup, teardown),
		cmocka_unit_test_setup_teardown(a_refusal_of_the_origin_ends_it, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_file_that_nobody_wears_is_dropped, setup, teardown),
		cmocka_unit_test(files_make_way_within_the_quota),
		cmocka_unit_test(parts_beyond_the_file_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
