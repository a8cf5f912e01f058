/* Tests send queues of several sessions and addresses, and their limits. */
#include <stdlib.h>
#include <string.h>

#include "jointcast/error.h"
#include "maxima.h"
#include "net/send_queue.h"
#include "unit_test.h"

#define QUEUES 3

/* Two sessions of one address, and one of another. */
struct setting {
	struct jc_queued addresses[2];
	size_t total;
	struct jc_send_queue queues[QUEUES];
};

static int set_up(void **state)
{
	struct setting *setting = calloc(1, sizeof(*setting));

	if (!setting) {
		return -1;
	}
	for (size_t i = 0; i < QUEUES; i++) {
		jc_send_queue_init(
			&setting->queues[i], &setting->addresses[i / 2], &setting->total);
	}
	*state = setting;
	return 0;
}

/* Nothing is counted after the queues have ended. */
static int tear_down(void **state)
{
	struct setting *setting = *state;

	for (size_t i = 0; i < QUEUES; i++) {
		jc_send_queue_finish(&setting->queues[i]);
		assert_int_equal(setting->queues[i].length, 0);
		assert_int_equal(setting->queues[i].bytes, 0);
		assert_int_equal(setting->queues[i].own_bytes, 0);
	}
	assert_int_equal(setting->total, 0);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(setting->addresses[i].own_bytes, 0);
		assert_int_equal(setting->addresses[i].texts.bytes, 0);
		jc_held_texts_finish(&setting->addresses[i].texts);
	}
	free(setting);
	return 0;
}

static struct jc_shared_text *make_text(size_t length)
{
	char *bytes = calloc(1, length + 1);

	assert_non_null(bytes);
	struct jc_shared_text *text = jc_shared_text_create(bytes, length);

	assert_non_null(text);
	free(bytes);
	return text;
}

/* The queue alone holds the text afterwards. */
static int put_new(struct jc_send_queue *queue, size_t length, bool is_own)
{
	struct jc_shared_text *text = make_text(length);
	int status = jc_send_queue_put(queue, text, is_own);

	jc_shared_text_drop(text);
	return status;
}

static void texts_leave_in_order(void **state)
{
	struct setting *setting = *state;
	struct jc_send_queue *queue = &setting->queues[0];
	const char *words[] = { "one", "two", "three", "four" };

	assert_null(jc_send_queue_first(queue));
	for (size_t i = 0; i < 4; i++) {
		struct jc_shared_text *text = jc_shared_text_create(words[i], strlen(words[i]));

		assert_int_equal(jc_send_queue_put(queue, text, i % 2 == 0), JC_OK);
		jc_shared_text_drop(text);
	}
	assert_int_equal(queue->length, 4);
	assert_int_equal(queue->bytes, 15);
	assert_int_equal(queue->own_bytes, 8);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(jc_shared_text_chars(jc_send_queue_first(queue)), words[i]);
		queue->written = 2;
		jc_send_queue_shift(queue);
		assert_int_equal(queue->written, 0);
	}
	assert_null(jc_send_queue_first(queue));
	/* An empty queue is as good as a new one. */
	assert_int_equal(put_new(queue, 5, true), JC_OK);
	assert_int_equal(jc_send_queue_first(queue)->length, 5);
}

static void a_queue_holds_128_messages(void **state)
{
	struct setting *setting = *state;

	for (unsigned i = 0; i < JC_MAX_QUEUED_MESSAGES; i++) {
		assert_int_equal(put_new(&setting->queues[0], 1, i % 2 == 0), JC_OK);
	}
	assert_int_equal(put_new(&setting->queues[0], 1, true), JC_ERROR_LIMIT);
	assert_int_equal(put_new(&setting->queues[0], 1, false), JC_ERROR_LIMIT);
	assert_int_equal(setting->queues[0].length, JC_MAX_QUEUED_MESSAGES);
	assert_int_equal(setting->total, JC_MAX_QUEUED_MESSAGES);
	/* Another session is not concerned. */
	assert_int_equal(put_new(&setting->queues[1], 1, true), JC_OK);
	jc_send_queue_shift(&setting->queues[0]);
	assert_int_equal(put_new(&setting->queues[0], 1, true), JC_OK);
}

