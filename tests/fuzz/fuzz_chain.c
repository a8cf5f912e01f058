/* Fuzzes the sections of a chain: a rejoin section, then frames. Any accepted section keeps the
 * state within its ranges and gives rotations; a rejoin section restores the state; a decoder
 * accepts the output of an encoder with such a state. Input: the section, from 6 on those of coding
 * 3, then chunks, each of a u16 (length, bit 15 for a rejoin section, bit 14 for holding) and
 * bytes. */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast_private/chain.h"
#include "target.h"

#define SECTIONS 6

#define REJOIN 0x8000
#define HOLD   0x4000

static void require_same(const struct jc_chain *a, const struct jc_chain *b)
{
	assert(a->started && b->started && a->section == b->section);
	assert(a->coding == b->coding);
	assert(a->precision == b->precision && a->count == b->count);
	assert(memcmp(a->bones, b->bones, a->count) == 0);
	assert(memcmp(a->items, b->items, a->count * sizeof(a->items[0])) == 0);
}

/* Whether an item lies on the plain grid. */
static bool is_grid(const struct jc_chain *chain, size_t item)
{
	return chain->section == JC_SECTION_HIPS || chain->section == JC_SECTION_CHANNELS ||
	       (chain->section == JC_SECTION_VIRTUALS && item % 2 == 1);
}

static void check_ranges(const struct jc_chain *chain)
{
	assert(chain->count <= JC_CHAIN_ITEMS);
	for (size_t i = 0; i < chain->count; i++) {
		const struct jc_chain_item *item = &chain->items[i];
		int most = !is_grid(chain, i)                      ? 30000
			   : chain->section == JC_SECTION_CHANNELS ? 500
								   : 4000000;

		for (int c = 0; c < 3; c++) {
			assert(abs(item->place[c]) <= most && abs(item->pace[c]) <= 1026 * 16);
			assert(item->rounding[c] >= -16 && item->rounding[c] <= 15);
			assert(item->miss[c] >= 0 && item->miss[c] <= 6400);
			assert(is_grid(chain, i) || (item->place[c] & 1) == (item->place[0] & 1));
		}
	}
}

static void check_shown(const struct jc_chain *chain, const struct jc_quat *shown)
{
	for (size_t i = 0; i < chain->count; i++) {
		if (is_grid(chain, i)) {
			continue;
		}
		struct jc_quat q = shown[chain->bones[i]];
		float norm = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);

		assert(fabsf(norm - 1.0f) < 1e-6f);
	}
}

/* A new decoder joins here; a new encoder continues here. */
static void check_goes_on(const struct jc_chain *chain, const struct jc_quat *shown, bool settle)
{
	struct jc_vec3 at[JC_CHAIN_ITEMS] = { 0 };
	struct jc_chain joined, writer = *chain;
	uint8_t bytes[JC_CHAIN_BYTES];
	int length = jc_chain_write_rejoin(chain, bytes, sizeof(bytes));

	assert(length > 0 || length == JC_ERROR_SPACE);
	if (length < 0) {
		return; /* places that no encoder takes a bone to cost more than there is room for
			 */
	}
	assert(jc_chain_read_rejoin(&joined, chain->coding, (enum jc_section)chain->section, bytes,
		       (size_t)length) == length);
	require_same(&joined, chain);
	length = jc_chain_encode(&writer, shown, at, settle, bytes, sizeof(bytes));
	assert(length >= 0 || length == JC_ERROR_SPACE);
	if (length > 0) {
		assert(jc_chain_decode(&joined, bytes, (size_t)length) == length);
	} else if (length == 0) {
		jc_chain_hold(&joined);
	}
	require_same(&joined, &writer);
}

static bool take(struct jc_chain *chain, unsigned coding, enum jc_section section, unsigned what,
	const uint8_t *bytes, size_t length)
{
	int status = (int)length;

	if (what & REJOIN) {
		status = jc_chain_read_rejoin(chain, coding, section, bytes, length);
	} else if (!chain->started) {
		return false;
	} else if (what & HOLD) {
		jc_chain_hold(chain);
	} else {
		status = jc_chain_decode(chain, bytes, length);
	}
	assert(status == (int)length || status < 0);
	assert(chain->started == (status >= 0));
	return chain->started;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	static const enum jc_section sections[SECTIONS] = { JC_SECTION_BODY, JC_SECTION_FACE,
		JC_SECTION_HANDS, JC_SECTION_HIPS, JC_SECTION_CHANNELS, JC_SECTION_VIRTUALS };
	struct jc_chain chain = { 0 };
	enum jc_section section;
	unsigned coding;
	size_t at = 1;

	if (!length) {
		return 0;
	}
	section = sections[bytes[0] % SECTIONS];
	coding = bytes[0] / SECTIONS % 2 ? JC_CODING_MODEL_CHAIN : JC_CODING_CHAIN;
	while (length - at >= 2) {
		struct jc_quat shown[JC_BONE_COUNT] = { 0 };
		unsigned what = bytes[at] | (unsigned)bytes[at + 1] << 8;
		size_t size = what & 0x3ff;

		at += 2;
		size = size < length - at ? size : length - at;
		if (take(&chain, coding, section, what, bytes + at, size)) {
			check_ranges(&chain);
			jc_chain_rotations(&chain, shown);
			check_shown(&chain, shown);
			check_goes_on(&chain, shown, what & 1);
		}
		at += size;
	}
	return 0;
}
