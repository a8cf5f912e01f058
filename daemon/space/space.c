/* Nothing is allocated per tick: the bundle is built in place, in a buffer the
 * space keeps. */
#include "space/space.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/ticker.h"
#include "jointcast/retarget.h"
#include "jointcast/transform.h"
#include "space/placement.h"

struct jc_space {
	struct jc_space_options options;
	char name[JC_MAX_SPACE_NAME];
	uint64_t revision;
	uint32_t next_id;
	size_t body_count;
	struct jc_body bodies[JC_MAX_BODIES];
	struct jc_arrangement arrangement;
	struct jc_sink *sinks;   /* owned */
	struct jc_bundle bundle; /* of the current tick */
	uint8_t payload[JC_LIMIT_PACKET_BYTES];
	uint8_t buffer[JC_BUNDLE_HEADROOM + JC_LIMIT_BUNDLE_BYTES];
};

int jc_space_create(const struct jc_space_options *options, struct jc_space **out_space)
{
	assert(strlen(options->name) < JC_MAX_SPACE_NAME);
	struct jc_space *space = calloc(1, sizeof(*space));

	if (!space) {
		return JC_ERROR_MEMORY;
	}
	space->options = *options;
	strcpy(space->name, options->name);
	space->options.name = space->name;
	space->next_id = 1;
	space->bundle.bytes = space->buffer + JC_BUNDLE_HEADROOM;
	*out_space = space;
	return JC_OK;
}

void jc_space_destroy(struct jc_space *space)
{
	if (!space) {
		return;
	}
	for (size_t i = 0; i < space->body_count; i++) {
		space->bodies[i].source->ops->destroy(space->bodies[i].source);
	}
	while (space->sinks) {
		struct jc_sink *sink = space->sinks;

		space->sinks = sink->next;
		sink->ops->destroy(sink);
	}
	free(space);
}

static void announce(struct jc_space *space, const struct jc_body *body, bool joined)
{
	struct jc_distribution *distribution = space->options.distribution;

	space->revision++;
	distribution->ops->body_changed(distribution, body, joined);
}

int jc_space_add(struct jc_space *space, const char *name, const struct jc_outfit *outfit,
	struct jc_source *source)
{
	if (space->body_count == JC_MAX_BODIES) {
		return JC_ERROR_LIMIT;
	}

	struct jc_body *body = &space->bodies[space->body_count];
	float hips_height = jc_skeleton_hips_height(outfit->skeleton);

	*body = (struct jc_body){
		.id = space->next_id++, .outfit = outfit, .live = true, .source = source
	};
	strncpy(body->name, name, sizeof(body->name) - 1);
	body->placement = jc_placement_compensate(
		jc_arrangement_place(&space->arrangement, source->reach * hips_height),
		jc_vec3_scale(source->start_translation, hips_height), source->start_yaw);
	body->seat_height = source->seat_height * hips_height;
	space->body_count++;
	announce(space, body, true);
	return JC_OK;
}

void jc_space_add_sink(struct jc_space *space, struct jc_sink *sink)
{
	sink->next = space->sinks;
	space->sinks = sink;
}

/* The flags stand behind two varints, the size and the id (PROTOCOL.md, 4). */
static uint32_t flags_offset(const uint8_t *packet)
{
	uint32_t at = 0;

	for (int varints = 0; varints < 2; at++) {
		varints += !(packet[at] & 0x80);
	}
	return at;
}

static void append(struct jc_space *space, const struct jc_packet_head *head, int payload_length)
{
	struct jc_bundle *bundle = &space->bundle;
	uint8_t *packet = bundle->bytes + bundle->length;
	int size = jc_bundle_append(head, space->payload, (size_t)payload_length, packet,
		JC_LIMIT_BUNDLE_BYTES - bundle->length);

	/* Coding 1 takes at most 400 bytes a body, and there are 64 at most. */
	assert(size > 0);
	bundle->flags_at[bundle->packet_count++] = (uint32_t)bundle->length + flags_offset(packet);
	bundle->length += (size_t)size;
	bundle->cut |= head->cut;
}

static void tick_body(
	struct jc_space *space, struct jc_body *body, int64_t nominal_ns, int64_t now_ns)
{
	struct jc_source_sample sample;
	struct jc_skeleton_pose pose;

	body->source->ops->sample(body->source, nominal_ns, &sample);
	if (sample.live != body->live) {
		body->live = sample.live;
		announce(space, body, false);
	}
	body->cut |= sample.cut;
	jc_retargeter_apply(body->outfit->retargeter, &sample.pose, &pose);
	for (struct jc_sink *sink = space->sinks; sink; sink = sink->next) {
		sink->ops->pose(sink, body, &pose, nominal_ns);
	}

	int length = jc_payload_encode(&pose, NULL, space->payload, sizeof(space->payload));
	if (length < 0) {
		return; /* a pose that cannot be said is left out, as a lost one would be */
	}

	/* A sample may be taken a little after the tick has begun. */
	int64_t age_us = now_ns > sample.capture_ns ? (now_ns - sample.capture_ns) / 1000 : 0;
	struct jc_packet_head head = { .body = body->id,
		.incarnation = body->incarnation,
		.sequence = body->sequence++,
		.cut = body->cut,
		.capture_age_us = age_us > UINT32_MAX ? UINT32_MAX : (uint32_t)age_us };

	body->cut = false;
	append(space, &head, length);
}

void jc_space_tick(struct jc_space *space, uint32_t tick, int64_t now_ns)
{
	const struct jc_space_options *options = &space->options;
	struct jc_bundle *bundle = &space->bundle;
	int64_t nominal_ns = jc_tick_time_ns(options->start_ns, options->hz, tick);
	struct jc_bundle_head head = { .space = options->id,
		.tick = tick,
		.offset_us = (int32_t)((now_ns - nominal_ns) / 1000) };

	assert(now_ns >= nominal_ns);
	bundle->tick = tick;
	bundle->now_ns = now_ns;
	bundle->cut = false;
	bundle->packet_count = 0;
	bundle->length = (size_t)jc_bundle_begin(&head, bundle->bytes, JC_LIMIT_BUNDLE_BYTES);
	for (size_t i = 0; i < space->body_count; i++) {
		tick_body(space, &space->bodies[i], nominal_ns, now_ns);
	}
	options->distribution->ops->bundle(options->distribution, bundle);
}

const struct jc_space_options *jc_space_options(const struct jc_space *space)
{
	return &space->options;
}

uint64_t jc_space_revision(const struct jc_space *space)
{
	return space->revision;
}

size_t jc_space_body_count(const struct jc_space *space)
{
	return space->body_count;
}

const struct jc_body *jc_space_body(const struct jc_space *space, size_t index)
{
	assert(index < space->body_count);
	return &space->bodies[index];
}