static void own_texts_fill_at_most_2_mib_of_a_queue(void **state)
{
	struct setting *setting = *state;
	struct jc_send_queue *queue = &setting->queues[0];

	assert_int_equal(put_new(queue, JC_MAX_QUEUED_OWN_BYTES + 1, true), JC_ERROR_LIMIT);
	assert_int_equal(setting->total, 0);
	assert_int_equal(put_new(queue, JC_MAX_QUEUED_OWN_BYTES - 1, true), JC_OK);
	assert_int_equal(put_new(queue, 1, true), JC_OK);
	assert_int_equal(put_new(queue, 1, true), JC_ERROR_LIMIT);
	/* Shared ones may follow, up to the bytes of a queue. */
	size_t left = JC_MAX_QUEUED_BYTES - JC_MAX_QUEUED_OWN_BYTES;

	assert_int_equal(put_new(queue, left + 1, false), JC_ERROR_LIMIT);
	assert_int_equal(put_new(queue, left, false), JC_OK);
	assert_int_equal(put_new(queue, 1, false), JC_ERROR_LIMIT);
	assert_int_equal(setting->total, JC_MAX_QUEUED_BYTES);
}

static void a_shared_text_counts_once_for_an_address(void **state)
{
	struct setting *setting = *state;
	struct jc_shared_text *text = make_text(1000);

	for (size_t i = 0; i < QUEUES; i++) {
		assert_int_equal(jc_send_queue_put(&setting->queues[i], text, false), JC_OK);
	}
	/* A second time in one queue costs nothing more either. */
	assert_int_equal(jc_send_queue_put(&setting->queues[0], text, false), JC_OK);
	assert_int_equal(text->users, 5);
	assert_int_equal(setting->addresses[0].texts.bytes, 1000);
	assert_int_equal(setting->addresses[1].texts.bytes, 1000);
	assert_int_equal(setting->total, 2000);
	/* It counts until the last queue of the address lets go of it. */
	jc_send_queue_finish(&setting->queues[0]);
	assert_int_equal(setting->total, 2000);
	jc_send_queue_shift(&setting->queues[1]);
	assert_int_equal(setting->addresses[0].texts.bytes, 0);
	assert_int_equal(setting->total, 1000);
	jc_send_queue_shift(&setting->queues[2]);
	assert_int_equal(setting->total, 0);
	assert_int_equal(text->users, 1);
	jc_shared_text_drop(text);
}

static void distinguishes_held_texts(void **)
{
	struct jc_held_texts texts = { .list = NULL };
	struct jc_shared_text *list[20];
	size_t bytes = 0;

	for (size_t i = 0; i < 20; i++) {
		list[i] = make_text(i + 1);
		assert_true(jc_held_texts_add(&texts, list[i], 210));
		bytes += i + 1;
		assert_int_equal(texts.bytes, bytes);
	}
	struct jc_shared_text *more = make_text(1);

	assert_false(jc_held_texts_add(&texts, more, 210));
	assert_int_equal(texts.count, 20);
	/* One that waits already takes no room, however little there is. */
	assert_true(jc_held_texts_add(&texts, list[3], 0));
	assert_int_equal(texts.bytes, 210);
	jc_held_texts_remove(&texts, list[3]);
	assert_int_equal(texts.bytes, 210);
	/* From the middle outwards, so that the list moves. */
	for (size_t i = 0; i < 20; i++) {
		size_t at = (i * 7 + 3) % 20;

		jc_held_texts_remove(&texts, list[at]);
		bytes -= at + 1;
		assert_int_equal(texts.bytes, bytes);
		jc_shared_text_drop(list[at]);
	}
	assert_int_equal(texts.count, 0);
	jc_held_texts_finish(&texts);
	jc_shared_text_drop(more);
}

