/* Encodes every packet of the daemon. */
#include "space/body_stream.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/retarget.h"

struct jc_body_stream *jc_body_stream_create(
	struct jc_skeleton_asset *asset, const struct jc_stream_spec *spec)
{
	struct jc_body_stream *body_stream = calloc(
		1, spec->chains ? sizeof(*body_stream) : offsetof(struct jc_body_stream, stream));

	if (body_stream) {
		body_stream->asset = jc_skeleton_asset_use(asset);
		body_stream->spec = *spec;
		if (spec->sections & JC_STREAM_SECTION(JC_SECTION_VIRTUALS)) {
			body_stream->virtual_count = jc_virtual_choice_apply(
				&spec->virtuals, asset->skeleton, body_stream->virtual_indices);
		}
	}
	return body_stream;
}

void jc_body_stream_destroy(struct jc_body_stream *body_stream)
{
	if (!body_stream) {
		return;
	}
	if (body_stream->asset) {
		jc_skeleton_asset_unuse(body_stream->asset);
	}
	free(body_stream);
}

void jc_body_stream_restart(struct jc_body_stream *body_stream)
{
	body_stream->has_chains = body_stream->cut = false;
	body_stream->sequence = 0;
	body_stream->encoded = body_stream->sent_at = 0;
}

void jc_fit_init(struct jc_fit *fit, const struct jc_body_sample *body_sample,
	const struct jc_body_stream *body_stream)
{
	fit->body_sample = body_sample;
	fit->asset = body_stream->asset;
	fit->finest = body_stream->spec.finest;
	fit->keeper = body_stream->keeper;
	fit->motion = body_sample->pose;
	if (fit->finest != JC_PRECISION_FINE) {
		jc_precision_round(
			fit->finest, fit->motion.rotations, &fit->motion.hips_translation);
	}
	fit->has_pose = fit->has_frame = fit->has_virtuals = false;
}

static void fit_frame(struct jc_fit *fit)
{
	const struct jc_body_sample *body_sample = fit->body_sample;
	struct jc_stream_frame *frame = &fit->frame;

	if (fit->has_frame) {
		return;
	}
	jc_contact_keeper_fold(fit->keeper, fit->asset, &fit->motion, &body_sample->instant,
		frame->rotations, frame->states, &frame->hips_translation);
	frame->has_placement = body_sample->placement != NULL;
	if (body_sample->placement) {
		frame->placement = *body_sample->placement;
	}
	for (size_t i = 0; i < body_sample->value_count; i++) {
		frame->values[i] = fminf(fmaxf(body_sample->values[i], -1.0f), 1.0f);
	}
	fit->has_frame = true;
}

static const struct jc_skeleton_pose *fit_pose(struct jc_fit *fit)
{
	if (!fit->has_pose) {
		fit_frame(fit);
		memcpy(fit->pose.rotations, fit->frame.rotations, sizeof(fit->pose.rotations));
		memcpy(fit->pose.states, fit->frame.states, sizeof(fit->pose.states));
		fit->pose.hips_translation = fit->frame.hips_translation;
		jc_retargeter_relate(fit->asset->retargeter, fit->pose.rotations);
		fit->has_pose = true;
	}
	return &fit->pose;
}

/* Moves nodes that are no bones as the file does that the source plays, if it has this figure. */
static void move_nodes(struct jc_body_stream *body_stream, const struct jc_fit *fit)
{
	const struct jc_body_sample *body_sample = fit->body_sample;

	if (!body_sample->motion) {
		return;
	}
	if (!body_stream->has_moving) {
		body_stream->moving_count = jc_motion_match_nodes(
			body_sample->motion, fit->asset->skeleton, body_stream->moving);
		body_stream->has_moving = true;
	}
	jc_motion_move_nodes(body_sample->motion, body_sample->motion_t, body_stream->moving,
		body_stream->moving_count, fit->asset->locals);
}

/* Poses the virtual transforms of the skeleton, once for all streams on it. */
static void pose_virtuals(struct jc_fit *fit, struct jc_body_stream *body_stream)
{
	const struct jc_skeleton_asset *asset = fit->asset;

	if (!fit->has_virtuals) {
		jc_skeleton_locals(asset->skeleton, fit_pose(fit), asset->locals);
		jc_skeleton_split_spine(asset->skeleton, asset->locals);
		move_nodes(body_stream, fit);
		jc_skeleton_worlds(asset->skeleton, asset->locals, asset->worlds);
		jc_virtual_transforms_evaluate(asset->skeleton, asset->worlds, asset->virtuals);
		fit->has_virtuals = true;
	}
}

static struct jc_vec3 hold_within(struct jc_vec3 v, float most)
{
	return (struct jc_vec3){ fminf(fmaxf(v.x, -most), most), fminf(fmaxf(v.y, -most), most),
		fminf(fmaxf(v.z, -most), most) };
}

/* Puts the virtual transforms that a stream carries into the frame. A remote one stands at the
 * border of what packets can carry: the body would have no packets otherwise. */
static void fit_virtuals(struct jc_fit *fit, struct jc_body_stream *body_stream)
{
	struct jc_stream_frame *frame = &fit->frame;
	float most = (float)jc_precision_range(body_stream->spec.precision) * 0.999f;

	if (body_stream->virtual_count > 0) {
		pose_virtuals(fit, body_stream);
	}
	for (size_t i = 0; i < body_stream->virtual_count; i++) {
		const struct jc_transform *transform =
			&fit->asset->virtuals[body_stream->virtual_indices[i]];

		frame->virtual_rotations[i] = transform->rotation;
		frame->virtual_positions[i] = hold_within(transform->translation, most);
	}
}

