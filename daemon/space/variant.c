/* Every packet of the daemon is written here, into buffers that are as large as
 * they can ever have to be. */
#include "space/variant.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/retarget.h"

#define BUFFER_BYTES (JC_BUNDLE_HEADROOM + JC_LIMIT_BUNDLE_BYTES)
#define HEAD_BYTES   20 /* of a bundle; of a packet with its size */

/* Coding 1 takes at most 400 bytes a body. */
_Static_assert(HEAD_BYTES + JC_MAX_BODIES * (HEAD_BYTES + JC_STREAM_BYTES) <= JC_LIMIT_BUNDLE_BYTES,
	"every body fits into a bundle");

bool jc_wish_equal(const struct jc_wish *a, const struct jc_wish *b)
{
	return a->chains == b->chains && a->precision == b->precision && a->rate == b->rate &&
	       a->sections == b->sections;
}

int jc_variant_create(const struct jc_wish *wish, struct jc_variant **out_variant)
{
	struct jc_variant *variant = calloc(1, sizeof(*variant));

	if (!variant) {
		return JC_ERROR_MEMORY;
	}
	variant->wish = *wish;
	variant->buffers = malloc((wish->chains ? 2 : 1) * (size_t)BUFFER_BYTES);
	variant->streams = wish->chains ? calloc(JC_MAX_BODIES, sizeof(variant->streams[0])) : NULL;
	if (!variant->buffers || (wish->chains && !variant->streams)) {
		jc_variant_destroy(variant);
		return JC_ERROR_MEMORY;
	}
	variant->common.bytes = variant->buffers + JC_BUNDLE_HEADROOM;
	variant->common.needs_state = wish->chains;
	if (wish->chains) {
		variant->rejoin.bytes = variant->common.bytes + BUFFER_BYTES;
		for (size_t i = 0; i < JC_MAX_BODIES; i++) {
			variant->bodies[i].stream = &variant->streams[i];
		}
	}
	*out_variant = variant;
	return JC_OK;
}

void jc_variant_destroy(struct jc_variant *variant)
{
	if (!variant) {
		return;
	}
	free(variant->streams);
	free(variant->buffers);
	free(variant);
}

void jc_variant_remove(struct jc_variant *variant, size_t index)
{
	struct jc_variant_body *bodies = variant->bodies;
	struct jc_stream *stream = bodies[index].stream;

	memmove(&bodies[index], &bodies[index + 1],
		(JC_MAX_BODIES - 1 - index) * sizeof(bodies[0]));
	/* Whoever enters next begins anew, with the stream that became free. */
	bodies[JC_MAX_BODIES - 1] = (struct jc_variant_body){ .stream = stream };
}

static void begin(struct jc_bundle *bundle, const struct jc_bundle_head *head, int64_t now_ns)
{
	bundle->tick = head->tick;
	bundle->now_ns = now_ns;
	bundle->cut = false;
	bundle->packet_count = 0;
	bundle->flags_count = 0;
	bundle->length = 0;
	bundle->head_length = (size_t)jc_bundle_begin(head, bundle->head, sizeof(bundle->head));
}

void jc_variant_begin(
	struct jc_variant *variant, const struct jc_bundle_head *head, int64_t now_ns, bool rejoins)
{
	variant->rejoins = rejoins;
	begin(&variant->common, head, now_ns);
	if (rejoins) {
		begin(&variant->rejoin, head, now_ns);
	}
}

static void append(struct jc_bundle *bundle, const struct jc_packet_head *head,
	const uint8_t *payload, size_t payload_length)
{
	uint8_t *packet = bundle->bytes + bundle->length;
	int size = jc_bundle_append(
		head, payload, payload_length, packet, JC_LIMIT_BUNDLE_BYTES - bundle->length);

	assert(size > 0);
	if (!head->needs_state) {
		/* Its second byte (PROTOCOL.md, 4). */
		bundle->flags_at[bundle->flags_count++] = (uint32_t)bundle->length + 1;
	}
	bundle->last = bundle->length;
	bundle->packet_count++;
	bundle->length += (size_t)size;
	bundle->cut |= head->cut;
}

static bool add_plain(struct jc_variant *variant, struct jc_variant_body *body,
	const struct jc_moment *moment, struct jc_packet_head *head)
{
	uint8_t payload[JC_LIMIT_PACKET_BYTES];
	int length = jc_payload_encode(moment->pose, NULL, payload, sizeof(payload));

	if (length < 0) {
		return false;
	}
	head->sequence = body->sequence;
	body->sequence = (body->sequence + 1) & JC_SEQUENCE_MASK;
	append(&variant->common, head, payload, (size_t)length);
	return true;
}

