/* Every packet of the daemon is written here. */
#include "space/feed.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/retarget.h"

struct jc_feed *jc_feed_create(struct jc_outfit *outfit, const struct jc_wish *wish)
{
	struct jc_feed *feed =
		calloc(1, wish->chains ? sizeof(*feed) : offsetof(struct jc_feed, stream));

	if (feed) {
		feed->outfit = jc_outfit_wear(outfit);
		feed->wish = *wish;
	}
	return feed;
}

void jc_feed_destroy(struct jc_feed *feed)
{
	if (!feed) {
		return;
	}
	if (feed->outfit) {
		jc_outfit_take_off(feed->outfit);
	}
	free(feed);
}

void jc_feed_restart(struct jc_feed *feed)
{
	feed->met = feed->cut = false;
	feed->sequence = 0;
	feed->encoded = feed->told = 0;
}

void jc_fit_init(struct jc_fit *fit, const struct jc_moment *moment, const struct jc_outfit *outfit)
{
	fit->moment = moment;
	fit->outfit = outfit;
	fit->has_pose = fit->has_frame = fit->has_virtuals = false;
}

static const struct jc_skeleton_pose *fit_pose(struct jc_fit *fit)
{
	if (!fit->has_pose) {
		jc_retargeter_apply(fit->outfit->retargeter, &fit->moment->pose, &fit->pose);
		fit->has_pose = true;
	}
	return &fit->pose;
}

static void fit_frame(struct jc_fit *fit)
{
	const struct jc_moment *moment = fit->moment;
	struct jc_stream_frame *frame = &fit->frame;

	if (fit->has_frame) {
		return;
	}
	jc_retargeter_fold(fit->outfit->retargeter, &moment->pose, frame->rotations, frame->states,
		&frame->hips_translation);
	frame->has_placement = moment->placement != NULL;
	if (moment->placement) {
		frame->placement = *moment->placement;
	}
	for (size_t i = 0; i < moment->value_count; i++) {
		frame->values[i] = fminf(fmaxf(moment->values[i], -1.0f), 1.0f);
	}
	fit->has_frame = true;
}

static size_t virtual_count(const struct jc_outfit *outfit)
{
	size_t count = jc_skeleton_virtual_transform_count(outfit->skeleton);

	return count < JC_LIMIT_STREAM_VIRTUALS ? count : JC_LIMIT_STREAM_VIRTUALS;
}

/* Where virtual transforms stand, for who wants to know. */
static void fit_virtuals(struct jc_fit *fit)
{
	const struct jc_outfit *outfit = fit->outfit;
	struct jc_stream_frame *frame = &fit->frame;

	if (fit->has_virtuals || !outfit->virtuals) {
		return;
	}
	jc_skeleton_locals(outfit->skeleton, fit_pose(fit), outfit->locals);
	jc_skeleton_worlds(outfit->skeleton, outfit->locals, outfit->worlds);
	jc_virtual_transforms_evaluate(outfit->skeleton, outfit->worlds, outfit->virtuals);
	for (size_t i = 0; i < virtual_count(outfit); i++) {
		frame->virtual_rotations[i] = outfit->virtuals[i].rotation;
		frame->virtual_positions[i] = outfit->virtuals[i].translation;
	}
	fit->has_virtuals = true;
}

static void put(struct jc_feed_packet *packet, const struct jc_packet_head *head,
	const uint8_t *payload, size_t length)
{
	int size = jc_bundle_append(head, payload, length, packet->bytes, sizeof(packet->bytes));

	assert(size > 0);
	packet->length = (uint16_t)size;
	packet->cut = head->cut;
	packet->needs_state = head->needs_state;
}

static bool encode_plain(struct jc_feed *feed, struct jc_fit *fit, struct jc_packet_head *head)
{
	uint8_t payload[JC_LIMIT_PACKET_BYTES];
	int length =
		jc_payload_encode(fit_pose(fit), fit->moment->placement, payload, sizeof(payload));

	if (length < 0) {
		return false;
	}
	head->sequence = feed->sequence;
	feed->sequence = (feed->sequence + 1) & JC_SEQUENCE_MASK;
	put(&feed->common, head, payload, (size_t)length);
	return true;
}

/* The chains are made ready for what there is to carry. */
static void prepare(struct jc_feed *feed, const struct jc_moment *moment)
{
	if (!feed->met) {
		jc_stream_init(&feed->stream, feed->wish.precision, feed->wish.sections,
			jc_skeleton_bone_mask(feed->outfit->skeleton));
		jc_stream_pace(&feed->stream, (uint8_t)feed->wish.rate);
	}
	if (!feed->met || feed->channels_revision != moment->channels_revision) {
		jc_stream_carry(&feed->stream, moment->value_count, virtual_count(feed->outfit));
		feed->channels_revision = moment->channels_revision;
	}
	feed->met = true;
}

static bool encode_chains(
	struct jc_feed *feed, struct jc_fit *fit, bool alive, struct jc_packet_head *head)
{
	struct jc_stream_packet packet;

	prepare(feed, fit->moment);
	fit_frame(fit);
	if (feed->wish.sections & JC_STREAM_SECTION(JC_SECTION_VIRTUALS)) {
		fit_virtuals(fit);
	}
	if (jc_stream_encode(&feed->stream, &fit->frame, alive, feed->wants_rejoin, &packet) !=
			JC_OK ||
		!packet.is_sent) {
		return false;
	}
	head->sequence = packet.sequence;
	head->needs_state = packet.needs_state;
	head->shape = packet.shape;
	put(&feed->common, head, packet.bytes, packet.length);
	if (feed->wants_rejoin) {
		head->needs_state = false;
		head->shape = JC_SHAPE_LIST;
		put(&feed->rejoin, head, packet.rejoin, packet.rejoin_length);
	}
	return true;
}

/* A mean of about a second; beginnings say nothing of what comes. */
static void measure(struct jc_feed *feed, uint32_t hz)
{
	float share = (float)feed->wish.rate / (float)hz;
	float now = (float)feed->common.length / share;

	if (feed->common.length > 0 && !feed->common.needs_state && feed->wish.chains) {
		return;
	}
	feed->bytes_a_second += feed->is_measured ? share * (now - feed->bytes_a_second) : now;
	feed->is_measured = true;
}

void jc_feed_encode(struct jc_feed *feed, struct jc_fit *fit, uint32_t tick, uint32_t hz)
{
	struct jc_packet_head head = fit->moment->head;
	bool made;

	head.cut |= feed->cut;
	feed->common.length = feed->rejoin.length = 0;
	feed->is_fresh = true;
	feed->since = feed->encoded++ == 0 ? tick : feed->since;
	if (feed->wish.chains) {
		/* Twice a second at least, so that who listens knows of the body. */
		bool alive = head.cut || tick - feed->told + feed->wish.rate > hz / 2;

		made = encode_chains(feed, fit, alive, &head);
	} else {
		made = encode_plain(feed, fit, &head);
	}
	feed->cut = head.cut && !made;
	if (made) {
		feed->told = tick;
	}
	measure(feed, hz);
}
