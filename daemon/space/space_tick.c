/* Runs a tick without allocating: a stream allocates its memory when it is acquired. */
#include <string.h>

#include "base/ticker.h"
#include "jointcast/retarget.h"
#include "jointcast/transform.h"
#include "space/space_private.h"

#define ANNOUNCES_AFTER_NS INT64_C(250000000) /* between two announcements of a roster */

static int32_t clamp_us(int64_t us)
{
	return (int32_t)(us > INT32_MAX ? INT32_MAX : us < -INT32_MAX ? -INT32_MAX : us);
}

static void show_sinks(struct jc_space *space, struct jc_body *body,
	const struct jc_source_sample *sample, int64_t nominal_ns)
{
	const struct jc_contact_instant instant = { .time_ns = nominal_ns,
		.captured_ns = sample->capture_ns };
	struct jc_skeleton_pose pose;

	if (!space->sinks || !jc_body_is_shown(body)) {
		return;
	}
	jc_contact_keeper_fold(body->keeper, body->asset, &sample->pose, &instant, pose.rotations,
		pose.states, &pose.hips_translation);
	jc_retargeter_relate(body->asset->retargeter, pose.rotations);
	body->values = sample->values;
	for (struct jc_sink *sink = space->sinks; sink; sink = sink->next) {
		if (sink->ops->sample) {
			sink->ops->sample(sink, body, sample);
		}
		if (sink->ops->pose) {
			sink->ops->pose(sink, body, &pose, nominal_ns);
		}
	}
	body->values = NULL;
}

/* The position of a body's hips in its space. */
static struct jc_vec3 find_position(const struct jc_body *body, const struct jc_pose *pose)
{
	struct jc_vec3 up = { 0.0f, 1.0f, 0.0f };
	float height = jc_skeleton_hips_height(body->asset->skeleton);
	struct jc_vec3 hips = jc_vec3_add(jc_vec3_scale(up, height),
		jc_vec3_scale(pose->hips_translation, jc_body_pace(body)));
	struct jc_quat turn = jc_quat_from_axis_angle(up, body->placement.yaw);

	return jc_vec3_add(body->placement.position, jc_quat_rotate(turn, hips));
}

/* Prepares the input of streams before the requested ones are known. */
static void note_body_sample(struct jc_space *space, struct jc_body *body,
	const struct jc_source_sample *sample, int64_t nominal_ns)
{
	struct jc_body_sample *body_sample = &space->body_samples[body->slot];

	body_sample->pose = sample->pose;
	body_sample->motion = body->source->motion;
	body_sample->motion_t = body->source->motion_t;
	body_sample->instant = (struct jc_contact_instant){ .time_ns = nominal_ns,
		.captured_ns = sample->capture_ns };
	body_sample->placement = body->has_moved ? &body->placement : NULL;
	/* New channels wait until they are announced; sources only append channels. */
	body_sample->channels_revision = body->channels_revision;
	body_sample->value_count = body->channels;
	memcpy(body_sample->values, sample->values,
		body->channels * sizeof(body_sample->values[0]));
	body_sample->head = (struct jc_packet_head){ .body = body->id,
		.incarnation = body->incarnation,
		.cut = sample->cut || body->jumps,
		.capture_age_us = clamp_us((nominal_ns - sample->capture_ns) / 1000) };
	body->jumps = false;
	body->position = find_position(body, &sample->pose);
}

static bool is_fresh(const struct jc_source_sample *sample)
{
	return sample->live && !sample->held;
}

