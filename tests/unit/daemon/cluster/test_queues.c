/* Tests the memories between the loop and the threads of the link, without threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/link/message_queue.h"
#include "cluster/link/publish_ring.h"
#include "jointcast/error.h"
#include "unit_test.h"

static struct jc_arrived_message message(size_t bytes, bool is_frame)
{
	return (struct jc_arrived_message){ .bytes = bytes, .is_frame = is_frame };
}

static void queue_keeps_the_order(void **)
{
	struct jc_message_queue queue = { .most = 100 };
	struct jc_arrived_message messages[] = { message(10, true), message(10, false),
		message(10, true), message(10, false) };

	for (size_t i = 0; i < 4; i++) {
		assert_null(jc_message_queue_add(&queue, &messages[i]));
	}
	assert_int_equal(queue.bytes, 40);
	for (size_t i = 0; i < 4; i++) {
		assert_ptr_equal(jc_message_queue_shift(&queue), &messages[i]);
	}
	assert_null(jc_message_queue_shift(&queue));
	assert_int_equal(queue.bytes, 0);
	assert_int_equal(queue.highest, 40);
}

static void newest_frames_make_room(void **)
{
	struct jc_message_queue queue = { .most = 100 };
	struct jc_arrived_message frames[] = { message(30, true), message(30, true),
		message(30, true) };
	struct jc_arrived_message late = message(30, true), state = message(50, false);
	struct jc_arrived_message huge = message(80, false), *dropped;

	for (size_t i = 0; i < 3; i++) {
		assert_null(jc_message_queue_add(&queue, &frames[i]));
	}
	/* A frame that does not fit is the newest one itself. */
	assert_ptr_equal(jc_message_queue_add(&queue, &late), &late);
	assert_int_equal(queue.dropped_frames, 1);
	dropped = jc_message_queue_add(&queue, &state);
	assert_ptr_equal(dropped, &frames[1]);
	assert_ptr_equal(dropped->next, &frames[2]);
	assert_null(dropped->next->next);
	assert_int_equal(queue.dropped_frames, 3);
	/* The last frame goes too, but there is still no room. */
	dropped = jc_message_queue_add(&queue, &huge);
	assert_ptr_equal(dropped, &huge);
	assert_ptr_equal(dropped->next, &frames[0]);
	assert_null(dropped->next->next);
	assert_int_equal(queue.dropped_others, 1);
	assert_ptr_equal(jc_message_queue_shift(&queue), &state);
	assert_null(jc_message_queue_shift(&queue));
}

static void a_flood_of_one_edge_leaves_room_to_others(void **)
{
	enum { COUNT = 200 };
	struct jc_message_queue queue = { .most = 1000 };
	struct jc_arrived_message flood[COUNT], others[COUNT];
	size_t kept = 0, fitting = 0;

	for (size_t i = 0; i < COUNT; i++) {
		flood[i] = message(10, false);
		flood[i].sender = jc_message_sender("hostile");
		kept += !jc_message_queue_add(&queue, &flood[i]);
	}
	assert_int_equal(kept, 80); /* four times the rest */
	assert_int_equal(queue.dropped_others, COUNT - 80);
	for (size_t i = 0; i < COUNT; i++) {
		others[i] = message(10, false);
		others[i].sender = i % 2 ? jc_message_sender("honest") : 0;
		fitting += !jc_message_queue_add(&queue, &others[i]);
	}
	assert_true(fitting >= 18);
	while (jc_message_queue_shift(&queue)) {
	}
	assert_int_equal(queue.of_senders[jc_message_sender("hostile")], 0);
	assert_int_equal(queue.of_senders[jc_message_sender("honest")], 0);
	assert_int_not_equal(jc_message_sender("hostile"), jc_message_sender("honest"));
}

