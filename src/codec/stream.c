/* Encodes and decodes streams: keeps the chains of one body in step. A tick is encoded on a copy of
 * the state, so that a tick without output changes nothing. */
#include "jointcast/stream.h"

#include <string.h>

#include "chain_private.h"
#include "jointcast/transform.h"
#include "section.h"
#include "stream_private.h"

static const uint64_t section_bones[] = {
	[JC_SECTION_BODY] = ((UINT64_C(1) << JC_SECTION_BODY_COUNT) - 1) << JC_SECTION_BODY_FIRST,
	[JC_SECTION_FACE] = ((UINT64_C(1) << JC_SECTION_FACE_COUNT) - 1) << JC_SECTION_FACE_FIRST,
	[JC_SECTION_HANDS] = ((UINT64_C(1) << JC_SECTION_HANDS_COUNT) - 1)
			     << JC_SECTION_HANDS_FIRST,
	[JC_SECTION_HIPS] = UINT64_C(1) << JC_BONE_HIPS,
};

void jc_stream_init(
	struct jc_stream *stream, enum jc_precision precision, unsigned sections, uint64_t bones)
{
	*stream = (struct jc_stream){ .precision = precision,
		.coding = JC_CODING_CHAIN,
		.requested = sections,
		.pace = 1,
		.sequence = JC_SEQUENCE_MASK };
	for (int section = JC_SECTION_BODY; section <= JC_SECTION_HIPS; section++) {
		if (sections & JC_STREAM_SECTION(section) && bones & section_bones[section]) {
			stream->sections |= JC_STREAM_SECTION(section);
			stream->bones |= bones & section_bones[section];
		}
	}
}

void jc_stream_carry(struct jc_stream *stream, size_t value_count, size_t virtual_count)
{
	unsigned optional =
		JC_STREAM_SECTION(JC_SECTION_CHANNELS) | JC_STREAM_SECTION(JC_SECTION_VIRTUALS);
	unsigned present = 0;

	if (value_count > JC_LIMIT_STREAM_VALUES) {
		value_count = JC_LIMIT_STREAM_VALUES;
	}
	if (virtual_count > JC_LIMIT_STREAM_VIRTUALS) {
		virtual_count = JC_LIMIT_STREAM_VIRTUALS;
	}
	present |= value_count ? JC_STREAM_SECTION(JC_SECTION_CHANNELS) : 0;
	present |= virtual_count ? JC_STREAM_SECTION(JC_SECTION_VIRTUALS) : 0;
	stream->sections = (stream->sections & ~optional) | (stream->requested & present);
	stream->value_count = value_count;
	stream->virtual_count = virtual_count;
	stream->started = false;
}

void jc_stream_use(struct jc_stream *stream, unsigned coding)
{
	stream->coding = (uint8_t)coding;
	stream->started = false;
}

void jc_stream_pace(struct jc_stream *stream, uint8_t pace)
{
	stream->pace = pace;
}

static enum jc_section section_of(unsigned chain)
{
	return jc_stream_chain_sections[chain];
}

static bool has_chain(const struct jc_stream *stream, unsigned chain)
{
	return stream->sections & JC_STREAM_SECTION(section_of(chain));
}

/* Input of one chain in a frame. */
struct material {
	uint64_t bones;
	const struct jc_quat *rotations;
	const struct jc_vec3 *points;
	struct jc_vec3 triples[JC_CHAIN_ITEMS];
};

static void gather(const struct jc_stream *stream, const struct jc_stream_frame *frame,
	enum jc_section section, struct material *out_material)
{
	out_material->bones = stream->bones;
	out_material->rotations = frame->rotations;
	out_material->points = &frame->hips_translation;
	if (section == JC_SECTION_CHANNELS) {
		out_material->bones = (UINT64_C(1) << (stream->value_count + 2) / 3) - 1;
		out_material->points = out_material->triples;
		memset(out_material->triples, 0, sizeof(out_material->triples));
		memcpy(out_material->triples, frame->values,
			stream->value_count * sizeof(frame->values[0]));
	} else if (section == JC_SECTION_VIRTUALS) {
		out_material->bones = (UINT64_C(1) << stream->virtual_count) - 1;
		out_material->rotations = frame->virtual_rotations;
		out_material->points = frame->virtual_positions;
	}
}