static void take_sample(struct jc_space *space, struct jc_body *body,
	const struct jc_source_sample *sample, int64_t nominal_ns)
{
	bool begins = body->is_waiting && sample->live;

	if (sample->live != body->live || begins ||
		body->source->channels.revision != body->noted_channels) {
		body->live = sample->live;
		body->is_waiting = body->is_waiting && !begins;
		body->noted_channels = body->source->channels.revision;
		jc_space_note(space, body);
	}
	if (is_fresh(sample)) {
		body->captured_ns = sample->capture_ns;
		body->fresh_ns = nominal_ns;
	}
	if (sample->live) {
		jc_histogram_add(&body->age, nominal_ns - body->captured_ns);
	}
	body->is_away = body->source->comes_and_goes &&
			nominal_ns - body->fresh_ns >= space->options.leave_after_ns;
	if (sample->cut || body->jumps) {
		jc_stream_table_cut(&space->streams, body->slot);
	}
	show_sinks(space, body, sample, nominal_ns);
	note_body_sample(space, body, sample, nominal_ns);
}

static void note_reason(struct jc_space *space, struct jc_body *body)
{
	const char *reason = body->source->reason;

	if (reason != body->noted_reason) {
		body->noted_reason = reason;
		jc_space_note_waiting(space);
	}
}

static void tick_bodies(struct jc_space *space, int64_t nominal_ns)
{
	size_t present = space->body_count;
	size_t count = present + space->waiting_count;
	struct jc_source_sample sample;

	for (size_t i = 0; i < count; i++) {
		struct jc_body *body = &space->bodies[i];

		body->source->ops->sample(body->source, nominal_ns, &sample);
		if (i < present) {
			take_sample(space, body, &sample, nominal_ns);
		} else if (is_fresh(&sample)) {
			jc_space_appear(space, i);
			body = &space->bodies[space->body_count - 1];
			take_sample(space, body, &sample, nominal_ns);
		} else {
			note_reason(space, body);
		}
	}
}

/* Announces all pending roster changes in one message. */
static void announce(struct jc_space *space, int64_t nominal_ns)
{
	struct jc_distribution *distribution = space->options.distribution;
	struct jc_announcement announcement;

	if (!space->has_news || nominal_ns - space->announced_ns < ANNOUNCES_AFTER_NS ||
		jc_roster_announce(space, &announcement) != JC_OK) {
		return; /* out of memory: tried again at the next tick */
	}
	space->announced_ns = nominal_ns;
	distribution->ops->announce(distribution, &announcement);
	jc_shared_text_drop(announcement.change);
}

void jc_space_tick(struct jc_space *space, uint32_t tick)
{
	const struct jc_space_options *options = &space->options;
	struct jc_distribution *distribution = options->distribution;
	int64_t nominal_ns = jc_tick_time_ns(options->start_ns, options->hz, tick);

	for (struct jc_player *player = space->players; player; player = player->next) {
		player->ops->tick(player, space, tick, nominal_ns);
	}
	jc_space_let_leavers_go(space);
	jc_space_let_away_wait(space);
	jc_stream_table_begin(&space->streams);
	tick_bodies(space, nominal_ns);
	announce(space, nominal_ns);
	for (struct jc_sink *sink = space->sinks; sink; sink = sink->next) {
		if (sink->ops->ticked) {
			sink->ops->ticked(sink, space, tick, nominal_ns);
		}
	}
	distribution->ops->plan(distribution, tick);
	for (size_t i = 0; i < space->body_count; i++) {
		size_t slot = space->bodies[i].slot;

		jc_stream_table_encode(
			&space->streams, slot, &space->body_samples[slot], tick, options->hz);
	}
	distribution->ops->cast(distribution, tick);
	for (struct jc_sink *sink = space->sinks; sink; sink = sink->next) {
		if (sink->ops->encoded) {
			sink->ops->encoded(sink, space, tick, nominal_ns);
		}
	}
}

void jc_space_written(struct jc_space *space, int64_t now_ns)
{
	for (size_t i = 0; i < space->body_count; i++) {
		struct jc_body *body = &space->bodies[i];

		if (body->captured_ns > body->written_ns) {
			jc_histogram_add(&body->latency, now_ns - body->captured_ns);
			body->written_ns = body->captured_ns;
		}
	}
}
