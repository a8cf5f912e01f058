/* Publishes bundles as frames. The head of a frame fits into the headroom of a bundle, so packets
 * are not copied before the outlet copies them. */
#include "cluster/origin/exported_view.h"

#include <stddef.h>
#include <string.h>

#include "cluster/frame_message.h"

_Static_assert(JC_BUNDLE_HEADROOM >= JC_FRAME_MESSAGE_HEAD,
	"the headroom of a bundle has room for the head of a frame");

static void write_head(const struct jc_exported_view *exported, enum jc_frame_kind kind,
	uint32_t tick, uint8_t out_head[JC_FRAME_MESSAGE_HEAD])
{
	const struct jc_space *space = exported->view.fanout->space;
	const struct jc_frame_message message = { .kind = kind,
		.space = exported->exporter.number,
		.tick = tick,
		.revision = jc_space_revision(space),
		.sent_us = jc_clock_server_us(exported->exporter.clock, jc_clock_now_ns()) };

	jc_frame_message_write(&message, out_head);
}

/* A bundle without its head: its packets, with the head of a frame in front of them. */
static size_t make_frame(const struct jc_exported_view *exported, enum jc_frame_kind kind,
	struct jc_bundle_head *head, uint8_t *bytes, size_t length, const uint8_t **out_frame)
{
	int size = jc_bundle_read_head(bytes, length, head, head);
	uint8_t *packets = bytes + size;

	write_head(exported, kind, head->tick, packets - JC_FRAME_MESSAGE_HEAD);
	*out_frame = packets - JC_FRAME_MESSAGE_HEAD;
	return length - (size_t)size + JC_FRAME_MESSAGE_HEAD;
}

static bool is_ready(const struct jc_subscriber *subscriber)
{
	(void)subscriber;
	return true;
}

static enum jc_delivery on_bundle(struct jc_subscriber *subscriber, uint8_t *bytes, size_t length)
{
	struct jc_exported_view *exported = (struct jc_exported_view *)subscriber;
	const uint8_t *frame;
	size_t size = make_frame(exported, JC_FRAME_TICK, &exported->head, bytes, length, &frame);

	exported->exporter.outlet->ops->publish(
		exported->exporter.outlet, exported->subject, frame, size);
	exported->has_sent = true;
	exported->sent_tick = exported->head.tick;
	exported->frames++;
	return JC_DELIVERED;
}

static struct jc_exported_view *of_rejoins(struct jc_subscriber *subscriber)
{
	return (struct jc_exported_view *)((char *)subscriber -
					   offsetof(struct jc_exported_view, rejoin_subscriber));
}

static enum jc_delivery on_rejoin_bundle(
	struct jc_subscriber *subscriber, uint8_t *bytes, size_t length)
{
	struct jc_exported_view *exported = of_rejoins(subscriber);
	const uint8_t *frame;
	size_t size = make_frame(
		exported, JC_FRAME_REJOIN, &exported->rejoin_head, bytes, length, &frame);

	exported->is_rejoining = false;
	exported->has_rejoined = true;
	exported->rejoined_tick = exported->rejoin_head.tick;
	if (exported->exporter.outlet->ops->publish_spare(
		    exported->exporter.outlet, exported->subject, frame, size)) {
		exported->wants_rejoin = false;
		exported->rejoins++;
	}
	return JC_DELIVERED;
}

static void ignore_roster(struct jc_subscriber *subscriber, struct jc_view *view,
	const struct jc_announcement *announcement)
{
	(void)subscriber;
	(void)view;
	(void)announcement;
}

static const struct jc_subscriber_ops frame_ops = {
	.is_ready = is_ready, .bundle = on_bundle, .roster_changed = ignore_roster
};

static const struct jc_subscriber_ops rejoin_ops = {
	.is_ready = is_ready, .bundle = on_rejoin_bundle, .roster_changed = ignore_roster
};

/* Shared with all clients that chose the same; a view of its own would encode again. */
static int subscribe(struct jc_view *view, const struct jc_stream_spec *spec)
{
	const struct jc_view_options options = { .spec = *spec };
	int status;

	view->finest = spec->finest;
	status = jc_view_subscribe(view, &options, false);
	if (status == JC_OK && !view->shared_view) {
		jc_view_unsubscribe(view);
		status = JC_ERROR_LIMIT;
	}
	return status;
}

int jc_exported_view_begin(struct jc_exported_view *exported, struct jc_fanout *fanout,
	const struct jc_wanted_view *wanted, const struct jc_exporter *exporter)
{
	int status;

	*exported = (struct jc_exported_view){
		.subscriber = { .ops = &frame_ops, .is_aside = true },
		.rejoin_subscriber = { .ops = &rejoin_ops, .is_aside = true },
		.exporter = *exporter,
		.wanted = *wanted,
	};
	jc_subject_of_frames(
		jc_space_options(fanout->space)->name, wanted->token, exported->subject);
	jc_view_join(&exported->view, fanout, &exported->subscriber);
	jc_view_join(&exported->rejoin_view, fanout, &exported->rejoin_subscriber);
	status = subscribe(&exported->view, &wanted->spec);
	if (status != JC_OK) {
		jc_exported_view_end(exported);
	}
	return status;
}

void jc_exported_view_end(struct jc_exported_view *exported)
{
	jc_view_leave(&exported->view);
	jc_view_leave(&exported->rejoin_view);
}

/* The second subscriber is in the view until it has had its bundle, and not more often than a
 * client may request rejoin packets. */
static void follow_requests(struct jc_exported_view *exported, uint32_t tick)
{
	uint32_t hz = jc_space_options(exported->view.fanout->space)->hz;
	bool may_join = !exported->has_rejoined ||
			tick + 1 - exported->rejoined_tick >= hz / JC_MAX_KEYFRAMES_PER_SECOND;

	if (!exported->is_rejoining) {
		jc_view_unsubscribe(&exported->rejoin_view);
	}
	if (exported->wants_rejoin && may_join && !exported->is_rejoining) {
		/* The shared view exists, so nothing is allocated. */
		exported->is_rejoining =
			subscribe(&exported->rejoin_view, &exported->wanted.spec) == JC_OK;
	}
}

void jc_exported_view_ticked(struct jc_exported_view *exported, uint32_t tick)
{
	if (tick % exported->wanted.spec.rate == 0 &&
		!(exported->has_sent && exported->sent_tick == tick)) {
		uint8_t head[JC_FRAME_MESSAGE_HEAD];

		write_head(exported, JC_FRAME_TICK, tick, head);
		exported->exporter.outlet->ops->publish(
			exported->exporter.outlet, exported->subject, head, sizeof(head));
		exported->has_sent = true;
		exported->sent_tick = tick;
		exported->frames++;
	}
	follow_requests(exported, tick);
}
