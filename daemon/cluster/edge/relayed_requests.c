/* The requests of a relayed space to its origin, and the frames of its views. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/ticker.h"
#include "cluster/edge/relayed_skeletons.h"
#include "cluster/edge/relayed_space.h"
#include "cluster/frame_message.h"
#include "cluster/view_spec.h"
#include "jointcast_private/json.h"
#include "space/fanout.h"

#define SECOND          INT64_C(1000000000)
#define TIMEOUT_MS      1000
#define INTEREST_EVERY  (2 * SECOND)
#define CLOCK_EVERY     (2 * SECOND)
#define FIRST_CLOCKS    (SECOND / 4) /* until there are some samples */
#define STATE_EVERY     SECOND
#define PROBE_EVERY     (SECOND / 10)
#define QUIET_NS        (SECOND / 5) /* without frames after frames: the origin may be gone */
#define REJOIN_EVERY    (SECOND / JC_MAX_KEYFRAMES_PER_SECOND)
#define TICK_DEVIATION  (10 * SECOND) /* of the time of a frame's tick from now */
#define CLOCKS_AT_FIRST 4u

/* A view on NATS. */
struct link {
	struct jc_relayed_space *space;
	uint32_t number;
	struct jc_nats_subscription *subscription;
	int64_t asked_ns;
	char token[JC_VIEW_TOKEN];
};

int jc_relayed_request(
	struct jc_relayed_space *space, json_t *message, jc_nats_handler *handler, void *context)
{
	char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
	int status = JC_ERROR_MEMORY;

	if (text) {
		status = jc_nats_link_request(space->context->link, space->request_subject, text,
			strlen(text), TIMEOUT_MS, handler, context);
	}
	free(text);
	json_decref(message);
	return status;
}

json_t *jc_relayed_request_answer(const struct jc_nats_message *message)
{
	return message ? json_loadb((const char *)message->bytes, message->length,
				 JSON_REJECT_DUPLICATES, NULL)
		       : NULL;
}

/* The complete state. */

static void on_state(void *context, const struct jc_nats_message *message)
{
	struct jc_relayed_space *space = context;

	space->is_state_asked = false;
	if (message) {
		jc_relayed_space_take_state(space, (const char *)message->bytes, message->length);
		jc_relayed_requests_follow(space, jc_clock_now_ns());
	}
}

static void ask_state(struct jc_relayed_space *space, int64_t now_ns)
{
	int64_t ahead_us;

	if (!space->needs_state || space->is_state_asked || space->arrived ||
		!jc_origin_clock_ahead(&space->clock, 0, &ahead_us) ||
		(space->state_asked_ns > 0 && now_ns - space->state_asked_ns < STATE_EVERY)) {
		return;
	}
	space->state_asked_ns = now_ns;
	space->is_state_asked = jc_relayed_request(space, json_pack("{ss}", "type", "state"),
					on_state, space) == JC_OK;
}

/* The origin's clock. */

static void on_time(void *context, const struct jc_nats_message *message)
{
	struct jc_relayed_space *space = context;
	json_t *answer = jc_relayed_request_answer(message);
	long long t = 0, time = 0;

	space->is_clock_asked = false;
	if (answer && jc_json_is_integer(json_object_get(answer, "t"), &t) &&
		jc_json_is_integer(json_object_get(answer, "time"), &time) &&
		t == space->clock_sent_us) {
		jc_origin_clock_add(&space->clock, t, time,
			jc_clock_server_us(&space->context->spaces->clock, message->arrived_ns));
		ask_state(space, jc_clock_now_ns());
	}
	json_decref(answer);
}

static void ask_time(struct jc_relayed_space *space, int64_t now_ns)
{
	int64_t every = space->clock.count < CLOCKS_AT_FIRST ? FIRST_CLOCKS : CLOCK_EVERY;

	if (space->is_clock_asked ||
		(space->clock_asked_ns > 0 && now_ns - space->clock_asked_ns < every)) {
		return;
	}
	space->clock_sent_us = jc_clock_server_us(&space->context->spaces->clock, now_ns);
	space->clock_asked_ns = now_ns;
	space->is_clock_asked = jc_relayed_request(space,
					json_pack("{ss sI}", "type", "clock", "t",
						(json_int_t)space->clock_sent_us),
					on_time, space) == JC_OK;
}

/* Whether the origin is there: where it is not, the server says so at once (jc_edge_unheard). */

static void on_probed(void *context, const struct jc_nats_message *message)
{
	struct jc_relayed_space *space = context;

	(void)message;
	space->is_probed = false;
}

void jc_relayed_requests_probe(struct jc_relayed_space *space, int64_t now_ns)
{
	if (!space->is_probed && now_ns - space->probed_ns >= PROBE_EVERY) {
		space->probed_ns = now_ns;
		space->is_probed =
			jc_relayed_request(space, json_pack("{ss si}", "type", "clock", "t", 0),
				on_probed, space) == JC_OK;
	}
}