/* Bytes in use: most chains are short, and some are absent. */
static void copy(struct jc_stream *to, const struct jc_stream *from)
{
	memcpy(to, from, offsetof(struct jc_stream, chains));
	for (unsigned i = 0; i < JC_STREAM_CHAINS; i++) {
		if (has_chain(from, i)) {
			jc_chain_copy(&to->chains[i], &from->chains[i]);
		}
	}
}

static uint8_t next_sequence(uint8_t sequence)
{
	return (sequence + 1) & JC_SEQUENCE_MASK;
}

static int write_rejoin(const struct jc_stream *stream, uint8_t out_bytes[JC_STREAM_BYTES])
{
	const struct jc_stream_state state = { .chains = stream->chains,
		.coding = stream->coding,
		.sections = stream->sections,
		.placement = stream->has_placement ? &stream->placement : NULL,
		.known = stream->known,
		.estimated = stream->estimated,
		.pace = stream->pace };

	return jc_stream_write_rejoin(&state, out_bytes, JC_STREAM_BYTES);
}

/* Stores states and placement of a frame. Returns whether they changed. */
static bool note_states(struct jc_stream *stream, const struct jc_stream_frame *frame)
{
	uint64_t known = 0, estimated = 0;

	for (unsigned bone = 0; bone < JC_BONE_COUNT; bone++) {
		known |= (uint64_t)(frame->states[bone] != JC_ABSENT) << bone;
		estimated |= (uint64_t)(frame->states[bone] == JC_ESTIMATED) << bone;
	}
	known &= stream->bones;
	estimated &= stream->bones;
	if (known == stream->known && estimated == stream->estimated) {
		return false;
	}
	stream->known = known;
	stream->estimated = estimated;
	return true;
}

static bool note_placement(struct jc_stream *stream, const struct jc_stream_frame *frame)
{
	const struct jc_placement *a = &stream->placement, *b = &frame->placement;

	if (!frame->has_placement ||
		(stream->has_placement && a->yaw == b->yaw && a->position.x == b->position.x &&
			a->position.y == b->position.y && a->position.z == b->position.z)) {
		return false;
	}
	stream->has_placement = true;
	stream->placement = *b;
	return true;
}

/* Restarts all chains at the frame; a packet with them needs no state. */
static int start(struct jc_stream *stream, const struct jc_stream_frame *frame, bool rejoin,
	struct jc_stream_packet *packet)
{
	struct jc_stream next = *stream;
	struct material material;
	int length;

	for (unsigned i = 0; i < JC_STREAM_CHAINS; i++) {
		int error = JC_OK;

		if (has_chain(&next, i)) {
			gather(&next, frame, section_of(i), &material);
			error = jc_chain_start(&next.chains[i], next.coding, section_of(i),
				next.precision, material.bones, material.rotations,
				material.points);
		}
		if (error != JC_OK) {
			return error;
		}
	}
	note_states(&next, frame);
	note_placement(&next, frame);
	next.started = true;
	next.sequence = next_sequence(next.sequence);
	length = write_rejoin(&next, packet->bytes);
	if (length < 0) {
		return length;
	}
	packet->is_sent = true;
	packet->needs_state = false;
	packet->shape = JC_SHAPE_LIST;
	packet->sequence = next.sequence;
	packet->length = (size_t)length;
	packet->rejoin_length = rejoin ? (size_t)length : 0;
	if (rejoin) {
		memcpy(packet->rejoin, packet->bytes, (size_t)length);
	}
	*stream = next;
	return JC_OK;
}

/* Returns the bytes of the sections that moved, or an error. */
static int write_steps(struct jc_stream *stream, const struct jc_stream_frame *frame, bool settle,
	uint8_t out_bytes[JC_STREAM_BYTES], enum jc_shape *out_shape)
{
	struct jc_section_set set;
	struct material material;
	uint8_t bytes[JC_CHAIN_BYTES];

	jc_section_set_init(&set, stream->coding);
	for (unsigned i = 0; i < JC_STREAM_CHAINS; i++) {
		int length = 0;

		if (has_chain(stream, i)) {
			gather(stream, frame, section_of(i), &material);
			length = jc_chain_encode(&stream->chains[i], material.rotations,
				material.points, settle, bytes, sizeof(bytes));
		}
		if (length < 0) {
			return length;
		}
		jc_section_set_add(&set, section_of(i), bytes, (size_t)length);
	}
	if (note_placement(stream, frame)) {
		jc_section_set_add_placement(&set, &stream->placement);
	}
	if (note_states(stream, frame)) {
		jc_section_set_add_states(&set, stream->known, stream->estimated);
	}
	return jc_section_set_write(&set, out_bytes, JC_STREAM_BYTES, out_shape);
}

