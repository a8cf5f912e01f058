/* Writes rejoin payloads, which contain the whole state of a stream: of an encoder for its own
 * subscribers, of a decoder for those of a hop. */
#include "chain_private.h"
#include "section.h"
#include "stream_private.h"

const enum jc_section jc_stream_chain_sections[JC_STREAM_CHAINS] = { JC_SECTION_BODY,
	JC_SECTION_FACE, JC_SECTION_HANDS, JC_SECTION_HIPS, JC_SECTION_CHANNELS,
	JC_SECTION_VIRTUALS };

static int add_chains(const struct jc_stream_state *state, struct jc_section_set *set)
{
	for (unsigned i = 0; i < JC_STREAM_CHAINS; i++) {
		enum jc_section section = jc_stream_chain_sections[i];
		uint8_t bytes[JC_CHAIN_BYTES];
		int length;

		if (!(state->sections & JC_STREAM_SECTION(section))) {
			continue;
		}
		length = jc_chain_write_rejoin(&state->chains[i], bytes, sizeof(bytes));
		if (length < 0) {
			return length;
		}
		jc_section_set_add(set, section, bytes, (size_t)length);
	}
	return JC_OK;
}

int jc_stream_write_rejoin(const struct jc_stream_state *state, uint8_t *out_bytes, size_t capacity)
{
	struct jc_section_set set;
	int error;

	jc_section_set_init(&set, state->coding);
	error = add_chains(state, &set);
	if (error != JC_OK) {
		return error;
	}
	if (state->placement) {
		jc_section_set_add_placement(&set, state->placement);
	}
	jc_section_set_add_states(&set, state->known, state->estimated);
	if (state->pace > 1) {
		jc_section_set_add(&set, JC_SECTION_PACE, &state->pace, 1);
	}
	return jc_section_set_write_list(&set, out_bytes, capacity);
}

int jc_stream_decoder_rejoin(
	const struct jc_stream_decoder *decoder, uint8_t *out_bytes, size_t capacity)
{
	struct jc_stream_state state = { .chains = decoder->chains, .pace = decoder->pace };

	if (!decoder->started) {
		return JC_ERROR_ABSENT;
	}
	if (decoder->is_partial) {
		return JC_ERROR_UNSUPPORTED;
	}
	if (decoder->has_placement) {
		if (!jc_section_placement_is_valid(&decoder->placement)) {
			return JC_ERROR_INVALID;
		}
		state.placement = &decoder->placement;
	}
	for (unsigned i = 0; i < JC_STREAM_CHAINS; i++) {
		if (decoder->chains[i].started) {
			state.sections |= JC_STREAM_SECTION(jc_stream_chain_sections[i]);
			state.coding = decoder->chains[i].coding;
		}
	}
	for (unsigned bone = 0; bone < JC_BONE_COUNT; bone++) {
		state.known |= (uint64_t)(decoder->states[bone] != JC_ABSENT) << bone;
		state.estimated |= (uint64_t)(decoder->states[bone] == JC_ESTIMATED) << bone;
	}
	return jc_stream_write_rejoin(&state, out_bytes,
		capacity < JC_LIMIT_PACKET_BYTES ? capacity : JC_LIMIT_PACKET_BYTES);
}
