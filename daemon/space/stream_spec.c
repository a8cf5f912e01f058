/* A pixel of a headset spans about 0.05 degrees. At arm's length from its joint, the error of
 * `standard` is below one pixel from 3 m on, that of `coarse` from 12 m on; finger motion spans
 * about two pixels there (level_of_detail.c has the distances). */
#include "space/stream_spec.h"

#include <string.h>

#define TRUNK (JC_STREAM_SECTION(JC_SECTION_BODY) | JC_STREAM_SECTION(JC_SECTION_HIPS))

static const struct {
	enum jc_precision precision;
	uint32_t rate;
	unsigned sections;
} levels[JC_LEVELS] = {
	{ JC_PRECISION_FINE, 1, ~0u },
	{ JC_PRECISION_STANDARD, 1, ~0u },
	{ JC_PRECISION_STANDARD, 2, ~0u },
	{ JC_PRECISION_COARSE, 2, TRUNK },
	{ JC_PRECISION_COARSE, 4, TRUNK },
};

bool jc_virtual_choice_add_tag(struct jc_virtual_choice *choice, const char *tag)
{
	size_t used = 0, length = strlen(tag) + 1;

	while (used < sizeof(choice->tags) && choice->tags[used]) {
		used += strlen(choice->tags + used) + 1;
	}
	if (length == 1 || used + length > sizeof(choice->tags)) {
		return false;
	}
	memcpy(choice->tags + used, tag, length);
	return true;
}

static bool has_tag(
	const struct jc_virtual_choice *choice, const struct jc_virtual_transform *transform)
{
	const char *end = choice->tags + sizeof(choice->tags);

	for (const char *tag = choice->tags; tag < end && *tag; tag += strlen(tag) + 1) {
		for (size_t i = 0; i < transform->tag_count; i++) {
			if (strcmp(transform->tags[i], tag) == 0) {
				return true;
			}
		}
	}
	return false;
}

size_t jc_virtual_choice_apply(const struct jc_virtual_choice *choice,
	const struct jc_skeleton *skeleton, uint8_t out_indices[JC_LIMIT_STREAM_VIRTUALS])
{
	const struct jc_virtual_transform *all = jc_skeleton_virtual_transforms(skeleton);
	size_t of = jc_skeleton_virtual_transform_count(skeleton), count = 0;

	for (size_t i = 0; i < of && count < JC_LIMIT_STREAM_VIRTUALS; i++) {
		if (!choice->is_some || choice->indices[i / 8] >> i % 8 & 1 ||
			has_tag(choice, &all[i])) {
			out_indices[count++] = (uint8_t)i;
		}
	}
	return count;
}

unsigned jc_stream_spec_coding(const struct jc_stream_spec *spec)
{
	return !spec->chains ? JC_CODING_SMALLEST_THREE
	       : spec->model ? JC_CODING_MODEL_CHAIN
			     : JC_CODING_CHAIN;
}

bool jc_stream_spec_equal(const struct jc_stream_spec *a, const struct jc_stream_spec *b)
{
	return a->chains == b->chains && a->contacts == b->contacts && a->model == b->model &&
	       a->precision == b->precision && a->rate == b->rate && a->finest == b->finest &&
	       a->sections == b->sections &&
	       memcmp(&a->virtuals, &b->virtuals, sizeof(a->virtuals)) == 0;
}

struct jc_stream_spec jc_stream_spec_source(enum jc_precision finest)
{
	return (struct jc_stream_spec){ .chains = true,
		.precision = finest,
		.finest = finest,
		.rate = 1,
		.sections = JC_STREAM_ALL };
}

bool jc_stream_spec_is_source(const struct jc_stream_spec *spec)
{
	struct jc_stream_spec source = jc_stream_spec_source(spec->finest);

	return jc_stream_spec_equal(spec, &source);
}

struct jc_stream_spec jc_stream_spec_at(const struct jc_stream_spec *spec, unsigned level)
{
	struct jc_stream_spec at = *spec;

	if (!spec->chains) {
		return at;
	}
	if (levels[level].precision > at.precision) {
		at.precision = levels[level].precision;
	}
	if (levels[level].rate > at.rate) {
		at.rate = levels[level].rate;
	}
	/* A stream of hands alone has the same sections at all levels. */
	if (at.sections & levels[level].sections) {
		at.sections &= levels[level].sections;
	}
	if (!(at.sections & JC_STREAM_SECTION(JC_SECTION_VIRTUALS))) {
		at.virtuals = (struct jc_virtual_choice){ .is_some = false };
	}
	return at;
}

float jc_stream_spec_weight(const struct jc_stream_spec *spec)
{
	static const float precisions[JC_PRECISION_COUNT] = { 1.0f, 0.65f, 0.4f };
	static const struct {
		unsigned section;
		float weight;
	} sections[] = {
		{ JC_SECTION_BODY, 0.5f },
		{ JC_SECTION_FACE, 0.05f },
		{ JC_SECTION_HANDS, 0.3f },
		{ JC_SECTION_HIPS, 0.1f },
		{ JC_SECTION_CHANNELS, 0.05f },
		{ JC_SECTION_VIRTUALS, 0.2f },
	};
	float share = 0.1f; /* heads */

	if (!spec->chains) {
		return 6.0f;
	}
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		if (spec->sections & JC_STREAM_SECTION(sections[i].section)) {
			share += sections[i].weight;
		}
	}
	/* Steps of a slower stream are longer, and cost more. */
	float pace = spec->rate == 1 ? 1.0f : spec->rate == 2 ? 0.6f : 0.36f;

	return share * pace * precisions[spec->precision] * (spec->model ? 0.8f : 1.0f);
}