int jc_stream_encode(struct jc_stream *stream, const struct jc_stream_frame *frame, bool alive,
	bool rejoin, struct jc_stream_packet *out_packet)
{
	struct jc_stream next;
	int length, rejoin_length = 0;

	if (frame->has_placement && !jc_section_placement_is_valid(&frame->placement)) {
		return JC_ERROR_INVALID;
	}
	if (!stream->started) {
		return start(stream, frame, rejoin, out_packet);
	}
	copy(&next, stream);
	length = write_steps(&next, frame, rejoin, out_packet->bytes, &out_packet->shape);
	if (length >= 0 && rejoin) {
		rejoin_length = write_rejoin(&next, out_packet->rejoin);
	}
	if (length == JC_ERROR_SPACE || rejoin_length == JC_ERROR_SPACE) {
		return start(stream, frame, rejoin, out_packet);
	}
	if (length < 0) {
		return length;
	}
	out_packet->is_sent = length > 0 || alive || rejoin;
	out_packet->length = (size_t)length;
	out_packet->rejoin_length = (size_t)rejoin_length;
	if (out_packet->is_sent) {
		next.sequence = next_sequence(next.sequence);
		out_packet->needs_state = true;
		out_packet->sequence = next.sequence;
		copy(stream, &next);
	}
	return JC_OK;
}

/* A chain without a section in a packet that needs state is held. */
static void hold_others(struct jc_stream_decoder *decoder, unsigned seen)
{
	for (unsigned i = 0; i < JC_STREAM_CHAINS; i++) {
		if (decoder->chains[i].started && !(seen >> section_of(i) & 1)) {
			jc_chain_hold(&decoder->chains[i]);
		}
	}
}

static unsigned chain_of(unsigned section)
{
	unsigned i = 0;

	while (section_of(i) != (enum jc_section)section) {
		i++;
	}
	return i;
}

static bool has_other_coding(const struct jc_stream_decoder *decoder, unsigned coding)
{
	for (unsigned i = 0; i < JC_STREAM_CHAINS; i++) {
		if (decoder->chains[i].started && decoder->chains[i].coding != coding) {
			return true;
		}
	}
	return false;
}

static int read_chain(
	struct jc_stream_decoder *decoder, const struct jc_section_view *view, bool needs_state)
{
	struct jc_chain *chain = &decoder->chains[chain_of(view->section)];
	const uint8_t *bytes = view->content.at;
	size_t length = jc_wire_left(&view->content);
	int result;

	if (!needs_state && has_other_coding(decoder, view->coding)) {
		result = JC_ERROR_INVALID;
	} else if (!needs_state) {
		result = jc_chain_read_rejoin(
			chain, view->coding, (enum jc_section)view->section, bytes, length);
	} else if (chain->started &&
		   (view->coding == JC_CODING_OF_STREAM || view->coding == chain->coding)) {
		result = jc_chain_decode(chain, bytes, length);
	} else {
		result = JC_ERROR_INVALID;
	}
	return result < 0 ? result : JC_OK;
}

static bool is_chain(const struct jc_section_view *view)
{
	for (unsigned i = 0; i < JC_STREAM_CHAINS; i++) {
		if (section_of(i) == (enum jc_section)view->section) {
			return view->coding == JC_CODING_CHAIN ||
			       view->coding == JC_CODING_MODEL_CHAIN ||
			       view->coding == JC_CODING_OF_STREAM;
		}
	}
	return false;
}

static int read_section(
	struct jc_stream_decoder *decoder, struct jc_section_view *view, bool needs_state)
{
	struct jc_wire_reader *content = &view->content;
	int error = JC_OK;

	if (is_chain(view)) {
		return read_chain(decoder, view, needs_state);
	}
	switch (view->section << 4 | view->coding) {
	case JC_SECTION_PLACEMENT << 4 | JC_CODING_MILLIMETRES:
		decoder->placement = jc_section_read_placement(content);
		decoder->has_placement = true;
		break;
	case JC_SECTION_PACE << 4 | JC_CODING_TICKS:
		decoder->pace = jc_wire_read_u8(content);
		error = decoder->pace == 0 ? JC_ERROR_INVALID : JC_OK;
		break;
	case JC_SECTION_STATES << 4 | JC_CODING_MASKS:
		error = jc_section_read_states(content, decoder->states);
		break;
	default:
		decoder->is_partial = true;
		return JC_OK;
	}
	if (error == JC_OK) {
		error = content->error;
	}
	return error == JC_OK && jc_wire_left(content) > 0 ? JC_ERROR_INVALID : error;
}

