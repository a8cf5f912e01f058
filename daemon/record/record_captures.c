/* Collects the captures of a tick. Captures are stored unchanged, except those of tracked
 * bodies that are recorded only as poses: the pose is encoded as a capture here. */
#include "record/record_captures.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast/capture.h"
#include "source/capture_intake.h"

#define BYTES    (JC_MAX_BODIES * (JC_CAPTURE_BYTES + 6u) + 5u)
#define CAPTURES (JC_MAX_BODIES * JC_MAX_INTAKE_CAPTURES)

/* The capture time of the newest recorded pose of a body. */
struct seen {
	uint32_t body;
	int64_t capture_ns;
};

struct jc_record_captures {
	const struct jc_clock *clock;
	size_t seen_count;
	struct seen seen[JC_MAX_BODIES];
	bool has_rests; /* the last message of T-poses contained some */
	/* The tick in progress. */
	size_t count;
	struct jc_recorded_capture list[CAPTURES];
	size_t pose_count;
	uint8_t poses[JC_MAX_BODIES][JC_CAPTURE_BYTES];
	uint64_t lost;
	struct jc_capture capture;
	uint8_t message[BYTES];
};

int jc_record_captures_create(
	const struct jc_clock *clock, struct jc_record_captures **out_captures)
{
	struct jc_record_captures *captures = calloc(1, sizeof(*captures));

	if (!captures) {
		return JC_ERROR_MEMORY;
	}
	captures->clock = clock;
	*out_captures = captures;
	return JC_OK;
}

void jc_record_captures_destroy(struct jc_record_captures *captures)
{
	free(captures);
}

static bool is_new(struct jc_record_captures *captures, uint32_t body, int64_t capture_ns)
{
	size_t i = 0;

	while (i < captures->seen_count && captures->seen[i].body != body) {
		i++;
	}
	if (i == captures->seen_count) {
		/* Body ids are never reused; the oldest entry makes room. */
		if (captures->seen_count == JC_MAX_BODIES) {
			memmove(captures->seen, captures->seen + 1,
				(JC_MAX_BODIES - 1) * sizeof(*captures->seen));
			i--;
		} else {
			captures->seen_count++;
		}
	} else if (capture_ns <= captures->seen[i].capture_ns) {
		return false;
	}
	captures->seen[i] = (struct seen){ body, capture_ns };
	return true;
}

static void add(
	struct jc_record_captures *captures, uint32_t body, const uint8_t *bytes, size_t length)
{
	if (captures->count < CAPTURES) {
		captures->list[captures->count++] =
			(struct jc_recorded_capture){ body, bytes, length };
	}
}

/* Adds the solved pose instead of the body frame, which would reveal bone lengths. */
static void add_pose(struct jc_record_captures *captures, const struct jc_body *body,
	const struct jc_source_sample *sample)
{
	struct jc_capture *capture = &captures->capture;
	uint8_t *bytes = captures->poses[captures->pose_count];
	int64_t time_us = jc_clock_server_us(captures->clock, sample->capture_ns);
	int length;

	if (sample->held || !sample->live || captures->pose_count == JC_MAX_BODIES ||
		!is_new(captures, body->id, sample->capture_ns)) {
		return;
	}
	capture->time_us = time_us > 0 ? time_us : 0;
	capture->cut = sample->cut;
	capture->value_count = body->source->channels.value_count;
	memcpy(capture->values, sample->values, capture->value_count * sizeof(*capture->values));
	length = jc_pose_encode(capture, &sample->pose, bytes, JC_CAPTURE_BYTES);
	if (length < 0) {
		captures->lost++;
		return;
	}
	captures->pose_count++;
	add(captures, body->id, bytes, (size_t)length);
}

void jc_record_captures_take(struct jc_record_captures *captures,
	const struct jc_record_roster *roster, const struct jc_body *body,
	const struct jc_source_sample *sample)
{
	const struct jc_capture_intake *intake = body->source->intake;
	enum jc_recorded recorded = jc_record_roster_form(roster, body);

	if (recorded == JC_RECORDED_NOTHING) {
		return;
	}
	if (!intake || (body->source->tracked && recorded != JC_RECORDED_RAW)) {
		add_pose(captures, body, sample);
		return;
	}
	for (size_t i = 0; i < jc_capture_intake_count(intake); i++) {
		const uint8_t *bytes;
		size_t length;

		jc_capture_intake_capture(intake, i, &bytes, &length);
		add(captures, body->id, bytes, length);
	}
}

/* Queues as many captures of the list as fit into a message. Returns their number. */
static size_t put(struct jc_record_captures *captures, const struct jc_recorded_capture *list,
	size_t count, const struct jc_record_entry *like, uint32_t tick,
	struct jc_record_queue *queue)
{
	struct jc_record_entry head = *like;
	int length = jc_recording_format_captures(
		tick, list, count, captures->message, sizeof(captures->message));

	while (length < 0 && count > 0) {
		queue->lost++;
		length = jc_recording_format_captures(
			tick, list, --count, captures->message, sizeof(captures->message));
	}
	head.captures = (uint32_t)count;
	head.length = (size_t)length;
	return jc_record_queue_put(queue, &head, captures->message) ? count : 0;
}

size_t jc_record_captures_count(const struct jc_record_captures *captures)
{
	return captures->count;
}

size_t jc_record_captures_put(struct jc_record_captures *captures, uint32_t tick, int64_t time_us,
	struct jc_record_queue *queue)
{
	const struct jc_record_entry head = {
		.topic = JC_TOPIC_CAPTURES, .role = JC_RECORD_ONCE, .time_us = time_us
	};
	size_t count = 0;

	queue->lost += captures->lost;
	if (captures->count > 0) {
		count = put(captures, captures->list, captures->count, &head, tick, queue);
	}
	captures->count = captures->pose_count = captures->lost = 0;
	return count;
}

void jc_record_captures_put_rests(struct jc_record_captures *captures,
	const struct jc_record_roster *roster, const struct jc_space *space, uint32_t tick,
	int64_t time_us, struct jc_record_queue *queue)
{
	const struct jc_record_entry head = {
		.topic = JC_TOPIC_CAPTURES, .role = JC_RECORD_LAST, .time_us = time_us
	};
	struct jc_recorded_capture rests[JC_MAX_BODIES];
	size_t count = 0;

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);
		const uint8_t *bytes;

		if (jc_record_roster_form(roster, body) == JC_RECORDED_RAW) {
			size_t length = jc_capture_intake_rest(body->source->intake, &bytes);

			if (length > 0) {
				rests[count++] =
					(struct jc_recorded_capture){ body->id, bytes, length };
			}
		}
	}
	/* An empty message replaces earlier T-poses: their bodies have left or withdrawn
	 * consent. */
	if (count > 0 || captures->has_rests) {
		put(captures, rests, count, &head, tick, queue);
		captures->has_rests = count > 0;
	}
}