static void make_frame(struct jc_moment *moment)
{
	struct jc_stream_frame *frame = &moment->frame;

	if (!moment->has_frame) {
		jc_skeleton_normalized(
			moment->outfit->skeleton, moment->pose->rotations, frame->rotations);
		for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
			frame->states[bone] = moment->pose->states[bone];
		}
		frame->hips_translation = moment->pose->hips_translation;
		frame->has_placement = false;
		for (size_t i = 0; i < moment->channels->value_count; i++) {
			frame->values[i] = fminf(fmaxf(moment->values[i], -1.0f), 1.0f);
		}
		moment->has_frame = true;
	}
}

static size_t virtual_count(const struct jc_moment *moment)
{
	size_t count = jc_skeleton_virtual_transform_count(moment->outfit->skeleton);

	return count < JC_LIMIT_STREAM_VIRTUALS ? count : JC_LIMIT_STREAM_VIRTUALS;
}

/* Where virtual transforms stand, for who wants to know. */
static void pose_virtuals(struct jc_moment *moment)
{
	const struct jc_outfit *outfit = moment->outfit;
	struct jc_stream_frame *frame = &moment->frame;

	if (moment->has_virtuals || !outfit->virtuals) {
		return;
	}
	jc_skeleton_locals(outfit->skeleton, moment->pose, outfit->locals);
	jc_skeleton_worlds(outfit->skeleton, outfit->locals, outfit->worlds);
	jc_virtual_transforms_evaluate(outfit->skeleton, outfit->worlds, outfit->virtuals);
	for (size_t i = 0; i < virtual_count(moment); i++) {
		frame->virtual_rotations[i] = outfit->virtuals[i].rotation;
		frame->virtual_positions[i] = outfit->virtuals[i].translation;
	}
	moment->has_virtuals = true;
}

/* The stream is made ready for what there is to carry. */
static void prepare(const struct jc_variant *variant, struct jc_variant_body *body,
	const struct jc_moment *moment)
{
	if (!body->met) {
		jc_stream_init(body->stream, variant->wish.precision, variant->wish.sections,
			jc_skeleton_bone_mask(moment->outfit->skeleton));
	}
	if (!body->met || body->channels_revision != moment->channels->revision) {
		jc_stream_carry(body->stream, moment->channels->value_count, virtual_count(moment));
		body->channels_revision = moment->channels->revision;
	}
	body->met = true;
}

static bool add_chains(struct jc_variant *variant, struct jc_variant_body *body,
	struct jc_moment *moment, bool alive, struct jc_packet_head *head)
{
	struct jc_stream_packet packet;

	prepare(variant, body, moment);
	make_frame(moment);
	if (variant->wish.sections & JC_STREAM_SECTION(JC_SECTION_VIRTUALS)) {
		pose_virtuals(moment);
	}
	if (jc_stream_encode(body->stream, &moment->frame, alive, variant->rejoins, &packet) !=
			JC_OK ||
		!packet.is_sent) {
		return false;
	}
	head->sequence = packet.sequence;
	head->needs_state = packet.needs_state;
	head->shape = packet.shape;
	append(&variant->common, head, packet.bytes, packet.length);
	if (variant->rejoins) {
		head->needs_state = false;
		head->shape = JC_SHAPE_LIST;
		append(&variant->rejoin, head, packet.rejoin, packet.rejoin_length);
	}
	return true;
}

void jc_variant_add(struct jc_variant *variant, struct jc_moment *moment, uint32_t hz)
{
	struct jc_variant_body *body = &variant->bodies[moment->body];
	struct jc_packet_head head = moment->head;
	uint32_t tick = variant->common.tick;
	bool added;

	body->cut |= head.cut;
	if (!variant->due) {
		return;
	}
	head.cut = body->cut;
	if (variant->wish.chains) {
		/* Twice a second at least, so that who listens knows of the body. */
		bool alive = tick - body->told + variant->wish.rate > hz / 2;

		added = add_chains(variant, body, moment, alive || head.cut, &head);
	} else {
		added = add_plain(variant, body, moment, &head);
	}
	/* A pose that cannot be said is left out, as a lost one would be. */
	if (added) {
		body->cut = false;
		body->told = tick;
	}
}

static void end(struct jc_bundle *bundle)
{
	if (bundle->packet_count > 0) {
		uint8_t *end = bundle->bytes + bundle->length;

		bundle->length = (size_t)(jc_bundle_finish(bundle->bytes + bundle->last, end) -
					  bundle->bytes);
	}
}

bool jc_variant_end(struct jc_variant *variant)
{
	bool empty = variant->common.packet_count == 0;
	bool news = !empty || !variant->quiet || variant->rejoins || !variant->wish.chains;

	variant->quiet = empty;
	end(&variant->common);
	if (variant->rejoins) {
		end(&variant->rejoin);
	}
	return news;
}