/* Frames. */

/* In the time of this daemon. */
static int64_t sent_ns(const struct jc_relayed_space *space, int64_t sent_us)
{
	int64_t limit = INT64_C(1) << 50; /* microseconds: 35 years */

	return sent_us > limit ? INT64_MAX
			       : space->context->spaces->clock.epoch_ns +
					 (sent_us + space->ahead_us) * 1000;
}

/* A tick that is far from its time is damage: later frames would count as old. */
static bool is_plausible(const struct jc_relayed_space *space, uint32_t tick, int64_t now_ns)
{
	const struct jc_space_options *options = jc_space_options(space->views.fanout->space);
	int64_t off_ns = now_ns - jc_tick_time_ns(options->start_ns, options->hz, tick);

	return off_ns < TICK_DEVIATION && off_ns > -TICK_DEVIATION;
}

static void on_frame(void *context, const struct jc_nats_message *message)
{
	struct link *link = context;
	struct jc_relayed_space *space = link->space;
	struct jc_awaited_view *awaited = jc_relayed_views_find(&space->views, link->number);
	int64_t now_ns = jc_clock_now_ns();
	struct jc_frame_message frame;

	if (!message || !awaited || !space->has_state) {
		return;
	}
	if (jc_frame_message_read(message->bytes, message->length, &frame) != JC_OK ||
		frame.space != space->origin_id || !is_plausible(space, frame.tick, now_ns)) {
		space->refused++;
		return;
	}
	if (frame.kind == JC_FRAME_REJOIN) {
		jc_relayed_view_take_rejoin(
			awaited->view, frame.tick, frame.packets, frame.packets_length);
		return;
	}
	jc_relayed_space_heard(space, true, now_ns);

	const struct jc_relayed_frame relayed = { .tick = frame.tick,
		.sent_ns = sent_ns(space, frame.sent_us),
		.is_early = frame.revision > space->revision,
		.packets = frame.packets,
		.length = frame.packets_length };

	space->early += relayed.is_early;
	space->needs_state |= relayed.is_early && space->change_count == 0;
	jc_relayed_views_take(&space->views, awaited, &relayed, now_ns);
	if (space->views.is_waiting && space->views.since_ns == now_ns) {
		space->context->on_waiting(space->context->owner);
	}
	jc_relayed_requests_follow(space, now_ns);
}

/* The packets come on the subject of the view. */
static void on_rejoin_asked(void *context, const struct jc_nats_message *message)
{
	(void)context;
	(void)message;
}

static void ask_rejoin(
	struct jc_relayed_space *space, struct jc_awaited_view *awaited, int64_t now_ns)
{
	struct link *link = awaited->link;

	if (!awaited->view->wants_rejoin || !awaited->view->has_tick || !link ||
		now_ns - link->asked_ns < REJOIN_EVERY) {
		return;
	}
	awaited->view->wants_rejoin = false;
	link->asked_ns = now_ns;
	space->rejoins++;
	jc_relayed_request(space, json_pack("{ss ss}", "type", "rejoin", "view", link->token),
		on_rejoin_asked, link);
}

/* Interest. */

static void begin_link(struct jc_relayed_space *space, struct jc_awaited_view *awaited)
{
	struct link *link = calloc(1, sizeof(*link));
	char subject[JC_MAX_NATS_SUBJECT];

	if (link && jc_view_token(&awaited->view->spec, link->token) == JC_OK) {
		link->space = space;
		link->number = awaited->number;
		jc_subject_of_frames(space->name, link->token, subject);
		if (jc_nats_link_subscribe(space->context->link, subject, on_frame, link,
			    &link->subscription) == JC_OK) {
			awaited->link = link;
			return;
		}
	}
	free(link);
}

static void on_unused(struct jc_relayed_views *views, struct jc_awaited_view *awaited)
{
	struct jc_relayed_space *space = (struct jc_relayed_space *)views;
	struct link *link = awaited->link;

	if (link) {
		jc_nats_link_forget(space->context->link, link);
		jc_nats_subscription_end(link->subscription);
		free(link);
		awaited->link = NULL;
	}
}

/* Whether the answer to interest says that the origin does not export the view. */
static bool is_left_out(const json_t *answer, const struct jc_awaited_view *awaited)
{
	const struct link *link = awaited->link;
	const json_t *list = json_object_get(answer, "leftOut");

	if (json_object_get(answer, "error")) {
		return !awaited->view->has_tick; /* the earlier list holds */
	}
	for (size_t i = 0; link && i < json_array_size(list); i++) {
		const char *token = json_string_value(json_array_get(list, i));

		if (token && strcmp(token, link->token) == 0) {
			return true;
		}
	}
	return false;
}

