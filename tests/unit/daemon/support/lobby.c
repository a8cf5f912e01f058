/* See lobby.h. */
#include "lobby.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/transform.h"

static void sample(struct jc_source *base, int64_t now_ns, struct jc_source_sample *out_sample)
{
	struct lobby_source *source = (struct lobby_source *)base;
	struct jc_vec3 y = { 0.0f, 1.0f, 0.0f };
	float t = (float)(now_ns / 1000000) * 0.001f;

	memset(out_sample, 0, sizeof(*out_sample));
	out_sample->capture_ns = now_ns;
	out_sample->live = !source->is_silent;
	out_sample->cut = source->cut;
	source->cut = false;
	jc_pose_init(&out_sample->pose);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct jc_vec3 axis = { 1.0f, (float)(bone % 3), (float)(bone % 5) };

		out_sample->pose.states[bone] = JC_TRACKED;
		if (source->restless) {
			out_sample->pose.rotations[bone] =
				jc_quat_from_axis_angle(jc_vec3_normalize(axis),
					0.4f * sinf(t * (1.0f + 0.1f * (float)bone)));
		}
	}
	out_sample->pose.rotations[JC_BONE_HEAD] = jc_quat_from_axis_angle(y, source->radians);
}

static void status(const struct jc_source *base, struct jc_source_status *out_status)
{
	(void)base;
	*out_status = (struct jc_source_status){ .kind = "publisher" };
}

static void destroy(struct jc_source *base)
{
	free(base);
}

static const struct jc_source_ops source_ops = {
	.sample = sample, .status = status, .destroy = destroy
};

const struct jc_view_options lobby_standard = { .spec = { .chains = true,
							.precision = JC_PRECISION_STANDARD,
							.rate = 1,
							.sections = JC_STREAM_ALL } };

void lobby_open(struct lobby *lobby, size_t stream_cap)
{
	struct jc_diagnostic diagnostic;
	struct jc_space_options options = { .name = "lobby",
		.id = 1,
		.hz = LOBBY_HZ,
		.stream_cap = stream_cap,
		.distribution = &lobby->fanout.distribution };

	memset(lobby, 0, sizeof(*lobby));
	assert_int_equal(jc_skeleton_table_init(&lobby->skeleton_table, &diagnostic), JC_OK);
	jc_fanout_init(&lobby->fanout);
	assert_int_equal(jc_space_create(&options, &lobby->fanout.space), JC_OK);
}

void lobby_close(struct lobby *lobby)
{
	jc_fanout_finish(&lobby->fanout);
	jc_skeleton_table_finish(&lobby->skeleton_table);
}

int lobby_setup(void **state)
{
	struct lobby *lobby = malloc(sizeof(*lobby));

	lobby_open(lobby, 0);
	*state = lobby;
	return 0;
}

int lobby_teardown(void **state)
{
	lobby_close(*state);
	free(*state);
	return 0;
}

static struct lobby_source *add(struct lobby *lobby, uint64_t party, bool comes_and_goes)
{
	struct lobby_source *source = calloc(1, sizeof(*source));

	assert_non_null(source);
	source->base.ops = &source_ops;
	source->base.party = party;
	source->base.comes_and_goes = source->base.is_awaited = comes_and_goes;
	assert_int_equal(jc_space_add(lobby->fanout.space, "n", lobby->skeleton_table.humanoid,
				 &source->base),
		JC_OK);
	return source;
}

struct lobby_source *lobby_add(struct lobby *lobby, uint64_t party)
{
	return add(lobby, party, false);
}

struct lobby_source *lobby_add_visitor(struct lobby *lobby)
{
	return add(lobby, 0, true);
}

struct jc_body *lobby_body(struct lobby *lobby, uint32_t id)
{
	return (struct jc_body *)(uintptr_t)jc_space_find(lobby->fanout.space, id);
}

struct jc_skeleton_asset *lobby_asset(struct lobby *lobby, const char *name, float height)
{
	char text[512];
	struct jc_skeleton *skeleton;
	struct jc_skeleton_asset *asset;
	struct jc_diagnostic diagnostic;

	snprintf(text, sizeof(text),
		"{\"name\":\"%s\",\"nodes\":[{\"name\":\"h\",\"translation\":[0,%g,0]},"
		"{\"name\":\"s\",\"parent\":0,\"translation\":[0,0.1,0]},"
		"{\"name\":\"n\",\"parent\":1,\"translation\":[0,0.4,0]}],"
		"\"bones\":{\"hips\":0,\"spine\":1,\"head\":2}}",
		name, (double)height);
	assert_int_equal(
		jc_skeleton_read(text, strlen(text), 0, NULL, &skeleton, NULL, &diagnostic), JC_OK);
	assert_int_equal(
		jc_skeleton_table_add(&lobby->skeleton_table, skeleton, &asset, &diagnostic),
		JC_OK);
	return asset;
}

