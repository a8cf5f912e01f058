/* Packets are independent of connections and bundles, so making a bundle is copying. */
#include "space/bundle.h"

#include <assert.h>
#include <string.h>

#include "maxima.h"

#define CUT_FLAG 0x01 /* of the second byte: proto/BUNDLES.md, "Packet head" */

_Static_assert(JC_MAX_BODIES *JC_BODY_STREAM_PACKET_BYTES <= JC_LIMIT_BUNDLE_BYTES &&
		       2 * JC_MAX_BODIES <= JC_LIMIT_BUNDLE_PACKETS,
	"every body fits into a bundle");

void jc_bundle_open(struct jc_bundle *bundle, uint8_t *buffer, const struct jc_bundle_head *head)
{
	bundle->bytes = buffer + JC_BUNDLE_HEADROOM;
	bundle->length = bundle->first_length = bundle->begin = bundle->last = 0;
	bundle->is_pair = false;
	bundle->first_tick = bundle->tick = head->tick;
	bundle->head_length = (size_t)jc_bundle_begin(head, bundle->head, sizeof(bundle->head));
	bundle->cut = false;
	bundle->packet_count = 0;
	bundle->flags_count = 0;
}

void jc_bundle_continue(struct jc_bundle *bundle, uint32_t tick)
{
	assert(!bundle->is_pair && tick - bundle->first_tick <= JC_BUNDLE_REACH);
	bundle->is_pair = true;
	bundle->first_length = bundle->length;
	bundle->tick = tick;
	bundle->bytes[bundle->length++] = jc_bundle_short_head(tick);
	bundle->begin = bundle->last = bundle->length;
}

void jc_bundle_put(
	struct jc_bundle *bundle, const struct jc_body_stream_packet *packet, bool missed_cut)
{
	uint8_t *at = bundle->bytes + bundle->length;

	assert(packet->length <= JC_LIMIT_BUNDLE_BYTES - (bundle->length - bundle->begin));
	memcpy(at, packet->bytes, packet->length);
	if (!packet->needs_state) {
		bundle->flags_at[bundle->flags_count++] = (uint32_t)bundle->length + 1;
		at[1] |= missed_cut ? CUT_FLAG : 0;
	}
	bundle->last = bundle->length;
	bundle->length += packet->length;
	bundle->packet_count++;
	bundle->cut |= packet->cut;
}

void jc_bundle_close(struct jc_bundle *bundle)
{
	if (bundle->length > bundle->begin) {
		uint8_t *end = jc_bundle_finish(
			bundle->bytes + bundle->last, bundle->bytes + bundle->length);

		bundle->length = (size_t)(end - bundle->bytes);
	}
}

size_t jc_bundle_put_head(const struct jc_bundle *bundle, bool is_short)
{
	size_t length = is_short ? 1 : bundle->head_length;
	uint8_t pair[JC_PAIR_HEAD_BYTES];

	if (is_short) {
		bundle->bytes[-1] = jc_bundle_short_head(bundle->first_tick);
	} else {
		memcpy(bundle->bytes - length, bundle->head, length);
	}
	if (bundle->is_pair) {
		int size = jc_bundle_pair(length + bundle->first_length, pair, sizeof(pair));

		assert(size > 0);
		length += (size_t)size;
		memcpy(bundle->bytes - length, pair, (size_t)size);
	}
	return length;
}

void jc_bundle_set_cuts(
	const struct jc_bundle *bundle, uint64_t changed[JC_LIMIT_BUNDLE_PACKETS / 64], bool on)
{
	for (size_t i = 0; i < bundle->flags_count; i++) {
		uint8_t *flags = bundle->bytes + bundle->flags_at[i];
		uint64_t bit = UINT64_C(1) << (i % 64);

		if (on && !(*flags & CUT_FLAG)) {
			*flags |= CUT_FLAG;
			changed[i / 64] |= bit;
		} else if (!on && (changed[i / 64] & bit)) {
			*flags &= (uint8_t)~CUT_FLAG;
		}
	}
}