static void on_interest(void *context, const struct jc_nats_message *message)
{
	struct jc_relayed_space *space = context;
	json_t *answer = jc_relayed_request_answer(message);

	for (size_t i = answer ? space->views.count : 0; i-- > 0;) {
		if (is_left_out(answer, space->views.list[i])) {
			jc_relayed_views_refuse(&space->views, i, jc_clock_now_ns());
		}
	}
	json_decref(answer);
}

static void send_interest(struct jc_relayed_space *space, int64_t now_ns)
{
	const struct jc_fanout *fanout = space->views.fanout;
	json_t *list = json_array();

	/* The first ones are exported first. */
	for (int rank = 0; rank < 2; rank++) {
		for (size_t i = 0; i < space->views.count; i++) {
			const struct jc_stream_spec *spec = &space->views.list[i]->view->spec;

			if (jc_stream_spec_is_source(spec) == (rank == 0)) {
				json_array_append_new(list, jc_view_spec_pack(spec));
			}
		}
	}
	space->interest_sent_ns = now_ns;
	space->has_interest = space->views.count > 0;
	space->views.is_changed = false;
	jc_relayed_request(space,
		json_pack("{ss so si}", "type", "interest", "views", list, "watched",
			fanout && fanout->view_count < JC_MAX_CONNECTIONS ? (int)fanout->view_count
									  : 0),
		on_interest, space);
}

void jc_relayed_requests_follow(struct jc_relayed_space *space, int64_t now_ns)
{
	struct jc_relayed_views *views = &space->views;

	for (size_t i = 0; i < views->count; i++) {
		if (!views->list[i]->link) {
			begin_link(space, views->list[i]);
		}
		ask_rejoin(space, views->list[i], now_ns);
	}
	/* A view is subscribed to before the origin publishes it. */
	if (space->has_state &&
		(views->is_changed || (space->has_interest && now_ns - space->interest_sent_ns >=
								      INTEREST_EVERY))) {
		send_interest(space, now_ns);
	}
}

static void on_subscribed(struct jc_relayed_views *views)
{
	int64_t now_ns = jc_clock_now_ns();

	jc_relayed_views_sweep(views, now_ns);
	jc_relayed_requests_follow((struct jc_relayed_space *)views, now_ns);
}

static void on_change(void *context, const struct jc_nats_message *message)
{
	struct jc_relayed_space *space = context;
	int64_t now_ns = jc_clock_now_ns();
	const char *bytes = NULL;
	size_t length = 0;

	if (!message || jc_parts_take(&space->parts, message->bytes, message->length, now_ns,
				&bytes, &length) != JC_OK) {
		space->refused++;
		/* A change may be lost. */
		space->needs_state = true;
	} else if (bytes) {
		jc_relayed_space_take_change(space, bytes, length, now_ns);
	}
}

void jc_relayed_requests_begin(struct jc_relayed_space *space)
{
	jc_subject_of_space(space->name, JC_SUBJECT_STATE, space->state_subject);
	jc_subject_of_edge(
		space->name, JC_SUBJECT_REQUESTS, space->context->edge, space->request_subject);
	space->views.on_unused = on_unused;
	space->views.on_subscribed = on_subscribed;
	jc_nats_link_subscribe(space->context->link, space->state_subject, on_change, space,
		&space->state_subscription);
}

void jc_relayed_requests_sweep(struct jc_relayed_space *space, int64_t now_ns)
{
	ask_time(space, now_ns);
	ask_state(space, now_ns);
	if (space->is_flowing && space->silence == JC_RELAYED_HEARD &&
		now_ns - space->heard_ns >= QUIET_NS) {
		jc_relayed_requests_probe(space, now_ns);
	}
	jc_relayed_views_sweep(&space->views, now_ns);
	jc_relayed_requests_follow(space, now_ns);
	jc_relayed_people_sweep(space, now_ns);
}

void jc_relayed_requests_restart(struct jc_relayed_space *space, int64_t now_ns)
{
	jc_nats_link_forget(space->context->link, space);
	space->is_clock_asked = space->is_state_asked = space->is_probed = false;
	space->clock = (struct jc_origin_clock){ .count = 0 };
	space->clock_asked_ns = space->state_asked_ns = 0;
	jc_relayed_people_restart(space);
	jc_relayed_skeletons_restart(space);
	ask_time(space, now_ns);
}

void jc_relayed_requests_end(struct jc_relayed_space *space)
{
	jc_nats_link_forget(space->context->link, space);
	jc_nats_subscription_end(space->state_subscription);
	jc_relayed_skeletons_release(space);
	jc_relayed_people_end(space);
	jc_relayed_views_finish(&space->views);
	jc_parts_finish(&space->parts);
}