static void put(struct jc_body_stream_packet *packet, const struct jc_packet_head *head,
	const uint8_t *payload, size_t length)
{
	int size = jc_bundle_append(head, payload, length, packet->bytes, sizeof(packet->bytes));

	assert(size > 0);
	packet->length = (uint16_t)size;
	packet->cut = head->cut;
	packet->needs_state = head->needs_state;
}

static bool encode_plain(
	struct jc_body_stream *body_stream, struct jc_fit *fit, struct jc_packet_head *head)
{
	uint8_t payload[JC_LIMIT_PACKET_BYTES];
	struct jc_skeleton_pose pose = *fit_pose(fit);
	int length;

	if (body_stream->spec.precision != JC_PRECISION_FINE) {
		jc_precision_round(
			body_stream->spec.precision, pose.rotations, &pose.hips_translation);
	}
	length = jc_payload_encode(&pose, fit->body_sample->placement, payload, sizeof(payload));
	if (length < 0) {
		return false;
	}
	head->sequence = body_stream->sequence;
	body_stream->sequence = (body_stream->sequence + 1) & JC_SEQUENCE_MASK;
	put(&body_stream->common, head, payload, (size_t)length);
	return true;
}

/* Prepares the chains for the bones, channels and transforms of the stream. */
static void prepare(struct jc_body_stream *body_stream, const struct jc_body_sample *body_sample)
{
	if (!body_stream->has_chains) {
		jc_stream_init(&body_stream->stream, body_stream->spec.precision,
			body_stream->spec.sections,
			jc_skeleton_bone_mask(body_stream->asset->skeleton));
		jc_stream_use(&body_stream->stream, jc_stream_spec_coding(&body_stream->spec));
		jc_stream_pace(&body_stream->stream, (uint8_t)body_stream->spec.rate);
	}
	if (!body_stream->has_chains ||
		body_stream->channels_revision != body_sample->channels_revision) {
		jc_stream_carry(
			&body_stream->stream, body_sample->value_count, body_stream->virtual_count);
		body_stream->channels_revision = body_sample->channels_revision;
	}
	body_stream->has_chains = true;
}

static bool encode_chains(struct jc_body_stream *body_stream, struct jc_fit *fit, bool alive,
	struct jc_packet_head *head)
{
	struct jc_stream_packet packet;

	prepare(body_stream, fit->body_sample);
	fit_frame(fit);
	fit_virtuals(fit, body_stream);
	if (jc_stream_encode(&body_stream->stream, &fit->frame, alive, body_stream->wants_rejoin,
		    &packet) != JC_OK ||
		!packet.is_sent) {
		return false;
	}
	head->sequence = packet.sequence;
	head->needs_state = packet.needs_state;
	head->shape = packet.shape;
	put(&body_stream->common, head, packet.bytes, packet.length);
	if (body_stream->wants_rejoin) {
		head->needs_state = false;
		head->shape = JC_SHAPE_LIST;
		put(&body_stream->rejoin, head, packet.rejoin, packet.rejoin_length);
	}
	return true;
}

/* Updates the mean of bytes a second, over about one second. Leaves out the packets that start a
 * stream, and the one after each, which has no speed to predict from: they are larger. Until the
 * second is full each tick has the same share, so that no single packet is the estimate. */
static void measure(struct jc_body_stream *body_stream, uint32_t hz)
{
	const struct jc_body_stream_packet *common = &body_stream->common;
	bool starts = body_stream->spec.chains && common->length > 0 && !common->needs_state;
	bool settles = body_stream->is_settling;

	body_stream->is_settling = starts;
	if (starts || settles) {
		return;
	}
	float ticks = (float)hz / (float)body_stream->spec.rate;
	float now = (float)common->length * ticks;

	body_stream->measured += (float)body_stream->measured < ticks;
	body_stream->bytes_a_second +=
		(now - body_stream->bytes_a_second) / (float)body_stream->measured;
}

static void begin(struct jc_body_stream *body_stream, uint32_t tick)
{
	body_stream->is_fresh = true;
	if (body_stream->encoded++ == 0) {
		body_stream->since = tick;
	}
}

static void end(struct jc_body_stream *body_stream, uint32_t tick, uint32_t hz, bool made)
{
	if (made) {
		body_stream->sent_at = tick;
	}
	measure(body_stream, hz);
}

void jc_body_stream_forward(struct jc_body_stream *body_stream, uint32_t tick, uint32_t hz)
{
	bool made = body_stream->common.length > 0;

	begin(body_stream, tick);
	body_stream->cut &= !made;
	end(body_stream, tick, hz, made);
}

void jc_body_stream_encode(
	struct jc_body_stream *body_stream, struct jc_fit *fit, uint32_t tick, uint32_t hz)
{
	struct jc_packet_head head = fit->body_sample->head;
	bool made;

	head.cut |= body_stream->cut;
	body_stream->common.length = body_stream->rejoin.length = 0;
	begin(body_stream, tick);
	if (body_stream->spec.chains) {
		/* Sends at least two packets a second, so that subscribers know that the body
		 * is there. */
		bool alive =
			head.cut || tick - body_stream->sent_at + body_stream->spec.rate > hz / 2;

		made = encode_chains(body_stream, fit, alive, &head);
	} else {
		made = encode_plain(body_stream, fit, &head);
	}
	body_stream->cut = head.cut && !made;
	end(body_stream, tick, hz, made);
}