static void an_address_holds_32_mib_over_all_its_sessions(void **state)
{
	struct setting *setting = *state;
	size_t half = JC_MAX_QUEUED_BYTES_OF_ADDRESS / 2;

	assert_int_equal(put_new(&setting->queues[0], half - 10, false), JC_OK);
	assert_int_equal(put_new(&setting->queues[0], 10, true), JC_OK);
	struct jc_shared_text *shared = make_text(half);

	assert_int_equal(jc_send_queue_put(&setting->queues[1], shared, false), JC_OK);
	assert_int_equal(setting->total, JC_MAX_QUEUED_BYTES_OF_ADDRESS);
	size_t length = setting->queues[1].length;

	assert_int_equal(put_new(&setting->queues[1], 1, false), JC_ERROR_LIMIT);
	assert_int_equal(put_new(&setting->queues[1], 1, true), JC_ERROR_LIMIT);
	assert_int_equal(setting->queues[1].length, length);
	assert_int_equal(setting->total, JC_MAX_QUEUED_BYTES_OF_ADDRESS);
	/* Neither is another address concerned. */
	assert_int_equal(jc_send_queue_put(&setting->queues[2], shared, false), JC_OK);
	assert_int_equal(setting->total, JC_MAX_QUEUED_BYTES_OF_ADDRESS + half);
	/* A text that leaves makes room. */
	jc_send_queue_shift(&setting->queues[0]);
	assert_int_equal(put_new(&setting->queues[1], 1, true), JC_OK);
	jc_shared_text_drop(shared);
}

static void full_address_accepts_a_text_that_it_already_holds(void **state)
{
	struct setting *setting = *state;
	struct jc_shared_text *shared = make_text(1000);
	size_t half = JC_MAX_QUEUED_BYTES_OF_ADDRESS / 2;

	assert_int_equal(jc_send_queue_put(&setting->queues[0], shared, false), JC_OK);
	assert_int_equal(put_new(&setting->queues[0], half, false), JC_OK);
	assert_int_equal(put_new(&setting->queues[1], half - 1000, false), JC_OK);
	assert_int_equal(put_new(&setting->queues[1], 1, false), JC_ERROR_LIMIT);
	assert_int_equal(jc_send_queue_put(&setting->queues[1], shared, false), JC_OK);
	assert_int_equal(setting->total, JC_MAX_QUEUED_BYTES_OF_ADDRESS);
	jc_shared_text_drop(shared);
}

/* Sessions of many addresses share the memory of the server. */
static void all_addresses_together_hold_256_mib(void **state)
{
	struct setting *setting = *state;

	setting->total = JC_MAX_QUEUED_BYTES_OF_ALL;
	assert_int_equal(put_new(&setting->queues[0], 100, true), JC_OK);
	/* The last text may exceed the limit; no further text fits. */
	assert_int_equal(setting->total, JC_MAX_QUEUED_BYTES_OF_ALL + 100);
	for (size_t i = 0; i < QUEUES; i++) {
		assert_int_equal(put_new(&setting->queues[i], 1, true), JC_ERROR_LIMIT);
		assert_int_equal(put_new(&setting->queues[i], 1, false), JC_ERROR_LIMIT);
	}
	assert_int_equal(setting->total, JC_MAX_QUEUED_BYTES_OF_ALL + 100);
	jc_send_queue_shift(&setting->queues[0]);
	assert_int_equal(put_new(&setting->queues[2], 1, false), JC_OK);
	setting->total -= JC_MAX_QUEUED_BYTES_OF_ALL;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(texts_leave_in_order),
		TEST(a_queue_holds_128_messages),
		TEST(own_texts_fill_at_most_2_mib_of_a_queue),
		TEST(a_shared_text_counts_once_for_an_address),
		cmocka_unit_test(distinguishes_held_texts),
		TEST(an_address_holds_32_mib_over_all_its_sessions),
		TEST(full_address_accepts_a_text_that_it_already_holds),
		TEST(all_addresses_together_hold_256_mib),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