static void take_packet(struct lobby_subscriber *subscriber, const uint8_t *bytes, size_t size,
	const struct jc_packet_head *head, const uint8_t *payload, size_t length)
{
	uint32_t id = head->body;

	assert_true(id < LOBBY_BODIES);
	subscriber->packets[id] = bytes;
	subscriber->packet_lengths[id] = size;
	subscriber->heads[id] = *head;
	subscriber->counts[id]++;
	subscriber->keys[id] += !head->needs_state;
	subscriber->cuts[id] += head->cut;
	subscriber->errors +=
		jc_stream_decode(&subscriber->decoders[id], head, payload, length) < 0;
}

static void take_bundle(struct lobby_subscriber *subscriber, const uint8_t *bytes, size_t length)
{
	subscriber->bundles++;
	memset(subscriber->packets, 0, sizeof(subscriber->packets));
	memset(subscriber->packet_lengths, 0, sizeof(subscriber->packet_lengths));

	int at = jc_bundle_read_head(
		bytes, length, subscriber->has_head ? &subscriber->head : NULL, &subscriber->head);

	assert_true(at > 0);
	subscriber->has_head = true;
	while ((size_t)at < length) {
		struct jc_packet_head head;
		const uint8_t *payload;
		size_t payload_length;
		int used = jc_bundle_read_packet(
			bytes + at, length - (size_t)at, &head, &payload, &payload_length);

		assert_true(used > 0);
		take_packet(subscriber, bytes + at, (size_t)used, &head, payload, payload_length);
		at += used;
	}
}

static enum jc_delivery on_bundle(struct jc_subscriber *base, uint8_t *bytes, size_t length)
{
	struct lobby_subscriber *subscriber = (struct lobby_subscriber *)base;
	const uint8_t *bundles[2];
	size_t lengths[2];

	if (subscriber->choked)
		return JC_CHOKED;
	subscriber->messages++;
	subscriber->bytes += length;
	subscriber->length = length;
	memcpy(subscriber->last, bytes, length);

	int count = jc_bundle_split(subscriber->last, length, bundles, lengths);

	assert_true(count > 0);
	for (int i = 0; i < count; i++)
		take_bundle(subscriber, bundles[i], lengths[i]);
	return JC_DELIVERED;
}

static bool is_ready(const struct jc_subscriber *base)
{
	return !((const struct lobby_subscriber *)base)->choked;
}

static void on_roster_changed(struct jc_subscriber *base, struct jc_view *view,
	const struct jc_announcement *announcement)
{
	struct lobby_subscriber *subscriber = (struct lobby_subscriber *)base;

	assert_ptr_equal(view, &subscriber->view);
	subscriber->changes++;
	for (size_t i = 0; i < announcement->joined_count; i++) {
		memset(&subscriber->decoders[announcement->joined[i]->id], 0,
			sizeof(struct jc_stream_decoder));
	}
}

static void on_shown(struct jc_subscriber *base, struct jc_view *view, const struct jc_shown *shown,
	size_t count)
{
	struct lobby_subscriber *subscriber = (struct lobby_subscriber *)base;

	(void)view;
	for (size_t i = 0; i < count; i++) {
		assert_true(shown[i].body < LOBBY_BODIES);
		subscriber->assets[shown[i].body] = shown[i].asset;
		subscriber->shown[shown[i].body]++;
	}
}

static const struct jc_subscriber_ops subscriber_ops = {
	.is_ready = is_ready,
	.bundle = on_bundle,
	.roster_changed = on_roster_changed,
	.shown = on_shown,
};

void lobby_join(struct lobby *lobby, struct lobby_subscriber *subscriber, uint64_t party)
{
	memset(subscriber, 0, sizeof(*subscriber));
	subscriber->base.ops = &subscriber_ops;
	subscriber->base.party = party;
	jc_view_join(&subscriber->view, &lobby->fanout, &subscriber->base);
}

void lobby_subscribe(struct lobby_subscriber *subscriber, const struct jc_view_options *options)
{
	assert_int_equal(jc_view_subscribe(&subscriber->view, options, false), JC_OK);
}

void lobby_run(struct lobby *lobby, int ticks)
{
	for (int i = 0; i < ticks; i++) {
		jc_space_tick(lobby->fanout.space, lobby->tick++);
	}
}

float lobby_head(const struct lobby_subscriber *subscriber, uint32_t id)
{
	struct jc_stream_frame frame;

	jc_stream_frame(&subscriber->decoders[id], &frame);
	return 2.0f * atan2f(frame.rotations[JC_BONE_HEAD].y, frame.rotations[JC_BONE_HEAD].w);
}