static int read_sections(struct jc_stream_decoder *decoder, const struct jc_packet_head *head,
	const uint8_t *bytes, size_t length)
{
	struct jc_section_walk walk = jc_section_walk_init(head->shape, bytes, length);
	struct jc_section_view view;
	int status;

	if (length > JC_LIMIT_PACKET_BYTES) {
		return JC_ERROR_LIMIT;
	}
	while ((status = jc_section_next(&walk, &view)) > 0) {
		status = read_section(decoder, &view, head->needs_state);
		if (status != JC_OK) {
			return status;
		}
	}
	if (status == JC_OK && head->needs_state) {
		hold_others(decoder, walk.seen);
	}
	return status;
}

/* The state before a packet that needs none: the placement of earlier packets remains, because a
 * stream sends a placement only when it changes. */
static struct jc_stream_decoder begin_anew(
	const struct jc_stream_decoder *decoder, const struct jc_packet_head *head)
{
	struct jc_stream_decoder fresh = { .pace = 1, .incarnation = head->incarnation };

	if (head->incarnation == decoder->incarnation) {
		fresh.has_placement = decoder->has_placement;
		fresh.placement = decoder->placement;
	}
	return fresh;
}

int jc_stream_decode(struct jc_stream_decoder *decoder, const struct jc_packet_head *head,
	const uint8_t *bytes, size_t length)
{
	bool follows = decoder->started && head->incarnation == decoder->incarnation &&
		       head->sequence == next_sequence(decoder->sequence);
	int error;

	decoder->started = false;
	if (head->needs_state && !follows) {
		return JC_ERROR_ABSENT;
	}
	if (!head->needs_state) {
		*decoder = begin_anew(decoder, head);
	}
	error = read_sections(decoder, head, bytes, length);
	if (error != JC_OK) {
		return error;
	}
	decoder->started = true;
	decoder->incarnation = head->incarnation;
	decoder->sequence = head->sequence;
	return (int)length;
}

/* Chains that do not show bones. */
static void show_others(const struct jc_stream_decoder *decoder, struct jc_stream_frame *frame)
{
	const struct jc_chain *hips = &decoder->chains[chain_of(JC_SECTION_HIPS)];
	const struct jc_chain *channels = &decoder->chains[chain_of(JC_SECTION_CHANNELS)];
	const struct jc_chain *virtuals = &decoder->chains[chain_of(JC_SECTION_VIRTUALS)];

	if (hips->started) {
		frame->hips_translation = jc_chain_translation(hips);
	}
	if (channels->started) {
		struct jc_vec3 triples[JC_CHAIN_ITEMS];

		jc_chain_points(channels, triples);
		frame->value_count = 3u * channels->count;
		memcpy(frame->values, triples, frame->value_count * sizeof(frame->values[0]));
	}
	if (virtuals->started) {
		struct jc_quat rotations[JC_BONE_COUNT];
		struct jc_vec3 points[JC_CHAIN_ITEMS];

		jc_chain_rotations(virtuals, rotations);
		jc_chain_points(virtuals, points);
		frame->virtual_count = virtuals->count / 2u;
		memcpy(frame->virtual_rotations, rotations,
			frame->virtual_count * sizeof(rotations[0]));
		memcpy(frame->virtual_positions, points, frame->virtual_count * sizeof(points[0]));
	}
}

uint64_t jc_stream_frame(const struct jc_stream_decoder *decoder, struct jc_stream_frame *out_frame)
{
	struct jc_stream_frame frame = { .has_placement = decoder->has_placement,
		.placement = decoder->placement };
	uint64_t mask = 0;

	for (unsigned bone = 0; bone < JC_BONE_COUNT; bone++) {
		frame.rotations[bone] = JC_QUAT_IDENTITY;
		frame.states[bone] = decoder->states[bone];
	}
	for (unsigned i = 0; i < JC_STREAM_CHAINS; i++) {
		const struct jc_chain *chain = &decoder->chains[i];

		if (!chain->started || section_of(i) >= JC_SECTION_HIPS) {
			continue;
		}
		jc_chain_rotations(chain, frame.rotations);
		for (unsigned k = 0; k < chain->count; k++) {
			mask |= UINT64_C(1) << chain->bones[k];
		}
	}
	show_others(decoder, &frame);
	*out_frame = frame;
	return mask;
}