/* Against a list that does the same the slow way. */
static void queue_agrees_with_a_plain_list(void **)
{
	enum { STEPS = 20000, MOST = 1000 };
	struct jc_message_queue queue = { .most = MOST };
	struct jc_arrived_message *messages = calloc(STEPS, sizeof(*messages));
	size_t list[STEPS], count = 0;
	uint32_t random = 1;

	for (size_t step = 0; step < STEPS; step++) {
		random = random * 1664525 + 1013904223;
		if (random >> 29 < 3) {
			struct jc_arrived_message *first = jc_message_queue_shift(&queue);

			assert_ptr_equal(first, count ? &messages[list[0]] : NULL);
			if (count > 0) {
				memmove(list, list + 1, --count * sizeof(list[0]));
			}
			continue;
		}
		messages[step] = message((random >> 8) % 100 + 1, random >> 30 & 1);
		size_t used = 0;

		for (size_t i = 0; i < count; i++) {
			used += messages[list[i]].bytes;
		}
		for (size_t i = count; i > 0 && !messages[step].is_frame; i--) {
			if (MOST - used < messages[step].bytes && messages[list[i - 1]].is_frame) {
				used -= messages[list[i - 1]].bytes;
				memmove(list + i - 1, list + i, (count - i) * sizeof(list[0]));
				count--;
			}
		}
		if (MOST - used >= messages[step].bytes) {
			list[count++] = step;
			used += messages[step].bytes;
		}
		jc_message_queue_add(&queue, &messages[step]);
		assert_int_equal(queue.bytes, used);
	}
	free(messages);
}

static void ring_returns_messages_in_order(void **)
{
	enum { SIZE = 1024, STEPS = 20000 };
	struct jc_publish_ring ring;
	char subject[64], bytes[300];
	size_t added = 0, taken = 0, refused = 0;
	uint32_t random = 7;

	assert_int_equal(jc_publish_ring_init(&ring, SIZE), JC_OK);
	for (size_t step = 0; step < STEPS; step++) {
		random = random * 1664525 + 1013904223;
		if (random >> 31) {
			const size_t length = added * 37 % sizeof(bytes);
			struct jc_publish_record record = { subject, added % 3 ? NULL : "reply",
				(uint8_t *)bytes, length };

			snprintf(subject, sizeof(subject), "subject.%zu", added);
			memset(bytes, (int)(added % 251), length);
			if (jc_publish_ring_add(&ring, &record, SIZE) == JC_OK) {
				added++;
			} else {
				refused++;
			}
		} else {
			struct jc_publish_record record;
			bool is_some = jc_publish_ring_first(&ring, &record);

			assert_int_equal(is_some, taken < added);
			if (!is_some) {
				continue;
			}
			snprintf(subject, sizeof(subject), "subject.%zu", taken);
			assert_string_equal(record.subject, subject);
			assert_string_equal(record.reply, taken % 3 ? "" : "reply");
			assert_int_equal(record.length, taken * 37 % sizeof(bytes));
			memset(bytes, (int)(taken % 251), sizeof(bytes));
			assert_memory_equal(record.bytes, bytes, record.length);
			jc_publish_ring_drop(&ring);
			taken++;
		}
	}
	assert_true(refused > 100 && taken > 1000);
	jc_publish_ring_finish(&ring);
}

static void ring_leaves_a_part_to_some(void **)
{
	struct jc_publish_ring ring;
	const struct jc_publish_record record = { "a", NULL, (const uint8_t *)"0123456789", 10 };
	size_t frames = 0, others = 0;

	assert_int_equal(jc_publish_ring_init(&ring, 1024), JC_OK);
	while (jc_publish_ring_add(&ring, &record, 768) == JC_OK) {
		frames++;
	}
	while (jc_publish_ring_add(&ring, &record, 1024) == JC_OK) {
		others++;
	}
	assert_int_equal(frames, 3 * others);
	assert_int_equal(ring.used, 1024);
	jc_publish_ring_finish(&ring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(queue_keeps_the_order),
		cmocka_unit_test(newest_frames_make_room),
		cmocka_unit_test(a_flood_of_one_edge_leaves_room_to_others),
		cmocka_unit_test(queue_agrees_with_a_plain_list),
		cmocka_unit_test(ring_returns_messages_in_order),
		cmocka_unit_test(ring_leaves_a_part_to_some),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
